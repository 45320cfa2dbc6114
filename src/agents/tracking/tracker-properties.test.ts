import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Books, logOf, mint, play, type PostedHook } from '../../../test/fixtures/hooks/books.ts'
import { createClaudeAdapter } from '../claude/parse.ts'
import { restoreTracker, Tracker } from './tracker.ts'

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

/** Hooks out of small pools, so that they meet: any order, ids missing or shared, sessions that move. */
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

test('whatever the order of the hooks, starts and ends balance and ids are unique', () => {
  fc.assert(
    fc.property(fc.array(hooks(anyCallId, anyPiece), { maxLength: 60 }), (posted) => {
      const tracker = new Tracker(mint())
      const books = new Books()
      play(adapter, tracker, posted, { each: (output) => books.enter(output, tracker) })
      expect(books.problems).toEqual([])
    }),
    { numRuns: 1_500 },
  )
})

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
      const whole = play(adapter, new Tracker(mint()), posted)
      const before = posted.slice(0, cut)
      const first = play(adapter, new Tracker(mintId), before)
      const passedMs = before.reduce((sum, { waitMs }) => sum + waitMs, 1_000)
      const restored = restoreTracker(logOf(first, before), mintId)
      const second = play(adapter, restored, posted.slice(cut), { startAt: passedMs })
      expect([...first, ...second]).toEqual(whole)
    }),
    { numRuns: 1_500 },
  )
})
