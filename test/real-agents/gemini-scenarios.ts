import { join } from 'node:path'
import { call, fail, say } from '../fixtures/model/script.ts'
import type { AgentScenario } from './agents.ts'
import { commonScenarios, type Habits } from './common-scenarios.ts'
import { expectScenarios, type Expectations } from './expectations.ts'

const habits: Habits = {
  read: (file_path) => ({ name: 'read_file', input: { file_path } }),
  run: (command) => ({ name: 'run_shell_command', input: { command, description: 'Try it' } }),
  modelError: { reply: fail(400, 'broke'), shown: 'broke' },
  subagent: ({ project }) => [
    {
      when: /ask somebody/,
      answer: [
        call([
          { name: 'invoke_agent', input: { agent_name: 'generalist', prompt: 'look at the notes for me' } },
        ]),
        say('Somebody is done.'),
      ],
    },
    {
      when: /look at the notes for me/,
      answer: [
        call([{ name: 'read_file', input: { file_path: join(project, 'notes.txt') } }]),
        call([{ name: 'complete_task', input: { result: 'The notes say milk and bread.' } }]),
      ],
    },
  ],
  compact: { command: '/compress', shown: 'compressed' },
  clear: '/clear',
}
const expectations: Expectations = {}
export const geminiScenarios: readonly AgentScenario[] = expectScenarios(
  commonScenarios(habits),
  expectations,
)
