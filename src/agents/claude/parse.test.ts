import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentEventSchema } from '../../protocol/index.ts'
import { adapters } from '../index.ts'
import { Tracker } from '../tracking/tracker.ts'
import { hookTable } from './hook-table.ts'
import { createClaudeAdapter } from './parse.ts'

const adapter = createClaudeAdapter('claude')
const hookTypes = [...new Set(hookTable.map((row) => row.hook))]

function eventsOf(type: string, payload: Record<string, unknown>, truncated = false) {
  const parsed = adapter.parse({ type, payload, at: 1, ...(truncated && { truncated }) })
  return new Tracker().apply(parsed, 1).events.map(({ event }) => event)
}

const names =
  `session_id prompt_id cwd tool_name tool_input tool_response tool_use_id agent_id agent_type message
  notification_type prompt delta index final message_id error last_assistant_message background_tasks assistant_text
  tool_calls questions todos source task_id task_subject requested_schema hook_event_name duration_ms reason
  __proto__`.split(/\s+/)
const tools = fc.constantFrom('Bash', 'AskUserQuestion', 'TodoWrite', 'TaskCreate', 'TaskUpdate', 'mcp__a__b')
const payloads = fc.dictionary(
  fc.oneof(fc.constantFrom(...names), fc.string()),
  fc.oneof(
    { maxDepth: 3 },
    fc.jsonValue({ maxDepth: 3 }),
    tools,
    fc.array(fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }), {
      maxLength: 3,
    }),
  ),
  { maxKeys: 12 },
)

test('whatever a body holds, nothing throws and every event is of the vocabulary', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.oneof(fc.constantFrom(...hookTypes), fc.string()), payloads, fc.boolean()), {
        maxLength: 8,
      }),
      (hooks) => {
        const tracker = new Tracker()
        for (const [index, [type, payload, truncated]] of hooks.entries()) {
          const parsed = adapter.parse({ type, payload, at: index, truncated })
          for (const { event } of tracker.apply(parsed, index).events)
            expect(agentEventSchema.parse(event)).toEqual(event)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('a body nested far deeper than any that gets here is read all the same', () => {
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
  const payload = { tool_name: 'Bash', tool_input: deep, tool_response: deep }
  expect(eventsOf('PostToolUse', payload).at(-1)?.kind).toBe('activity.finished')
})

test('texts are bounded', () => {
  const long = 'x'.repeat(300_000)
  const [, user] = eventsOf('UserPromptSubmit', { prompt: long })
  expect(user?.kind === 'message.user' && user.text).toHaveLength(100_000)
  const failed = eventsOf('PostToolUseFailure', { tool_name: long, error: long }).at(-1)
  expect(failed?.kind === 'activity.failed' && failed.error_message).toHaveLength(2_000)
  expect(failed?.kind === 'activity.failed' && failed.activity.tool).toHaveLength(256)
  const [, said] = eventsOf('Stop', { last_assistant_message: long })
  expect(said?.kind === 'message.assistant' && said.text).toHaveLength(100_000)
  const finished = eventsOf('PostToolUse', { tool_name: 'Bash', tool_response: { stdout: long } }).at(-1)
  expect(finished).toMatchObject({ content_length: 300_000 })
  expect(finished?.kind === 'activity.finished' && finished.output_preview).toHaveLength(500)
})

test('B20 a hook of which only the beginning was read still tells what it is', () => {
  const started = { tool_name: 'Write', tool_use_id: 't', tool_input: { file_path: '/a' }, session_id: 's' }
  const tracker = new Tracker()
  tracker.apply(adapter.parse({ type: 'PreToolUse', payload: started, at: 1 }), 1)
  const cut = {
    type: 'PostToolUse',
    payload: { tool_name: 'Write', session_id: 's' },
    at: 2,
    truncated: true,
  }
  expect(tracker.apply(adapter.parse(cut), 2).events.map(({ event }) => event)).toMatchObject([
    { kind: 'activity.finished', activity: { id: 't', summary: 'a' }, truncated: true },
  ])
  expect(eventsOf('ConfigChange', {}, true)).toEqual([{ kind: 'unknown', truncated: true }])
  expect(eventsOf('Stop', {}, true).at(-1)?.kind).toBe('turn.ended')
})

test('what seed A’s forwarder read in the transcript comes first, as thinking', () => {
  const payload = { tool_name: 'Read', assistant_text: [' I look. ', '', 7, 'Then I read.'] }
  expect(eventsOf('PreToolUse', payload)).toMatchObject([
    { kind: 'thinking', text: 'I look.' },
    { kind: 'thinking', text: 'Then I read.' },
    { kind: 'turn.started' },
    { kind: 'activity.started' },
  ])
  expect(eventsOf('Stop', { assistant_text: ['One.', 'Two.'] })).toMatchObject([
    { kind: 'turn.started' },
    { kind: 'message.assistant', text: 'Two.', final: true },
    { kind: 'turn.ended', last_assistant_text: 'Two.' },
  ])
})

test('a hook type nobody knows is unknown, and one that its body names is that', () => {
  expect(eventsOf('SomethingNew', {})).toEqual([{ kind: 'unknown' }])
  expect(eventsOf('constructor', {})).toEqual([{ kind: 'unknown' }])
  expect(eventsOf('unknown', { hook_event_name: 'PreCompact', trigger: 'manual' })).toEqual([
    { kind: 'context.compacting', trigger: 'manual' },
  ])
})

test('a native body names its hook itself', () => {
  expect(adapter.nativeHookType({ hook_event_name: 'Stop' })).toBe('Stop')
  expect(adapter.nativeHookType({ hook_type: 'Stop', payload: {} })).toBeUndefined()
  expect(adapter.nativeHookType({ hook_event_name: 7 })).toBeUndefined()
})

test('session, directory and what the hook does to its session are read', () => {
  const parse = (type: string, payload: Record<string, unknown>) => adapter.parse({ type, payload, at: 1 })
  const body = { session_id: 's', prompt_id: 'p', cwd: '/home/dev' }
  expect(parse('Notification', body)).toMatchObject({ sessionId: 's', group: 'p', directory: '/home/dev' })
  expect(parse('SessionStart', body).session).toBe('started')
  expect(parse('SessionEnd', { ...body, reason: 'other' }).session).toBe('ended')
  expect(parse('SessionEnd', { ...body, reason: 'clear' }).session).toBe('switched')
  expect(parse('Stop', { session_id: 7, cwd: ['/'] })).toEqual({
    facts: [{ type: 'turn-end', cause: 'completed' }],
  })
})

test.each([
  [{ error: 'Command timed out after 2m', is_interrupt: false }, 'timeout'],
  [{ error: 'stopped', is_interrupt: true }, 'interrupted'],
  [{ error: { message: 'Exit code 1' } }, 'error'],
  [{}, 'error'],
])('the failure %j is of the kind %s', (fields, kind) => {
  expect(eventsOf('PostToolUseFailure', { tool_name: 'Bash', ...fields }).at(-1)).toMatchObject({
    failure_kind: kind,
  })
})

test('an MCP server’s question has the choices its schema leaves', () => {
  const ask = (properties: unknown) =>
    eventsOf('Elicitation', { message: 'Deploy?', requested_schema: { properties } }).at(-1)
  expect(ask({ to: { enum: ['staging', 'live'] } })).toMatchObject({ options: ['staging', 'live'] })
  expect(ask({ to: { oneOf: [{ const: 's', title: 'Staging' }] } })).toMatchObject({ options: ['Staging'] })
  expect(ask({ sure: { type: 'boolean' } })).toMatchObject({ options: ['true', 'false'] })
  expect(ask({ a: { type: 'string' }, b: {} })).toEqual({ kind: 'agent.question', text: 'Deploy?' })
})

test('every agent has an adapter', () => {
  expect([...adapters.keys()]).toEqual(['claude', 'codex', 'cursor', 'opencode', 'gemini', 'simulator'])
  expect(adapters.get('simulator')?.agent).toBe('simulator')
})

test.each(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'SessionEnd'])(
  'a %s that Cursor ran is dropped, and leaves no session',
  (type) => {
    const payload = { hook_event_name: type, session_id: 's1', cwd: '/work', cursor_version: '3.18.25' }
    expect(createClaudeAdapter('claude').parse({ type, payload, at: 0 })).toEqual({ facts: [] })
  },
)
