import { testHookTable, type Example } from '../../../test/fixtures/hooks/hook-examples.ts'
import { cursorHookTable } from './hook-table.ts'

const shell = {
  generation_id: 'g1',
  tool_name: 'Shell',
  tool_input: { command: 'ls' },
  tool_use_id: 'tool_1',
}
const prompt: Example = ['beforeSubmitPrompt', { prompt: 'go', generation_id: 'g1' }]
const started: Example = ['preToolUse', shell]
const asking = { generation_id: 'g1', tool_name: 'ask_question', tool_use_id: 'tool_2' }
const question = { ...asking, tool_input: { question: 'Which one?', options: ['a', 'b'] } }
const todos = {
  ...shell,
  tool_name: 'TodoWrite',
  tool_input: { todos: [{ content: 'mend the loop', status: 'pending' }] },
}
const rules = { ...shell, tool_name: 'fetch_rules' }
const subagent = { subagent_type: 'explore', task: 'Explore' }

testHookTable(
  'cursor',
  cursorHookTable,
  { conversation_id: 'c1', workspace_roots: ['/home/dev'] },
  {
    'sessionStart of another session while a turn is open': [
      prompt,
      ['sessionStart', { conversation_id: 'c2', session_id: 'c2' }],
    ],
    sessionEnd: [['sessionStart'], ['sessionEnd', { reason: 'completed' }]],
    beforeSubmitPrompt: [prompt],
    'beforeSubmitPrompt with another `generation_id` while a turn is open': [
      prompt,
      ['beforeSubmitPrompt', { prompt: 'again', generation_id: 'g2' }],
    ],
    preToolUse: [prompt, started],
    'preToolUse of ask_question': [prompt, ['preToolUse', question]],
    'preToolUse of fetch_rules': [prompt, ['preToolUse', rules]],
    postToolUse: [prompt, started, ['postToolUse', { ...shell, tool_output: '{"exitCode":0,"stdout":"a"}' }]],
    'postToolUse of a command with an exit code': [
      prompt,
      started,
      ['postToolUse', { ...shell, tool_output: '{"exitCode":2,"stdout":"a"}' }],
    ],
    'postToolUse of TodoWrite': [prompt, ['preToolUse', todos], ['postToolUse', todos]],
    'postToolUse of ask_question': [prompt, ['preToolUse', question], ['postToolUse', question]],
    postToolUseFailure: [prompt, started, ['postToolUseFailure', { ...shell, error_message: 'no' }]],
    afterAgentResponse: [prompt, ['afterAgentResponse', { text: 'Done.', generation_id: 'g1' }]],
    afterAgentThought: [prompt, ['afterAgentThought', { text: 'Hm.', generation_id: 'g1' }]],
    subagentStart: [prompt, ['subagentStart', { subagent_id: 'a1', ...subagent }]],
    subagentStop: [
      prompt,
      ['subagentStart', { subagent_id: 'a1', ...subagent }],
      ['subagentStop', { status: 'completed', ...subagent }],
    ],
    'subagentStop of none that runs': [prompt, ['subagentStop', { status: 'completed', ...subagent }]],
    stop: [prompt, ['stop', { status: 'aborted', generation_id: 'g1' }]],
  },
)
