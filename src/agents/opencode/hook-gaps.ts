import type { HookGap } from '../hook-table.ts'

/** What no event of OpenCode tells. */
export const openCodeHookGaps: readonly HookGap[] = [
  {
    what: 'Esc while the model is being retried',
    seen: 'the session is idle, and no error is told: `turn.ended` with the cause `error` and the words of the retry',
    evidence: 'nothing tells an abort from giving up here; both mean that no answer came',
  },
  {
    what: 'the end of the program',
    seen: 'the session stays as it was',
    evidence: 'its process is gone',
  },
  {
    what: 'that the program is up and waits for its first prompt',
    seen: 'nothing, until the first prompt begins a session',
    evidence: 'our plugin is loaded, or `GET /session/status` answers',
  },
  {
    what: 'what a person types into a dialog',
    seen: 'the request, and later its answer',
    evidence: '`GET /permission` and `GET /question` list what is open now',
  },
]
