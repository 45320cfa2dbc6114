import { join } from 'node:path'
import { call, fail, say } from '../fixtures/model/script.ts'
import type { AgentScenario } from './agents.ts'
import { commonScenarios, type Habits } from './common-scenarios.ts'
import { expectScenarios, type Expectations } from './expectations.ts'

const read = (filePath: string) => ({ name: 'read', input: { filePath } })

const habits: Habits = {
  read,
  run: (command) => ({ name: 'bash', input: { command, description: 'Try it' } }),
  // OpenCode tries again without end after 400 and 500.
  modelError: { reply: fail(401, 'broke'), shown: 'broke' },
  subagent: ({ project }) => [
    {
      when: /ask somebody/,
      answer: [
        call([
          {
            name: 'task',
            input: {
              description: 'Look at it',
              prompt: 'look at the notes for me',
              subagent_type: 'general',
            },
          },
        ]),
        say('Somebody is done.'),
      ],
    },
    {
      when: /look at the notes for me/,
      answer: [call([read(join(project, 'notes.txt'))]), say('The notes say milk and bread.')],
    },
  ],
  compact: { command: '/compact', shown: 'The user tried a few things' },
  clear: '/new',
}
const expectations: Expectations = {}
export const openCodeScenarios: readonly AgentScenario[] = expectScenarios(
  commonScenarios(habits),
  expectations,
)
