import type { HookGap } from '../hook-table.ts'

/** What no hook of Claude Code tells. */
export const claudeHookGaps: readonly HookGap[] = [
  {
    what: 'Esc while the agent works',
    seen: 'the turn stays open until the next prompt ends it, as `aborted`',
    evidence: 'OSC 7501 `idle`, `~/.claude/sessions/<pid>.json`, or the title',
  },
  {
    what: 'No or Esc on a dialog',
    seen: 'the request stays open until the next prompt',
    evidence: 'OSC 7501 leaves `blocked`, or `~/.claude/sessions/<pid>.json` has another status',
  },
  {
    what: 'that a person answered in the terminal while a hook was held',
    seen: 'the hook is not told',
    evidence: 'PostToolUse of the call, or OSC 7501 leaves `blocked`',
  },
  {
    what: 'that a deny with an interrupt ended the turn',
    seen: 'nothing further of that turn',
    evidence: 'OSC 7501 `idle`',
  },
]
