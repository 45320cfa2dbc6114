import { join } from 'node:path'
import { call, fail, say } from '../fixtures/model/script.ts'
import type { AgentScenario } from './agents.ts'
import { commonScenarios, type Habits } from './common-scenarios.ts'
import { expectScenarios, type Expectations } from './expectations.ts'

const shell = (cmd: string, more = {}) => ({ name: 'exec_command', input: { cmd, ...more } })

const habits: Habits = {
  // Codex has no tool to read with: it reads with a command, which it does not ask about.
  read: (path) => shell(`cat ${path}`),
  run: (command) => shell(command, { sandbox_permissions: 'require_escalated', justification: 'May I?' }),
  modelError: { reply: fail(400, 'broke'), shown: 'broke' },
  subagent: ({ project }) => [
    {
      when: /ask somebody/,
      answer: [
        call([{ name: 'multi_agent_v1.spawn_agent', input: { message: 'look at the notes for me' } }]),
        ({ results }) => {
          const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(results[0]?.text ?? '')?.[0] ?? ''
          return call([{ name: 'multi_agent_v1.wait_agent', input: { targets: [id] } }])
        },
        say('Somebody is done.'),
      ],
    },
    // What became of the subagent is put into the conversation, as if it were typed.
    { when: /<subagent_notification>/, answer: say('Somebody is done.') },
    {
      when: /look at the notes for me/,
      answer: [call([shell(`cat ${join(project, 'notes.txt')}`)]), say('The notes say milk and bread.')],
    },
  ],
  compact: { command: '/compact', shown: 'Context compacted' },
  clear: '/new',
}
const expectations: Expectations = {}
export const codexScenarios: readonly AgentScenario[] = expectScenarios(commonScenarios(habits), expectations)
