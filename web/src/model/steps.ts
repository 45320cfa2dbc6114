import type { ActivityRef, AgentEvent, LogEntry, TodoItem } from '../../../src/protocol/index.ts'

type EventOf<K extends AgentEvent['kind']> = Extract<AgentEvent, { kind: K }>

/** What one step of an agent was. Absent values are left out, as in the events. */
export type StepBody =
  | {
      type: 'activity'
      activity: ActivityRef
      outcome: 'running' | 'finished' | 'failed'
      durationMs?: number | undefined
      output?: string | undefined
      contentLength?: number | undefined
      error?: string | undefined
      failure?: EventOf<'activity.failed'>['failure_kind'] | undefined
      truncated?: boolean | undefined
      subagentId?: string | undefined
    }
  | {
      type: 'request'
      requestId: string
      activity?: ActivityRef | undefined
      description?: string | undefined
      /** Absent while the agent waits. */
      answer?: RequestAnswer
    }
  | { type: 'question'; text: string; options: readonly string[] }
  | { type: 'todo'; items: readonly TodoItem[] }
  | {
      type: 'subagent'
      id: string
      kind?: string | undefined
      task?: string | undefined
      outcome: 'running' | NonNullable<EventOf<'subagent.finished'>['cause']>
      children: Step[]
    }
  | { type: 'compaction'; trigger?: 'auto' | 'manual' | undefined; usagePercent?: number | undefined }
  | { type: 'notification'; text?: string | undefined }
  | { type: 'thinking'; text: string }
  | { type: 'text'; from: 'user' | 'assistant'; text: string; subagentId?: string | undefined }
  | { type: 'continued'; cause?: EventOf<'turn.started'>['cause'] }
  | {
      type: 'session'
      phase: 'started' | 'ended'
      cause?: string | undefined
      durationMs?: number | undefined
    }
  | { type: 'offline'; reason: string }
  | { type: 'inbound'; text: string; chatId: string; clientId: string }
  | { type: 'control'; name: string }
  | { type: 'gap'; missing: number }
  | { type: 'unknown'; truncated?: boolean | undefined }

export interface RequestAnswer {
  ts: number
  decision?: 'allow' | 'deny' | undefined
  scope?: string | undefined
  by?: string | undefined
  reason?: string | undefined
}

/** One thing an agent did, or that happened to it; it may be told in several events. */
export interface Step {
  /** Unique in the timeline, and the same whenever it is built again from the same events. */
  readonly key: string
  readonly ts: number
  readonly seq: number
  body: StepBody
}

/** What turns and notes have in common. */
export interface ItemBase {
  readonly key: string
  /** The contact's id; absent for what belongs to nobody. */
  readonly contact: string | undefined
  readonly agent: string | undefined
  readonly sessionId: string | undefined
  /** Its events in order: from them it can be built again. */
  readonly entries: LogEntry[]
  /** When its first event happened. */
  readonly ts: number
  /** The steps that can be opened and filtered. */
  readonly steps: Step[]
  /** Counts the events applied, so that what was made from it is known to be stale. */
  revision: number
}

/** From the moment an agent takes a prompt to the moment it ends. */
export interface Turn extends ItemBase {
  readonly type: 'turn'
  readonly turnId: string | undefined
  outcome: 'running' | 'completed' | 'aborted' | 'error' | 'unknown'
  /** False when its beginning is not among the events held. */
  begun: boolean
  prompt: string | undefined
  cause: EventOf<'turn.started'>['cause']
  reply: { text: string; ts: number; seq: number } | undefined
  error: string | undefined
  endedAt: number | undefined
  durationMs: number | undefined
  backgroundTasks: number
}

/** Something outside of any turn. */
export interface Note extends ItemBase {
  readonly type: 'note'
}

export type Item = Turn | Note

/** The beginning of an item with the entry it begins with, which is yet to be applied. */
export function createBase(key: string, entry: LogEntry, ts: number): ItemBase {
  const { contact, agent, session_id: sessionId } = entry
  return {
    key,
    contact,
    agent: typeof agent === 'string' ? agent : undefined,
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    ts,
    entries: [],
    steps: [],
    revision: 0,
  }
}

/** A turn of which nothing is known yet but that it is. */
export function createTurn(
  base: ItemBase,
  { turnId, isRunning, begun }: { turnId: string | undefined; isRunning: boolean; begun: boolean },
): Turn {
  return {
    type: 'turn',
    ...base,
    turnId,
    outcome: isRunning ? 'running' : 'unknown',
    begun,
    prompt: undefined,
    cause: undefined,
    reply: undefined,
    error: undefined,
    endedAt: undefined,
    durationMs: undefined,
    backgroundTasks: 0,
  }
}

/** Another turn began, or the session ended, and nothing said how this one did. */
export function endUnseen(turn: Turn, ts: number): void {
  if (turn.outcome !== 'running') return
  turn.outcome = 'unknown'
  turn.endedAt = ts
  turn.revision += 1
}

/** Drops all entries of a turn but its newest, and the steps that began before these. */
export function keepNewest(turn: Turn, entryCount: number): void {
  turn.entries.splice(0, turn.entries.length - entryCount)
  const firstKept = turn.entries[0]?.seq ?? Infinity
  const index = turn.steps.findIndex((step) => step.seq >= firstKept)
  turn.steps.splice(0, index === -1 ? turn.steps.length : index)
  turn.begun = false
  turn.revision += 1
}

/** How many steps there are, how many failed, what runs now and which requests are open; subagents' steps too. */
export function countSteps(steps: readonly Step[]): {
  total: number
  failed: number
  running: Step | undefined
  open: Step[]
} {
  const counts: ReturnType<typeof countSteps> = { total: 0, failed: 0, running: undefined, open: [] }
  for (const step of walkSteps(steps)) {
    const { body } = step
    if (isShown(step)) counts.total += 1
    if (body.type === 'activity' && body.outcome === 'failed') counts.failed += 1
    if (body.type === 'activity' && body.outcome === 'running') counts.running = step
    if (body.type === 'request' && !body.answer) counts.open.push(step)
  }
  return counts
}

/** An event of another kind is only worth a line when some of it was lost. */
export function isShown({ body }: Step): boolean {
  return body.type !== 'unknown' || body.truncated === true
}

/** All steps in order, with those of subagents after their subagent. */
export function* walkSteps(steps: readonly Step[]): Generator<Step, void> {
  for (const step of steps) {
    yield step
    if (step.body.type === 'subagent') yield* walkSteps(step.body.children)
  }
}
