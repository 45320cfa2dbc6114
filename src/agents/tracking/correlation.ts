import type { AgentEvent } from '../../protocol/index.ts'
import { fieldsOf, listOf, textOf } from '../fields.ts'

/**
 * What the log keeps beside an event so that a tracker can be restored from it, and readers are not sent. Keys
 * of inputs and texts are hashes: what the stream redacts is not stored here either.
 */
export interface Correlation {
  /** The agent's name for the hooks of one turn. */
  readonly group?: string | undefined
  /** The whole hook's key, where it has no id to know its repetition by. */
  readonly hook?: string | undefined
  /** The agent's id of the use of a tool, and the key of its input. */
  readonly call?: string | undefined
  readonly input?: string | undefined
  readonly tool?: string | undefined
  readonly subagent?: string | undefined
  /** The agent's id of what is told once: a message, a prompt, a request. */
  readonly message?: string | undefined
  /** The key of what the agent said. */
  readonly text?: string | undefined
  /** The text came with the end of its turn and was not displayed yet. */
  readonly undisplayed?: true | undefined
  /** The model failed, and the agent tries again. */
  readonly failing?: true | undefined
  /** A prompt that waits for the turn before it, or the start of its turn. */
  readonly queued?: true | undefined
  /** The activity was closed because the agent is past it, not by a hook of its own. */
  readonly lost?: true | undefined
  /** The activity's end arrived before its start. */
  readonly early?: true | undefined
  /** The id of the request that this question opens, or that this answer closes. */
  readonly question?: string | undefined
  readonly answered?: string | undefined
  /** The agent's ids of the entries of its task list. */
  readonly tasks?: readonly string[] | undefined
}

/** One event as the log has it. */
export interface TrackedRow {
  readonly event: AgentEvent
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly turnId?: string | undefined
  readonly sessionId?: string | undefined
  readonly correlation: Correlation
}

/** Reads what {@link Correlation} was written as; undefined when it is nothing of the kind. */
export function parseCorrelation(text: string): Correlation | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Written by another version, or by hand: such a row restores nothing.
    return undefined
  }
  const fields = fieldsOf(value)
  const flag = (name: string) => (fields[name] === true ? true : undefined)
  return {
    group: textOf(fields.group),
    hook: textOf(fields.hook),
    call: textOf(fields.call),
    input: textOf(fields.input),
    tool: textOf(fields.tool),
    subagent: textOf(fields.subagent),
    message: textOf(fields.message),
    text: textOf(fields.text),
    undisplayed: flag('undisplayed'),
    failing: flag('failing'),
    queued: flag('queued'),
    lost: flag('lost'),
    early: flag('early'),
    question: textOf(fields.question),
    answered: textOf(fields.answered),
    tasks: Array.isArray(fields.tasks) ? listOf(fields.tasks).map(String) : undefined,
  }
}
