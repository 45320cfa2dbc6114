import { expect, test } from 'vitest'
import { kindsOfLast, testHookTable, type Example } from '../../../test/fixtures/hooks/hook-examples.ts'
import { adapters } from '../index.ts'
import { hookTableOf } from './hook-table.ts'
import { builtInHarnesses } from './read-harnesses.ts'

const [gemini] = builtInHarnesses
const base = { session_id: 's1', cwd: '/home/dev' }
const shell = { tool_name: 'run_shell_command', tool_input: { command: 'ls', description: 'look around' } }
const prompt: Example = ['BeforeAgent', { prompt: 'go' }]
const started: Example = ['BeforeTool', shell]
const asked: Example = ['Notification', { notification_type: 'ToolPermission', message: 'Confirm it' }]

testHookTable('gemini', gemini ? hookTableOf(gemini.description) : [], base, {
  SessionStart: [['SessionStart', { source: 'startup' }]],
  'SessionEnd when `reason` is `clear`': [['SessionStart'], ['SessionEnd', { reason: 'clear' }]],
  SessionEnd: [['SessionStart'], ['SessionEnd', { reason: 'exit' }]],
  BeforeAgent: [prompt],
  AfterAgent: [prompt, ['AfterAgent', { prompt: 'go', prompt_response: 'Done.', stop_hook_active: false }]],
  BeforeTool: [prompt, started],
  AfterTool: [prompt, started, ['AfterTool', { ...shell, tool_response: { llmContent: 'a' } }]],
  'AfterTool with an error': [
    prompt,
    started,
    ['AfterTool', { ...shell, tool_response: { llmContent: 'a', error: { message: 'it broke' } } }],
  ],
  'Notification when `notification_type` is `ToolPermission`': [prompt, started, asked],
  Notification: [['Notification', { notification_type: 'Other', message: 'hello' }]],
})

test('the answer to a dialog is that the tool ran', () => {
  const ran: Example = ['AfterTool', { ...shell, tool_response: { llmContent: 'a' } }]
  expect(kindsOfLast('gemini', [prompt, started, asked, ran], base)).toEqual([
    'permission.resolved',
    'activity.finished',
  ])
})

test('the second and third SessionEnd are dropped', () => {
  const end: Example = ['SessionEnd', { reason: 'exit' }]
  expect(kindsOfLast('gemini', [['SessionStart'], end, end, end], base)).toEqual([])
})

test('tools have the kinds and the summaries of their like in other agents', () => {
  const adapter = adapters.get('gemini')
  const activityOf = (tool_name: string, tool_input: object) => {
    const parsed = adapter?.parse({ type: 'BeforeTool', payload: { ...base, tool_name, tool_input }, at: 0 })
    const fact = parsed?.facts[0]
    return fact?.type === 'activity' ? [fact.kind, fact.summary] : undefined
  }
  expect(activityOf('run_shell_command', { command: 'npm test' })).toEqual(['shell.exec', 'npm test'])
  expect(activityOf('read_file', { file_path: '/home/dev/main.ts' })).toEqual(['file.read', 'main.ts'])
  expect(activityOf('replace', { file_path: '/home/dev/main.ts' })).toEqual(['file.write', 'main.ts'])
  expect(activityOf('google_web_search', { query: 'loops' })).toEqual(['web.search', 'loops'])
  expect(activityOf('mcp_docs_search', { query: 'loops' })).toEqual(['mcp.call', 'docs_search'])
  expect(activityOf('constructor', {})).toEqual(['tool.unknown', ''])
})
