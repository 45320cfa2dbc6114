import { activityKindOf } from './activity-kind.ts'
import type { CallFact } from './adapter.ts'
import { present } from './fields.ts'
import { inputKeyOf } from './input-key.ts'
import { summaryOf } from './summary.ts'

/** One use of a tool, as the fields of a hook tell of it. */
export interface ToolUse {
  readonly agent: string
  readonly tool: string
  readonly input: unknown
  /** What of the input is the same in all hooks of this use; absent: all of it. */
  readonly keyedBy?: unknown
  readonly callId?: string | undefined
  readonly subagentId?: string | undefined
  /** Only the beginning of the hook was read, so that its input is not known. */
  readonly truncated: boolean
}

/** What all hooks about one use of a tool say alike. */
export function callFactOf(use: ToolUse): CallFact {
  const { agent, tool, input, keyedBy = input, callId, subagentId, truncated } = use
  return {
    tool,
    kind: activityKindOf(agent, tool),
    summary: summaryOf(tool, input),
    inputKey: truncated ? '' : inputKeyOf(keyedBy),
    ...present({ callId, subagentId }),
  }
}
