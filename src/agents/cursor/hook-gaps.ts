import type { HookGap } from '../hook-table.ts'

/** What no hook of Cursor tells. */
export const cursorHookGaps: readonly HookGap[] = [
  {
    what: 'that a permission is asked for, and how it was answered',
    seen: 'an activity that takes long',
    evidence: 'the screen',
  },
  {
    what: 'which subagent has ended',
    seen: '`subagent.finished` of one that was started with the same type and task',
    evidence: 'nothing',
  },
  {
    what: 'a turn without a terminal (`-p`)',
    seen: 'activities without a prompt, an answer or an end',
    evidence: 'the exit of the program, and what it prints',
  },
  {
    what: 'the end of a compaction',
    seen: 'the next event of the turn',
    evidence: 'nothing',
  },
]
