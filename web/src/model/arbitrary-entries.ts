import fc from 'fast-check'
import type { AgentEvent, LogEntry } from '../../../src/protocol/index.ts'

const ids = fc.constantFrom('1', '2', '3')
const texts = fc.constantFrom('a', 'b', 'Ready. Publish?')
const activity = fc.record({
  id: ids,
  kind: fc.constantFrom('shell.exec' as const, 'file.read' as const),
  tool: fc.constantFrom('Bash', 'Read'),
  summary: texts,
})
const subagent = fc.option(fc.record({ subagent_id: ids }), { nil: {} })

const anyEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ kind: fc.constant('session.started' as const) }),
  fc.record({ kind: fc.constant('session.ended' as const) }),
  fc.record({ kind: fc.constant('turn.started' as const), prompt: texts }),
  fc.record({ kind: fc.constant('turn.ended' as const), last_assistant_text: texts }),
  fc.record({ kind: fc.constant('message.user' as const), text: texts }),
  fc.record({ kind: fc.constant('message.assistant' as const), text: texts, final: fc.boolean() }),
  fc.record({ kind: fc.constant('thinking' as const), text: texts }),
  fc
    .tuple(activity, subagent)
    .map(([activity, more]) => ({ kind: 'activity.started' as const, activity, ...more })),
  fc
    .tuple(activity, subagent)
    .map(([activity, more]) => ({ kind: 'activity.finished' as const, activity, ...more })),
  fc.record({ kind: fc.constant('activity.failed' as const), activity, error_message: texts }),
  fc.record({ kind: fc.constant('permission.requested' as const), request_id: ids, activity }),
  fc.record({
    kind: fc.constant('permission.resolved' as const),
    request_id: ids,
    decision: fc.constantFrom('allow' as const, 'deny' as const),
  }),
  fc.record({
    kind: fc.constant('todo.updated' as const),
    items: fc.array(
      fc.record({ text: texts, status: fc.constantFrom('pending' as const, 'completed' as const) }),
    ),
  }),
  fc.record({ kind: fc.constant('subagent.started' as const), subagent_id: ids }),
  fc.record({ kind: fc.constant('subagent.finished' as const), subagent_id: ids }),
  fc.record({ kind: fc.constant('notification' as const), text: texts }),
  fc.record({ kind: fc.constant('unknown' as const) }),
)

const contacts = fc.option(fc.constantFrom('vint', 'otter'), { nil: undefined })

type Unplaced = Omit<LogEntry, 'seq'> & { type: string }
const anyFrame: fc.Arbitrary<Unplaced> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .record({ event: anyEvent, contact: contacts, turn_id: fc.option(ids, { nil: undefined }) })
      .map((fields) => ({ type: 'agent_event', agent: 'claude', session_id: 's1', ...fields })),
  },
  fc.record({ type: fc.constant('permission_request'), request_id: ids, contact: contacts }),
  fc.record({ type: fc.constant('permission_resolved'), request_id: ids, by: texts, contact: contacts }),
  fc.record({ type: fc.constant('inbound_message'), content: texts }),
  fc.record({ type: fc.constant('startVerb') }),
)

/** Any log: entries with rising places and times, of two contacts and of none, with and without turn ids. */
export const anyLog: fc.Arbitrary<LogEntry[]> = fc
  .array(fc.tuple(anyFrame, fc.integer({ min: 1, max: 3 })), { maxLength: 120 })
  .map((frames) => {
    let seq = 0
    return frames.map(([frame, step]) => {
      seq += step
      return { ...frame, seq, ts: 1_700_000_000_000 + (seq >> 1) * 1_000 }
    })
  })

/** The same list in portions, empty ones included. */
export function inPortions<T>(list: readonly T[]): fc.Arbitrary<T[][]> {
  return fc
    .array(fc.integer({ min: 0, max: list.length }), { maxLength: 8 })
    .map((cuts) => [0, ...cuts.toSorted((a, b) => a - b), list.length])
    .map((cuts) => cuts.slice(1).map((end, index) => list.slice(cuts[index], end)))
}
