import type { ActivityRef } from '../../protocol/index.ts'

/** One use of a tool. */
export interface Call {
  readonly ref: ActivityRef
  readonly callId: string | undefined
  readonly inputKey: string
  readonly subagentId: string | undefined
  /** The turn it started in; its end belongs to the same. */
  readonly turnId: string | undefined
  readonly startedAt: number
  open: boolean
  /** Closed because the agent was past it: its own end may still come. */
  lost: boolean
}

/** Something the agent asked and waits on. */
export interface Request {
  readonly requestId: string
  readonly kind: 'permission' | 'question'
  readonly tool: string | undefined
  readonly summary: string
  readonly inputKey: string
  readonly subagentId: string | undefined
  /** The agent's id of the use of a tool that it is about, where the request names it. */
  readonly callId?: string | undefined
  readonly openedAt: number
  /** The activity it is about; until that is known, the id it will get. */
  activity: { readonly id: string; readonly known: boolean } | undefined
}

/** Whether a request (or question) asks about this use of a tool. */
export function isAbout(request: Asked, call: Call): boolean {
  return isSame(request, { ...call, tool: call.ref.tool })
}

/** What tells uses of tools apart that have no ids. */
export type Asked = Pick<Request, 'tool' | 'inputKey' | 'subagentId'>

/** Whether two tell of the same tool, with inputs that may be the same, in the same agent. */
export function isSame(a: Asked, b: Asked): boolean {
  return a.tool === b.tool && a.subagentId === b.subagentId && mayEqual(a.inputKey, b.inputKey)
}

/** Whether two inputs may be the same: the key of an input nobody knows is empty. */
export function mayEqual(a: string, b: string): boolean {
  return a === b || a === '' || b === ''
}

/** An open turn. */
export interface Turn {
  readonly id: string
  group: string | undefined
  /** Unknown when the log no longer holds its start. */
  readonly startedAt: number | undefined
  /** The key of the last text of it that was given out. */
  shown: string | undefined
  /** The key of a text given out with the end of the turn, before it was displayed. */
  undisplayed: string | undefined
  /** What the agent said last. */
  words?: string
  /** Why its model failed, while the agent tries again. */
  failing?: string | undefined
}

/** A running subagent. */
export interface Subagent {
  /** The turn it belongs to. */
  readonly turnId: string | undefined
  readonly type?: string | undefined
  readonly task?: string | undefined
}

export interface EndedTurn extends Turn {
  readonly endedAt: number
  /** Its last words are not known. */
  readonly wordless: boolean
}
