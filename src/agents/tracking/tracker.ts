import type { AgentEventEnvelope, Health } from '../../protocol/index.ts'
import type { Fact, ParsedHook } from '../adapter.ts'
import { clip } from '../fields.ts'
import { isStale, takeActivity, takeCallsOver, takeDenied } from './activities.ts'
import { parseCorrelation } from './correlation.ts'
import { MessageAssembly } from './message-assembly.ts'
import { takeMessage } from './messages.ts'
import { TrackerMemory } from './memory.ts'
import { failCall } from './open-calls.ts'
import type { Request } from './records.ts'
import { hookKeyOf, isRepeated } from './repetition.ts'
import { takeAnswer, takeQuestion, takeRequest, takeRequestAnswer } from './requests.ts'
import { HookRun, type ClosedRequest, type TrackedEvent, type TrackerParts } from './run.ts'
import { takeEvent, takeSubagentEnd } from './sessions.ts'
import { takeTask } from './tasks.ts'
import { takePrompt, takeRetry, takeTurnEnd } from './turns.ts'

export type { ClosedRequest, TrackedEvent } from './run.ts'

/** Bounds of what may be open at once. */
const maxOpenCalls = 1_000
const maxOpenRequests = 100

/** What came out of one hook. */
export interface TrackerOutput {
  readonly events: readonly TrackedEvent[]
  /** Every request that is no longer open, with the decision where it is known. */
  readonly closedRequests: readonly ClosedRequest[]
}

/** A request that waits for its answer. */
export interface OpenRequest {
  readonly requestId: string
  /** A `permission` was told by `permission.requested`, a `question` by `agent.question`. */
  readonly kind: 'permission' | 'question'
  readonly tool?: string
  readonly summary: string
  readonly openedAt: number
  readonly subagentId?: string
}

/** How the contact is, as far as its hooks tell. */
export interface TrackerState {
  readonly health: Health
  /** Why, in one line. */
  readonly reason: string
  readonly turnId: string | undefined
  readonly sessionId: string | undefined
  /** How many requests wait for their answer. */
  readonly openRequests: number
}

/**
 * Makes one contact's events out of what its hooks say: starts and ends are paired and share an id, turns have
 * ids and always end, repetitions are dropped.
 *
 * - An activity's end belongs to the start with the same id and tool, else to the oldest start of the same tool
 *   with the same input in the same subagent. An end without a start tells both. What is open when its turn
 *   ends is closed with it; what a background subagent does goes on.
 * - A turn starts with a prompt, or by itself where the agent goes on without one. A prompt in the group of the
 *   open turn waits for its end, or joins it; any other means that the open turn was aborted unseen (an interrupt
 *   fires no hook in Claude Code).
 * - A hook is a repetition: about a tool, when the id of the call, its tool, its input and the phase were told
 *   before; a request, when no open activity is left that it could ask about and the same was asked within
 *   1,000 ms; a message, when its message id was given out; any other, when the same facts of the same session
 *   and group were told within 1,000 ms and neither a turn nor a session has begun or ended since.
 */
export class Tracker {
  readonly #parts: TrackerParts

  /** @param mintId makes the ids of turns, requests and activities that have none */
  constructor(mintId?: () => string, memory = new TrackerMemory()) {
    this.#parts = { memory, messages: new MessageAssembly(), mintId }
  }

  /** Takes one hook that happened at `at`, in milliseconds since the epoch. */
  apply(parsed: ParsedHook, at: number): TrackerOutput {
    const { memory } = this.#parts
    const key = hookKeyOf(parsed)
    const run = new HookRun(this.#parts, parsed, at, key)
    if (!isAfterTheEnd(memory, parsed) && !isRepeated(memory, parsed, key, at) && !isOldNews(run)) {
      for (const fact of parsed.facts) takeFact(run, fact)
      enforceBounds(run)
    }
    const { events, closedRequests } = run
    return { events, closedRequests }
  }

  get state(): TrackerState {
    const { turn, sessionId, requests } = this.#parts.memory
    return { ...healthOf(this.#parts.memory), turnId: turn?.id, sessionId, openRequests: requests.length }
  }

  /** What waits for an answer, oldest first. */
  get openRequests(): readonly OpenRequest[] {
    return this.#parts.memory.requests.map(describe)
  }

  /** Takes a request off that was answered or dropped elsewhere; the hooks will tell the rest. */
  closeRequest(requestId: string): void {
    const { memory } = this.#parts
    memory.requests = memory.requests.filter((request) => request.requestId !== requestId)
  }
}

/** One event of the log. */
export interface LoggedEvent {
  readonly envelope: AgentEventEnvelope
  readonly correlation?: string | undefined
}

/**
 * The tracker of a contact as its newest events in the log left it, given oldest first. It goes on with the same
 * open turn, activities and requests under the same ids. Events without a correlation did not come from a tracker
 * and are passed over. What no event told is lost: pieces of a message that was not whole yet, and a prompt
 * nobody typed that waited for its turn.
 */
export function restoreTracker(logged: Iterable<LoggedEvent>, mintId?: () => string): Tracker {
  const memory = new TrackerMemory()
  for (const { envelope, correlation: stored } of logged) {
    const correlation = stored === undefined ? undefined : parseCorrelation(stored)
    if (!correlation) continue
    const { event, ts: at, turn_id: turnId, session_id: sessionId } = envelope
    if (correlation.subagent === undefined) memory.assumeTurn(turnId, correlation.group)
    memory.remember({ event, at, turnId, sessionId, correlation })
  }
  return new Tracker(mintId, memory)
}

function takeFact(run: HookRun, fact: Fact): void {
  switch (fact.type) {
    case 'event':
      return takeEvent(run, fact.event)
    case 'prompt':
      return takePrompt(run, fact)
    case 'turn-end':
      return takeTurnEnd(run, fact)
    case 'retry':
      return takeRetry(run, fact)
    case 'activity':
      return takeActivity(run, fact)
    case 'denied':
      return takeDenied(run, fact)
    case 'calls-over':
      return takeCallsOver(run, fact)
    case 'request':
      return takeRequest(run, fact)
    case 'request-answered':
      return takeRequestAnswer(run, fact)
    case 'question':
      return takeQuestion(run, fact)
    case 'question-answered':
      return takeAnswer(run, fact)
    case 'message':
      return takeMessage(run, fact)
    case 'subagent-end':
      return takeSubagentEnd(run, fact)
    case 'permission-notice':
      if (run.memory.requests.length > 0) return undefined
      return run.emit({ kind: 'notification', ...(fact.text !== undefined && { text: fact.text }) })
    case 'task':
      return takeTask(run, fact)
  }
}

/** Once a session has ended, only a new one, a prompt or a bare event can follow; the rest was on its way. */
function isAfterTheEnd(memory: TrackerMemory, { sessionId, facts }: ParsedHook): boolean {
  return (
    memory.isAfterTheEnd(sessionId) &&
    facts.some(
      (fact) =>
        (fact.type !== 'event' && fact.type !== 'prompt') ||
        (fact.type === 'event' && ['session.ended', 'subagent.started'].includes(fact.event.kind)),
    )
  )
}

function isOldNews(run: HookRun): boolean {
  const fact = run.parsed.facts.find((each) => each.type === 'activity' || each.type === 'denied')
  return fact !== undefined && isStale(run, fact)
}

function enforceBounds(run: HookRun): void {
  const { memory } = run
  const [oldestCall] = memory.open
  if (memory.open.length > maxOpenCalls && oldestCall) failCall(run, oldestCall, 'unknown')
  const [oldestRequest] = memory.requests
  if (memory.requests.length > maxOpenRequests && oldestRequest)
    run.closeRequest(oldestRequest, 'too many requests are open')
}

function healthOf(memory: TrackerMemory): { health: Health; reason: string } {
  const { requests, turn, over, sessionId, sessionStartedAt = 0, last } = memory
  const [request] = requests
  if (request) {
    const about = clip([request.tool, request.summary].filter(Boolean).join(': '), 100)
    const what = request.kind === 'permission' ? 'a permission' : 'an answer'
    return { health: 'blocked', reason: `waits for ${what}${about && ` (${about})`}` }
  }
  if (turn) return { health: 'working', reason: 'a turn is open' }
  if (over) return { health: 'unknown', reason: 'its session ended' }
  if (last && last.endedAt > sessionStartedAt) return { health: 'ok', reason: 'its turn ended' }
  if (sessionId !== undefined || last) return { health: 'ok', reason: 'its session started' }
  return { health: 'unknown', reason: 'no turn or session was seen yet' }
}

function describe({ requestId, kind, tool, summary, openedAt, subagentId }: Request): OpenRequest {
  return {
    requestId,
    kind,
    summary,
    openedAt,
    ...(tool !== undefined && { tool }),
    ...(subagentId !== undefined && { subagentId }),
  }
}
