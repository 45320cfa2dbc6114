import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentEventEnvelopeSchema, agentEventSchema, type AgentEvent } from '../protocol/index.ts'
import { createClaudeAdapter } from './claude/parse.ts'
import { restoreTracker, Tracker, type LoggedEvent, type TrackerOutput } from './tracker.ts'

/** Hooks out of small pools, so that they meet: any order, ids missing or shared, sessions that move. */
interface PostedHook {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly waitMs: number
}

const adapter = createClaudeAdapter('claude')
type Part = fc.Arbitrary<Readonly<Record<string, unknown>>>
const pool = (...values: readonly string[]) => fc.constantFrom(...values)
const maybe = (name: string, ...values: readonly string[]) =>
  fc
    .option(pool(...values), { nil: undefined })
    .map((value) => (value === undefined ? {} : { [name]: value }))
const oneOf = (...parts: readonly Part[]) =>
  fc.tuple(...parts).map((values) => Object.fromEntries(values.flatMap((value) => Object.entries(value))))

const base = [
  pool('s1', 's1', 's1', 's2').map((session_id) => ({ session_id })),
  maybe('prompt_id', 'p1', 'p2', 'p3'),
]
const subagent = maybe('agent_id', 'a1', 'a2')
const inputs = pool('ls', 'pwd').map((command) => ({ tool_input: { command } }))
const tools = pool('Bash', 'Read').map((tool_name) => ({ tool_name }))

function hooks(callIds: Part, pieces: Part): fc.Arbitrary<PostedHook> {
  const call = [...base, tools, inputs, callIds, subagent]
  const kinds: readonly [weight: number, type: string, payload: fc.Arbitrary<Record<string, unknown>>][] = [
    [
      4,
      'UserPromptSubmit',
      oneOf(
        ...base,
        pool('go', 'on').map((prompt) => ({ prompt })),
      ),
    ],
    [8, 'PreToolUse', oneOf(...call)],
    [8, 'PostToolUse', oneOf(...call)],
    [2, 'PostToolUseFailure', oneOf(...call)],
    [3, 'PermissionRequest', oneOf(...base, tools, inputs, subagent)],
    [1, 'PermissionDenied', oneOf(...call)],
    [
      1,
      'PostToolBatch',
      oneOf(
        ...base,
        oneOf(tools, inputs, callIds).map((one) => ({ tool_calls: [one] })),
      ),
    ],
    [4, 'MessageDisplay', oneOf(...base, pieces, subagent)],
    [4, 'Stop', oneOf(...base, maybe('last_assistant_message', 'text of m1', 'text of m2', 'other'))],
    [1, 'StopFailure', oneOf(...base)],
    [
      1,
      'SubagentStart',
      oneOf(
        ...base,
        pool('a1', 'a2').map((agent_id) => ({ agent_id })),
      ),
    ],
    [
      1,
      'SubagentStop',
      oneOf(
        ...base,
        pool('a1', 'a2').map((agent_id) => ({ agent_id })),
      ),
    ],
    [
      1,
      'Notification',
      oneOf(
        ...base,
        pool('permission_prompt', 'x').map((type) => ({ notification_type: type })),
      ),
    ],
    [
      1,
      'SessionStart',
      oneOf(
        ...base,
        pool('startup', 'clear', 'compact').map((source) => ({ source })),
      ),
    ],
    [1, 'SessionEnd', oneOf(...base)],
    [
      1,
      'TaskCreated',
      oneOf(
        ...base,
        pool('1', '2').map((id) => ({ task_id: id, task_subject: `task ${id}` })),
      ),
    ],
    [1, 'PreToolUse', oneOf(...base, callIds, fc.constant(asking))],
    [1, 'PostToolUse', oneOf(...base, callIds, fc.constant(asking))],
    [1, 'PermissionRequest', oneOf(...base, fc.constant(asking))],
  ]
  return fc.oneof(
    ...kinds.map(([weight, type, payload]) => ({
      weight,
      arbitrary: fc.record({
        type: fc.constant(type),
        payload,
        waitMs: fc.oneof(fc.constantFrom(0, 3, 40), fc.integer({ min: 500, max: 60_000 })),
      }),
    })),
  )
}

const asking = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which?' }] } }
const anyCallId = maybe('tool_use_id', 't1', 't2', 't3', 't4')
const anyPiece = fc
  .record({ message_id: pool('m1', 'm2', 'm3'), index: fc.nat(2), final: fc.boolean() })
  .map((piece) => ({ ...piece, delta: `text of ${piece.message_id}` }))

function play(tracker: Tracker, posted: readonly PostedHook[], startAt = 1_000): TrackerOutput[] {
  let at = startAt
  return posted.map(({ type, payload, waitMs }) => {
    at += waitMs
    return tracker.apply(adapter.parse({ type, payload, at }), at)
  })
}

function mint(): () => string {
  let count = 0
  return () => `minted-${(count += 1)}`
}

test('whatever the order of the hooks, starts and ends balance and ids are unique', () => {
  fc.assert(
    fc.property(fc.array(hooks(anyCallId, anyPiece), { maxLength: 60 }), (posted) => {
      const tracker = new Tracker(mint())
      const books = new Books()
      let at = 1_000
      for (const { type, payload, waitMs } of posted) {
        at += waitMs
        books.enter(tracker.apply(adapter.parse({ type, payload, at }), at), tracker)
      }
      expect(books.problems).toEqual([])
    }),
    { numRuns: 1_500 },
  )
})

interface OpenActivity {
  readonly turnId: string | undefined
  readonly subagentId: string | undefined
}

/** Holds each output against all that came before. */
class Books {
  readonly problems: string[] = []
  readonly #turns = new Set<string>()
  readonly #activities = new Map<string, OpenActivity>()
  readonly #usedActivities = new Set<string>()
  readonly #requests = new Set<string>()
  readonly #usedRequests = new Set<string>()
  #turn: string | undefined

  enter({ events, closedRequests }: TrackerOutput, tracker: Tracker): void {
    for (const { event, turnId } of events) this.#enterEvent(event, turnId)
    const resolved = events.flatMap(({ event }) =>
      event.kind === 'permission.resolved' ? [event.request_id] : [],
    )
    for (const { requestId, decision } of closedRequests) {
      this.#hold(!resolved.includes(requestId) || decision !== undefined, 'a decision was told only once')
      this.#requests.delete(requestId)
    }
    const { state, openRequests } = tracker
    const permissions = openRequests.filter(({ kind }) => kind === 'permission')
    const open = permissions.map(({ requestId }) => requestId)
    this.#hold(open.join() === [...this.#requests].join(), 'the open requests are not those that were told')
    this.#hold(state.turnId === this.#turn, 'the open turn is not the one that was told')
    if (state.reason !== 'its session ended') return
    this.#hold(this.#activities.size === 0, 'an activity is open after the end of the session')
    this.#hold(openRequests.length === 0, 'a request is open after the end of the session')
    this.#hold(this.#turn === undefined, 'a turn is open after the end of the session')
  }

  #hold(truth: boolean, otherwise: string): void {
    if (!truth) this.problems.push(otherwise)
  }

  #enterEvent(event: AgentEvent, turnId: string | undefined): void {
    this.#hold(
      isDeepStrictEqual(agentEventSchema.parse(event), event),
      `${event.kind} has more than its fields`,
    )
    const subagentId = 'subagent_id' in event ? event.subagent_id : undefined
    switch (event.kind) {
      case 'turn.started':
        this.#hold(this.#turn === undefined, 'a turn started in another')
        this.#hold(turnId !== undefined && !this.#turns.has(turnId), 'a turn has no id of its own')
        if (turnId !== undefined) this.#turns.add(turnId)
        this.#turn = turnId
        break
      case 'turn.ended':
        this.#hold(turnId !== undefined && turnId === this.#turn, 'a turn ended that was not open')
        this.#turn = undefined
        this.#hold(
          [...this.#activities.values()].every((open) => open.subagentId !== undefined),
          'an activity of the main agent is open after its turn',
        )
        break
      case 'activity.started':
        this.#hold(!this.#usedActivities.has(event.activity.id), 'an activity has no id of its own')
        this.#hold(subagentId !== undefined || turnId === this.#turn, 'an activity is outside of its turn')
        this.#usedActivities.add(event.activity.id)
        this.#activities.set(event.activity.id, { turnId, subagentId })
        break
      case 'activity.finished':
      case 'activity.failed': {
        const open = this.#activities.get(event.activity.id)
        this.#hold(open !== undefined, 'an activity ended that was not open')
        this.#hold(open?.turnId === turnId, 'an activity ended in another turn')
        this.#hold(open?.subagentId === subagentId, 'an activity ended in another agent')
        this.#activities.delete(event.activity.id)
        break
      }
      case 'permission.requested':
        this.#hold(!this.#usedRequests.has(event.request_id), 'a request has no id of its own')
        this.#usedRequests.add(event.request_id)
        this.#requests.add(event.request_id)
        break
      case 'permission.resolved':
        this.#hold(this.#requests.delete(event.request_id), 'a request was resolved that was not open')
        break
      case 'message.user':
        this.#hold(turnId === this.#turn, 'a prompt is outside of its turn')
        break
      default:
        this.#hold(turnId === undefined || this.#turns.has(turnId), `${event.kind} is of a turn nobody knows`)
    }
  }
}

/**
 * What no event tells cannot be restored, so these hooks have none of it: pieces of messages, and calls without
 * ids, of which one hook may have been waited for.
 */
const restorable = hooks(
  pool('t1', 't2', 't3', 't4').map((tool_use_id) => ({ tool_use_id })),
  pool('m1', 'm2', 'm3').map((id) => ({ message_id: id, index: 0, final: true, delta: `text of ${id}` })),
)

test('restored from the log at any point, a tracker goes on as if nothing had happened', () => {
  fc.assert(
    fc.property(fc.array(restorable, { maxLength: 40 }), fc.nat(40), (posted, cut) => {
      const mintId = mint()
      const whole = play(new Tracker(mint()), posted)
      const before = posted.slice(0, cut)
      const first = play(new Tracker(mintId), before)
      const passedMs = before.reduce((sum, { waitMs }) => sum + waitMs, 1_000)
      const restored = restoreTracker(logOf(first, before), mintId)
      const second = play(restored, posted.slice(cut), passedMs)
      expect([...first, ...second]).toEqual(whole)
    }),
    { numRuns: 1_500 },
  )
})

/** The events as the log gives them back. */
function logOf(outputs: readonly TrackerOutput[], posted: readonly PostedHook[]): LoggedEvent[] {
  let at = 1_000
  return outputs.flatMap(({ events }, index) => {
    at += posted[index]?.waitMs ?? 0
    return events.map(({ event, turnId, sessionId, correlation }) => ({
      envelope: agentEventEnvelopeSchema.parse(
        JSON.parse(
          JSON.stringify({
            type: 'agent_event',
            agent: 'claude',
            ts: at,
            session_id: sessionId,
            turn_id: turnId,
            event,
          }),
        ),
      ),
      correlation,
    }))
  })
}
