import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Books, logOf, mint, play, type PostedHook } from '../../test/fixtures/hooks/books.ts'
import { agentEventSchema } from '../protocol/index.ts'
import type { Adapter } from './adapter.ts'
import { agentHooks } from './hook-tables.ts'
import { adapters } from './index.ts'
import { restoreTracker, Tracker } from './tracking/tracker.ts'

type Body = Record<string, unknown>

function adapterOf(agent: string): Adapter {
  const adapter = adapters.get(agent)
  if (!adapter) throw new Error(`there is no adapter for ${agent}`)
  return adapter
}

/** Names of fields that some adapter reads, so that what is arbitrary is not passed over unread. */
const names = [
  'session_id sessionID conversation_id hook_event_name turn_id generation_id cwd type properties input output',
  'info part parts message id role text tool tool_name tool_input tool_use_id tool_output tool_response callID',
  'args state status error name data time start end metadata exit exitCode duration questions question options',
  'label todos plan items prompt prompt_response permission patterns requestID reply parentSessionID parentID',
  'agent_id subagent_id notification_type details workspace_roots reason source permission_mode synthetic',
].flatMap((line) => line.split(' '))
/** Values that some adapter goes by. */
const words = 'text tool user assistant completed running error retry idle bash plan question ask_question'
const telling = fc.oneof(
  fc.constantFrom(...words.split(' '), 'update_plan', 'request_user_input', '{"exitCode":', ''),
  fc.constantFrom(true, null, 0, -1, 1e308),
)
const { value: anyValue } = fc.letrec<{ value: unknown; body: Body }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    telling,
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('body'),
  ),
  body: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 8 }),
}))
const anyBody = fc.dictionary(fc.constantFrom(...names), anyValue, { maxKeys: 12 })

test.each(agentHooks)('no body makes the adapter of $agent throw: $title', ({ agent, rows }) => {
  const adapter = adapterOf(agent)
  const types = fc.oneof(fc.constantFrom(...new Set(rows.map(({ hook }) => hook))), fc.string())
  const hook = fc.record({ type: types, payload: anyBody, truncated: fc.boolean() })
  fc.assert(
    fc.property(fc.array(hook, { maxLength: 10 }), (posted) => {
      const tracker = new Tracker()
      for (const [index, { type, payload, truncated }] of posted.entries()) {
        adapter.nativeHookType(payload)
        const parsed = adapter.parse({ type, payload, at: index, ...(truncated && { truncated }) })
        expect(adapter.parse({ type, payload, at: index, ...(truncated && { truncated }) })).toEqual(parsed)
        for (const { event } of tracker.apply(parsed, index).events)
          expect(agentEventSchema.parse(event)).toEqual(event)
      }
    }),
    { numRuns: 150 },
  )
})

const pool = (...values: readonly string[]) => fc.constantFrom(...values)
const all = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Body> =>
  fc.tuple(...parts).map((values) => Object.assign({}, ...values))
const named = (name: string, ...values: readonly unknown[]) =>
  fc.constantFrom(...values).map((value) => (value === undefined ? {} : { [name]: value }))

type Kind = readonly [weight: number, type: string, body: fc.Arbitrary<Body>]

const codexBase = all(
  named('session_id', 's1', 's1', 's1', 's2'),
  named('turn_id', 't1', 't2', 't3', undefined),
)
const codexCall = all(
  codexBase,
  named('tool_name', 'Bash', 'apply_patch', 'request_user_input'),
  named('tool_input', { command: 'ls' }, { command: 'pwd' }, { questions: [{ question: 'Which?' }] }),
  named('tool_use_id', 'c1', 'c2', 'c3', 'c4'),
  named('agent_id', undefined, undefined, 'a1', 'a2'),
  named('permission_mode', 'default', 'plan'),
)
const codex: readonly Kind[] = [
  [4, 'UserPromptSubmit', all(codexBase, named('prompt', 'go', 'on'), named('agent_id', undefined, 'a1'))],
  [8, 'PreToolUse', codexCall],
  [8, 'PostToolUse', codexCall],
  [3, 'PermissionRequest', codexCall.map((call) => ({ ...call, tool_use_id: undefined }))],
  [
    3,
    'Stop',
    all(
      codexBase,
      named('last_assistant_message', 'x', 'y', undefined),
      named('stop_hook_active', true, false),
    ),
  ],
  [2, 'Interrupt', codexBase],
  [1, 'SubagentStart', all(codexBase, named('agent_id', 'a1', 'a2'))],
  [1, 'SubagentStop', all(codexBase, named('agent_id', 'a1', 'a2'))],
  [1, 'PreCompact', codexBase],
  [1, 'SessionStart', all(codexBase, named('source', 'startup', 'resume', 'compact'))],
  [1, 'SessionEnd', codexBase],
]

const cursorBase = all(
  named('conversation_id', 's1', 's1', 's1', 's2'),
  named('generation_id', 'g1', 'g2', 'g3', undefined),
)
const cursorCall = all(
  cursorBase,
  named('tool_name', 'Shell', 'Read', 'ask_question', 'fetch_rules'),
  named('tool_input', { command: 'ls', question: 'Which?' }, { command: 'pwd', question: 'What?' }),
  named('tool_use_id', 'c1', 'c2', 'c3', undefined),
)
const cursorSubagent = all(cursorBase, named('subagent_type', 'explore', 'plan'), named('task', 'x', 'y'))
const cursor: readonly Kind[] = [
  [4, 'beforeSubmitPrompt', all(cursorBase, named('prompt', 'go', 'on'))],
  [8, 'preToolUse', cursorCall],
  [8, 'postToolUse', cursorCall],
  [2, 'postToolUseFailure', cursorCall],
  [3, 'afterAgentResponse', all(cursorBase, named('text', 'x', 'y'))],
  [3, 'stop', all(cursorBase, named('status', 'completed', 'aborted', 'error'))],
  [2, 'subagentStart', all(cursorSubagent, named('subagent_id', 'a1', 'a2', 'a3'))],
  [2, 'subagentStop', all(cursorSubagent, named('status', 'completed', 'error'))],
  [1, 'sessionStart', cursorBase],
  [1, 'sessionEnd', cursorBase],
]

const ids = fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 1 }).map(([id = 0]) => `evt_${id}`)
const openCodeEvent = (
  weight: number,
  type: string,
  ...properties: readonly fc.Arbitrary<object>[]
): Kind => [
  weight,
  type,
  fc
    .record({
      id: ids,
      properties: all(named('sessionID', 'ses_1', 'ses_1', 'ses_1', 'ses_2'), ...properties),
      parent: fc.constantFrom(undefined, undefined, undefined, 'ses_1'),
    })
    .map(({ id, properties: fields, parent }) => ({
      id,
      type,
      properties: fields,
      // A session is a subagent of another one.
      ...(parent !== undefined && fields.sessionID === 'ses_2' && { parentSessionID: parent }),
    })),
]
const toolPart = fc
  .record({
    status: pool('pending', 'running', 'completed', 'error'),
    callID: pool('c1', 'c2', 'c3', 'c4'),
    command: pool('ls', 'pwd'),
  })
  .map(({ status, callID, command }) => ({
    part: {
      id: `prt_${callID}`,
      type: 'tool',
      tool: 'bash',
      callID,
      state: { status, input: { command }, error: 'no' },
    },
  }))
const textPart = fc
  .record({
    id: pool('p1', 'p2', 'p3'),
    messageID: pool('m1', 'm2', 'm3'),
    text: pool('x', 'y'),
    end: fc.boolean(),
    typed: fc.boolean(),
    synthetic: fc.boolean(),
  })
  .map(({ end, typed, synthetic, ...part }) => ({
    part: {
      type: 'text',
      ...part,
      ...(typed ? { synthetic } : { time: { start: 1, ...(end && { end: 2 }) } }),
    },
  }))
const openCode: readonly Kind[] = [
  openCodeEvent(8, 'message.part.updated', toolPart),
  openCodeEvent(8, 'message.part.updated', textPart),
  openCodeEvent(
    4,
    'session.status',
    named('status', { type: 'idle' }, { type: 'busy' }, { type: 'retry', message: 'no' }),
  ),
  openCodeEvent(2, 'session.idle'),
  openCodeEvent(1, 'session.error', named('error', { name: 'MessageAbortedError' }, { name: 'APIError' })),
  openCodeEvent(
    3,
    'permission.asked',
    named('id', 'per_1', 'per_2', 'per_3'),
    named('tool', { callID: 'c1' }, { callID: 'c2' }, undefined),
  ),
  openCodeEvent(
    3,
    'permission.replied',
    named('requestID', 'per_1', 'per_2', 'per_3'),
    named('reply', 'once', 'reject'),
  ),
  openCodeEvent(
    2,
    'question.asked',
    named('id', 'que_1', 'que_2'),
    named('questions', [{ question: 'Which?' }]),
  ),
  openCodeEvent(2, 'question.replied', named('requestID', 'que_1', 'que_2')),
  openCodeEvent(1, 'session.created', named('info', {}, { parentID: 'ses_1', id: 'ses_2' })),
  openCodeEvent(1, 'session.deleted'),
]

const geminiBase = named('session_id', 's1', 's1', 's1', 's2')
const geminiCall = all(
  geminiBase,
  named('tool_name', 'run_shell_command', 'read_file'),
  named('tool_input', { command: 'ls' }, { command: 'pwd' }),
)
const gemini: readonly Kind[] = [
  [4, 'BeforeAgent', all(geminiBase, named('prompt', 'go', 'on'))],
  [8, 'BeforeTool', geminiCall],
  [8, 'AfterTool', all(geminiCall, named('tool_response', { llmContent: 'x' }, { error: 'no' }))],
  [4, 'Notification', all(geminiBase, named('notification_type', 'ToolPermission', 'Other'))],
  [
    3,
    'AfterAgent',
    all(geminiBase, named('prompt_response', 'x', 'y'), named('stop_hook_active', true, false)),
  ],
  [1, 'SessionStart', all(geminiBase, named('source', 'startup', 'clear'))],
  [1, 'SessionEnd', all(geminiBase, named('reason', 'exit', 'clear'))],
]

const agents: readonly { agent: string; kinds: readonly Kind[] }[] = [
  { agent: 'codex', kinds: codex },
  { agent: 'cursor', kinds: cursor },
  { agent: 'opencode', kinds: openCode },
  { agent: 'gemini', kinds: gemini },
]

function hooksOf(kinds: readonly Kind[]): fc.Arbitrary<PostedHook> {
  const waitMs = fc.oneof(fc.constantFrom(0, 3, 40), fc.integer({ min: 500, max: 60_000 }))
  return fc.oneof(
    ...kinds.map(([weight, type, payload]) => ({
      weight,
      arbitrary: fc.record({ type: fc.constant(type), payload, waitMs }),
    })),
  )
}

test.each(agents)(
  'whatever the order of the hooks of $agent, starts and ends balance',
  ({ agent, kinds }) => {
    const adapter = adapterOf(agent)
    fc.assert(
      fc.property(fc.array(hooksOf(kinds), { maxLength: 60, size: 'max' }), (posted) => {
        const tracker = new Tracker(mint())
        const books = new Books()
        play(adapter, tracker, posted, { each: (output) => books.enter(output, tracker) })
        expect(books.problems).toEqual([])
      }),
      { numRuns: 200 },
    )
  },
)

/** Uses of tools without ids may be waited for, which no event tells; see `tracker-properties.test.ts`. */
const withIds = agents.filter(({ agent }) => agent === 'codex' || agent === 'opencode')

test.each(withIds)('restored from the log, the tracker of $agent goes on as before', ({ agent, kinds }) => {
  const adapter = adapterOf(agent)
  fc.assert(
    fc.property(fc.array(hooksOf(kinds), { maxLength: 40, size: 'max' }), fc.nat(40), (posted, cut) => {
      const mintId = mint()
      const whole = play(adapter, new Tracker(mint()), posted)
      const before = posted.slice(0, cut)
      const first = play(adapter, new Tracker(mintId), before)
      const passedMs = before.reduce((sum, { waitMs }) => sum + waitMs, 1_000)
      const restored = restoreTracker(logOf(first, before, agent), mintId)
      const second = play(adapter, restored, posted.slice(cut), { startAt: passedMs })
      expect([...first, ...second]).toEqual(whole)
    }),
    { numRuns: 200 },
  )
})
