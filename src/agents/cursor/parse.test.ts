import { expect, test } from 'vitest'
import { contact, idsOf, type Fields } from '../../../test/fixtures/hooks/contact.ts'
import { verifies } from '../../../test/requirements.ts'
import type { ActivityKind } from '../../protocol/index.ts'
import { cursorAdapter } from './parse.ts'

const base = { conversation_id: 'c1', generation_id: 'g1', workspace_roots: ['/home/dev'] }
const open = () => contact(undefined, cursorAdapter, base)
const shell = (command: string, more: Fields = {}): Fields => ({
  tool_name: 'Shell',
  tool_input: { command },
  tool_use_id: 'tool_1',
  ...more,
})

test('hooks of Cursor become events of the shared vocabulary' + verifies('A:agents.cursor'), () => {
  const { events, all } = open()
  events('sessionStart', { session_id: 'c1' })
  events('beforeSubmitPrompt', { prompt: 'mend it', attachments: [] })
  events('afterAgentThought', { text: 'hm' })
  events('preToolUse', shell('npm test'))
  events('postToolUse', shell('npm test', { tool_output: '{"exitCode":0,"stdout":"ok"}', duration: 5.4 }))
  events('preCompact', { trigger: 'manual', context_usage_percent: 85 })
  events('afterAgentResponse', { text: 'Mended.' })
  events('stop', { status: 'completed', loop_count: 0 })
  events('sessionEnd', { reason: 'window_close' })
  expect(all.map(({ event }) => event)).toMatchObject([
    { kind: 'session.started', cause: 'startup' },
    { kind: 'turn.started', prompt: 'mend it' },
    { kind: 'message.user', text: 'mend it' },
    { kind: 'thinking', text: 'hm' },
    { kind: 'activity.started', activity: { id: 'tool_1', kind: 'shell.exec', summary: 'npm test' } },
    { kind: 'activity.finished', activity: { id: 'tool_1' }, duration_ms: 5, output_preview: 'ok' },
    { kind: 'context.compacting', trigger: 'manual', context_usage_percent: 85 },
    { kind: 'message.assistant', text: 'Mended.', final: true },
    { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'Mended.' },
    { kind: 'session.ended', cause: 'window_close' },
  ])
  expect(all.slice(1, -1).map(({ turnId }) => turnId)).toEqual(Array(8).fill('g1'))
  expect(all.every(({ sessionId }) => sessionId === 'c1')).toBe(true)
})

const spellings: readonly [snake: string, pascal: string, kind: ActivityKind][] = [
  ['read_file', 'Read', 'file.read'],
  ['edit_file', 'Write', 'file.write'],
  ['delete_file', 'Delete', 'file.delete'],
  ['run_terminal_cmd', 'Shell', 'shell.exec'],
  ['grep_search', 'Grep', 'search.code'],
  ['semantic_search', 'SemanticSearch', 'search.code'],
  ['search_files', 'SearchFiles', 'search.files'],
  ['browser', 'Browser', 'web.fetch'],
  ['web_search', 'WebSearch', 'web.search'],
  ['image_generation', 'ImageGeneration', 'image.generate'],
  ['todo_write', 'TodoWrite', 'todo.write'],
  ['task', 'Task', 'subagent.spawn'],
  ['edit_notebook', 'EditNotebook', 'notebook.edit'],
  ['mcp__docs__search', 'MCP:search', 'mcp.call'],
]

test.each(spellings)('tools are known in both spellings: %s and %s', (snake, pascal, kind) => {
  const files = { file_path: '/home/dev/main.ts', command: 'ls', query: 'loop', pattern: 'loop', todos: [] }
  const input = { ...files, url: 'https://example.com/a', prompt: 'a house', subagent_type: 'explore' }
  const summaries = [snake, pascal].map((tool_name) => {
    const { events } = open()
    const [, started] = events('preToolUse', shell('', { tool_name, tool_input: input }))
    expect(started).toMatchObject({ activity: { kind, tool: tool_name } })
    return started && 'activity' in started ? started.activity?.summary : undefined
  })
  expect(summaries[0]).not.toBe('')
  expect(summaries[0]?.replace('docs__', '')).toBe(summaries[1])
})

test('a tool whose id has another name is paired all the same', () => {
  for (const name of ['tool_use_id', 'toolUseId', 'tool_call_id', 'toolCallId']) {
    const { events } = open()
    const call = { tool_name: 'Shell', tool_input: '{"command":"ls"}', [name]: 'x1' }
    expect(idsOf(events('preToolUse', call))).toEqual(['x1'])
    expect(events('postToolUse', { ...call, tool_input: { command: 'ls' } })).toMatchObject([
      { kind: 'activity.finished', activity: { id: 'x1', summary: 'ls' } },
    ])
  }
})

test.each([
  ['timeout', false, 'timeout'],
  ['permission_denied', false, 'permission_denied'],
  ['error', false, 'error'],
  ['error', true, 'interrupted'],
  ['anything', false, 'error'],
])('a failure of the type %s (interrupted: %s) is %s', (failure_type, is_interrupt, failure_kind) => {
  const { events } = open()
  events('preToolUse', shell('ls'))
  expect(
    events('postToolUseFailure', shell('ls', { failure_type, is_interrupt, error_message: 'no' })),
  ).toMatchObject([{ kind: 'activity.failed', failure_kind, error_message: 'no' }])
})

test.each(['completed', 'aborted', 'error'] as const)(
  'a stop with the status %s is the cause of the end',
  (status) => {
    const { events } = open()
    events('beforeSubmitPrompt', { prompt: 'go' })
    expect(events('stop', { status, error_message: 'overloaded' })).toMatchObject([
      { kind: 'turn.ended', cause: status, ...(status === 'error' && { error_message: 'overloaded' }) },
    ])
  },
)

test('a response that is told twice is told once, and said again it is told again', () => {
  const { events } = open()
  events('beforeSubmitPrompt', { prompt: 'go' })
  expect(events('afterAgentResponse', { text: 'Done.' })).toHaveLength(1)
  expect(events('afterAgentResponse', { text: 'Done.' })).toEqual([])
  events('stop', { status: 'completed' })
  events('beforeSubmitPrompt', { prompt: 'on', generation_id: 'g2' })
  expect(events('afterAgentResponse', { text: 'Done.', generation_id: 'g2' })).toHaveLength(1)
})

test('a question waits for its answer', () => {
  const { events, tracker } = open()
  const asking = { tool_name: 'ask_question', tool_use_id: 'q1' }
  events('beforeSubmitPrompt', { prompt: 'go' })
  const asked = { ...asking, tool_input: { prompt: 'Which?', suggestions: [{ text: 'a' }, 'b'] } }
  expect(events('preToolUse', asked)).toEqual([
    { kind: 'agent.question', text: 'Which?', options: ['a', 'b'] },
  ])
  expect(tracker.state).toMatchObject({ health: 'blocked', openRequests: 1 })
  expect(events('postToolUse', { ...asking, tool_input: { answered: true } })).toEqual([{ kind: 'unknown' }])
  expect(tracker.state).toMatchObject({ health: 'working', openRequests: 0 })
})

test('subagents that end without an id end in the order they began', () => {
  const { events } = open()
  events('beforeSubmitPrompt', { prompt: 'go' })
  for (const subagent_id of ['a1', 'a2', 'a3'])
    events('subagentStart', { subagent_id, subagent_type: 'explore', task: subagent_id === 'a2' ? 'y' : 'x' })
  const stop = (task: string) =>
    events('subagentStop', { subagent_type: 'explore', task, status: 'completed' })
  expect(stop('y')).toMatchObject([{ kind: 'subagent.finished', subagent_id: 'a2' }])
  expect(stop('x')).toMatchObject([{ subagent_id: 'a1' }])
  expect(stop('something else')).toMatchObject([{ subagent_id: 'a3' }])
  expect(stop('x')).toEqual([])
})
