import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listOf } from '../fields.ts'
import { Tracker } from '../tracking/tracker.ts'
import { renderHookTable } from '../hook-table.ts'
import { hookTable } from './hook-table.ts'
import { createClaudeAdapter } from './parse.ts'

type Example = readonly [type: string, fields?: Record<string, unknown>]

const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' }
const asking = {
  tool_name: 'AskUserQuestion',
  tool_input: { questions: [{ question: 'Which colour?', options: [{ label: 'Red' }] }] },
  tool_use_id: 'toolu_2',
}
const prompt: Example = ['UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' }]
const started: Example = ['PreToolUse', { ...bash, prompt_id: 'p1' }]
const requested: Example = ['PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } }]
const shown: Example = ['MessageDisplay', { message_id: 'm1', index: 0, final: true, delta: 'Done.' }]
const stopped: Example = ['Stop', { prompt_id: 'p1', last_assistant_message: 'Done.' }]
const batch: Example = ['PostToolBatch', { tool_calls: [{ ...bash, tool_response: 'no' }] }]
const needsYou = { message: 'Claude needs your permission', notification_type: 'permission_prompt' }

/** For each row the hooks that lead to it, and last the hook it is about. */
const examples: Record<string, readonly Example[]> = {
  SessionStart: [['SessionStart', { source: 'resume' }]],
  'SessionStart of another session while a turn is open': [
    prompt,
    ['SessionStart', { source: 'clear', session_id: 's2' }],
  ],
  SessionEnd: [['SessionEnd', { reason: 'other' }]],
  'SessionEnd while an activity waits for a permission': [
    prompt,
    started,
    requested,
    ['SessionEnd', { reason: 'other' }],
  ],
  UserPromptSubmit: [prompt],
  'UserPromptSubmit while a turn with the same `prompt_id` is open': [
    prompt,
    ['UserPromptSubmit', { prompt: 'and then', prompt_id: 'p1' }],
  ],
  'UserPromptSubmit while a turn with another `prompt_id` is open': [
    prompt,
    ['UserPromptSubmit', { prompt: 'stop that', prompt_id: 'p2' }],
  ],
  'UserPromptSubmit with a `<task-notification>`': [
    ['UserPromptSubmit', { prompt: '<task-notification>\n<task-id>a1</task-id>' }],
  ],
  PreToolUse: [prompt, started],
  'PreToolUse after its Stop, without a prompt': [prompt, stopped, started],
  'PreToolUse of AskUserQuestion': [prompt, ['PreToolUse', asking]],
  'PreToolUse of Cursor, with a `cursor_version`': [['PreToolUse', { ...bash, cursor_version: '3.18.25' }]],
  PostToolUse: [prompt, started, ['PostToolUse', bash]],
  'PostToolUse before its PreToolUse': [prompt, ['PostToolUse', bash]],
  'PostToolUse after a PermissionRequest': [prompt, started, requested, ['PostToolUse', bash]],
  'PostToolUse of TodoWrite, TaskCreate or TaskUpdate': [
    prompt,
    ['PreToolUse', { tool_name: 'TodoWrite', tool_use_id: 't' }],
    [
      'PostToolUse',
      {
        tool_name: 'TodoWrite',
        tool_use_id: 't',
        tool_input: { todos: [{ content: 'a', status: 'pending' }] },
      },
    ],
  ],
  PostToolUseFailure: [prompt, started, ['PostToolUseFailure', { ...bash, error: 'Exit code 1' }]],
  PostToolBatch: [prompt, started, ['PostToolUse', bash], batch],
  'PostToolBatch with a call that has not ended': [prompt, started, batch],
  'PostToolBatch with a call whose permission was asked': [prompt, started, requested, batch],
  PermissionRequest: [prompt, started, requested],
  'PermissionRequest of AskUserQuestion, after its PreToolUse': [
    prompt,
    ['PreToolUse', asking],
    ['PermissionRequest', { tool_name: asking.tool_name, tool_input: asking.tool_input }],
  ],
  PermissionDenied: [prompt, started, ['PermissionDenied', { ...bash, reason: 'outside the project' }]],
  'PermissionDenied after a PermissionRequest': [prompt, started, requested, ['PermissionDenied', bash]],
  Notification: [['Notification', { message: 'Claude needs your permission to use Bash' }]],
  'Notification "Claude is waiting for your input" or `idle_prompt`': [
    ['Notification', { message: 'Claude is waiting for your input' }],
  ],
  'Notification `permission_prompt` or `elicitation_dialog` while a request is open': [
    prompt,
    started,
    requested,
    ['Notification', needsYou],
  ],
  'Notification `permission_prompt` while no request is open': [prompt, started, ['Notification', needsYou]],
  MessageDisplay: [prompt, shown],
  'MessageDisplay with a piece that is not the last': [
    prompt,
    ['MessageDisplay', { message_id: 'm1', index: 0, final: false, delta: 'Do' }],
  ],
  'MessageDisplay with the text that Stop brought before': [prompt, stopped, shown],
  Stop: [prompt, stopped],
  'Stop with the text that was displayed last': [prompt, shown, stopped],
  'Stop of a queued prompt, as its first hook': [
    prompt,
    ['UserPromptSubmit', { prompt: 'and then', prompt_id: 'p1' }],
    stopped,
    ['Stop', { prompt_id: 'p2', last_assistant_message: 'Then.' }],
  ],
  StopFailure: [prompt, ['StopFailure', { error: 'rate_limit' }]],
  SubagentStart: [prompt, ['SubagentStart', { agent_id: 'a1', agent_type: 'Explore' }]],
  SubagentStop: [
    prompt,
    ['SubagentStart', { agent_id: 'a1', agent_type: 'Explore' }],
    ['SubagentStop', { agent_id: 'a1', agent_type: 'Explore' }],
  ],
  'SubagentStop with an empty `agent_type`': [['SubagentStop', { agent_id: 'a2', agent_type: '' }]],
  PreCompact: [['PreCompact', { trigger: 'auto' }]],
  TaskCreated: [['TaskCreated', { task_id: '1', task_subject: 'Mend the loop' }]],
  TaskCompleted: [
    ['TaskCreated', { task_id: '1', task_subject: 'Mend the loop' }],
    ['TaskCompleted', { task_id: '1', task_subject: 'Mend the loop' }],
  ],
  Elicitation: [
    prompt,
    ['Elicitation', { mcp_server_name: 'db', mode: 'form', message: 'Which table?', requested_schema: {} }],
  ],
  ElicitationResult: [
    prompt,
    ['Elicitation', { mcp_server_name: 'db', message: 'Which table?' }],
    ['ElicitationResult', { mcp_server_name: 'db', action: 'accept' }],
  ],
}

const nameOf = ({ hook, when }: { hook: string; when?: string }) =>
  when === undefined ? hook : `${hook} ${when}`

test.each(hookTable.map((row) => [nameOf(row), row] as const))('%s', (name, row) => {
  const hooks = examples[name] ?? [[row.hook] as const]
  expect(hooks.at(-1)?.[0]).toBe(row.hook)
  const adapter = createClaudeAdapter('claude')
  const tracker = new Tracker()
  const kinds = hooks.map(([type, fields], index) => {
    const payload = { session_id: 's1', cwd: '/home/dev', ...fields }
    const output = tracker.apply(adapter.parse({ type, payload, at: index * 20 }), index * 20)
    return output.events.map(({ event }) => event.kind)
  })
  expect(kinds.at(-1)).toEqual(row.becomes)
})

test('every example belongs to a row', () => {
  const names = new Set(hookTable.map(nameOf))
  expect(Object.keys(examples).filter((name) => !names.has(name))).toEqual([])
})

test('every hook event that the binary has is in the table', () => {
  const recorded = join(
    import.meta.dirname,
    '../../../test/fixtures/payloads/claude/2.1.332/hook-events.json',
  )
  const events: unknown = JSON.parse(readFileSync(recorded, 'utf8'))
  expect([...new Set(hookTable.map((row) => row.hook))].sort()).toEqual(listOf(events).map(String).sort())
})

test('the table becomes one Markdown row each', () => {
  const lines = renderHookTable(hookTable).split('\n')
  expect(lines).toHaveLength(hookTable.length + 2)
  expect(lines).toContain(
    '| `PostToolBatch` | nothing | Each call of the batch was told by hooks of its own. |',
  )
})
