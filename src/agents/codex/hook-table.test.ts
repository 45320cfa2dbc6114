import { expect, test } from 'vitest'
import { testHookTable, type Example } from '../../../test/fixtures/hooks/hook-examples.ts'
import { codexHookTable } from './hook-table.ts'

const bash = { turn_id: 't1', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call_1' }
const prompt: Example = ['UserPromptSubmit', { prompt: 'go', turn_id: 't1' }]
const started: Example = ['PreToolUse', bash]
const requested: Example = [
  'PermissionRequest',
  { turn_id: 't1', tool_name: 'Bash', tool_input: { command: 'ls', description: 'to look around' } },
]
const stopped: Example = ['Stop', { turn_id: 't1', last_assistant_message: 'Done.' }]
const asking = {
  turn_id: 't1',
  permission_mode: 'plan',
  tool_name: 'request_user_input',
  tool_input: { questions: [{ question: 'Which colour?', options: [{ label: 'Red' }] }] },
  tool_use_id: 'call_2',
}
const plan = {
  turn_id: 't1',
  tool_name: 'update_plan',
  tool_input: { plan: [{ step: 'mend the loop', status: 'in_progress' }] },
  tool_use_id: 'call_3',
}
const subagent = { agent_id: 'a1', agent_type: 'explorer' }

testHookTable(
  'codex',
  codexHookTable,
  { session_id: 's1', cwd: '/home/dev' },
  {
    SessionStart: [['SessionStart', { source: 'startup' }]],
    'SessionStart of another session while a turn is open': [
      prompt,
      ['SessionStart', { source: 'resume', session_id: 's2' }],
    ],
    'SessionEnd while an activity waits for a permission': [prompt, started, requested, ['SessionEnd']],
    UserPromptSubmit: [prompt],
    'UserPromptSubmit with the `turn_id` of the open turn': [
      prompt,
      ['UserPromptSubmit', { prompt: 'and then', turn_id: 't1' }],
    ],
    'UserPromptSubmit with another `turn_id` while a turn is open': [
      prompt,
      ['UserPromptSubmit', { prompt: 'again', turn_id: 't2' }],
    ],
    'UserPromptSubmit of a subagent': [
      prompt,
      ['UserPromptSubmit', { prompt: 'look around', turn_id: 't7', ...subagent }],
    ],
    PreToolUse: [prompt, started],
    'PreToolUse after its Stop, without a prompt': [prompt, stopped, started],
    'PreToolUse of request_user_input in plan mode': [prompt, ['PreToolUse', asking]],
    PostToolUse: [prompt, started, ['PostToolUse', bash]],
    'PostToolUse before its PreToolUse': [prompt, ['PostToolUse', bash]],
    'PostToolUse after a PermissionRequest': [prompt, started, requested, ['PostToolUse', bash]],
    'PostToolUse of TodoWrite or update_plan': [prompt, ['PreToolUse', plan], ['PostToolUse', plan]],
    'PostToolUse with an `error`': [prompt, started, ['PostToolUse', { ...bash, error: 'it broke' }]],
    PermissionRequest: [prompt, started, requested],
    SubagentStart: [prompt, ['SubagentStart', subagent]],
    SubagentStop: [prompt, ['SubagentStart', subagent], ['SubagentStop', subagent]],
    Stop: [prompt, stopped],
    'Stop again in the same turn, with `stop_hook_active`': [
      prompt,
      stopped,
      ['Stop', { turn_id: 't1', last_assistant_message: 'Done.', stop_hook_active: true }],
    ],
    'Stop after a PermissionRequest': [prompt, started, requested, stopped],
    Interrupt: [prompt, ['Interrupt', { turn_id: 't1' }]],
    'Interrupt while no turn is open': [prompt, stopped, ['Interrupt', { turn_id: 't1' }]],
  },
)

test('the hooks are those that Codex has schemas for, and its notification', () => {
  expect([...new Set(codexHookTable.map((row) => row.hook))].sort()).toEqual([
    'Interrupt',
    'PermissionRequest',
    'PostCompact',
    'PostToolUse',
    'PreCompact',
    'PreToolUse',
    'SessionEnd',
    'SessionStart',
    'Stop',
    'SubagentStart',
    'SubagentStop',
    'UserPromptSubmit',
    'agent-turn-complete',
    'notify',
  ])
})
