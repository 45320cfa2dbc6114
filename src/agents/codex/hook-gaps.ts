import type { HookGap } from '../hook-table.ts'

/** What no hook of Codex tells. */
export const codexHookGaps: readonly HookGap[] = [
  {
    what: 'that the model failed',
    seen: 'the turn stays open until the next prompt ends it, as `aborted`',
    evidence: 'OSC 7501 `error`, or `task_complete.error` in the rollout file',
  },
  {
    what: 'that a person denied a permission',
    seen: '`activity.failed` when its turn ends, and no `permission.resolved`',
    evidence: 'OSC 7501 leaves `blocked`; Esc fires Interrupt, which ends the turn',
  },
  {
    what: 'that a dialog is open now',
    seen: '`permission.requested`, before the dialog',
    evidence: 'OSC 7501 `blocked`, or `[ ! ] Action Required` in the title',
  },
  {
    what: 'that a command failed',
    seen: '`activity.finished`',
    evidence: '`item/completed` of `codex app-server` has the exit code',
  },
  {
    what: 'that the program is up and waits for its first prompt',
    seen: 'nothing, until the first prompt begins a session',
    evidence: 'OSC 7501 `idle`',
  },
  {
    what: 'a question in another mode than plan, where that is switched on',
    seen: '`activity.started` of request_user_input, and no question',
    evidence: 'OSC 7501 `blocked`',
  },
]
