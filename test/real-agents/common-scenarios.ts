import { join } from 'node:path'
import { call, say, type ErrorReply, type Rule } from '../fixtures/model/script.ts'
import type { Scenario, Stage } from './scenario.ts'
import type { AgentSession } from './session.ts'
import type { PrivateHome } from './private-home.ts'

/** A use of a tool, as the model asks for it. */
export interface ToolUse {
  name: string
  input: Record<string, unknown>
}

/** What differs between agents when the same thing is done with them. */
export interface Habits {
  read: (path: string) => ToolUse
  /** A command that a person is asked about. */
  run: (command: string) => ToolUse
  modelError: { reply: ErrorReply; shown: string }
  subagent: (home: PrivateHome, stage: Stage) => readonly Rule[]
  /** The commands, and what shows that they were carried out. */
  compact: { command: string; shown: string }
  clear: string
}

/** The prompt that is given to every agent alike. */
export const readPrompt = 'please read file'

type Play = Omit<Scenario<AgentSession>, 'hooks'>

/** What every agent is put through, as far as it has it. */
export function commonScenarios(habits: Habits): readonly Play[] {
  const { read, run, modelError, subagent, compact, clear } = habits
  const hello: Rule = { when: /say hello/, answer: say('Hello there.') }
  const goOn: Rule = { when: /go on/, answer: say('Going on.') }

  async function ask(session: AgentSession, prompt: string, answer: string): Promise<void> {
    await session.submit(prompt)
    await session.waitForAnswer(answer)
  }

  return [
    {
      name: 'hello',
      rules: () => [hello],
      drive: (session) => ask(session, 'say hello', 'Hello there.'),
    },
    {
      name: 'read-file',
      rules: ({ project }) => [
        {
          when: /please read file/,
          answer: [call([read(join(project, 'notes.txt'))], 'Reading.'), say('Milk and bread.')],
        },
      ],
      drive: (session) => ask(session, readPrompt, 'Milk and bread.'),
    },
    {
      name: 'run-command',
      rules: () => [
        {
          when: /make a file/,
          answer: [call([run('touch made.txt')], 'Making it.'), say('The file is made.')],
        },
      ],
      async drive(session) {
        await session.submit('make a file')
        await session.approve('touch made.txt')
        await session.waitForAnswer('The file is made.')
      },
    },
    {
      name: 'two-tools',
      rules: ({ project }) => [
        {
          when: /read both/,
          answer: [
            call([read(join(project, 'notes.txt')), read(join(project, 'plan.txt'))]),
            say('Two lists, and five lines.'),
          ],
        },
      ],
      drive: (session) => ask(session, 'read both', 'Two lists, and five lines.'),
    },
    {
      name: 'failing-tool',
      rules: () => [
        {
          when: /break something/,
          answer: [call([run('echo broken >&2; exit 3')]), say('That went wrong.')],
        },
      ],
      async drive(session) {
        await session.submit('break something')
        await session.approve('exit 3')
        await session.waitForAnswer('That went wrong.')
      },
    },
    {
      name: 'model-error',
      rules: () => [{ when: /say hello/, answer: modelError.reply }],
      drive: (session) => ask(session, 'say hello', modelError.shown),
    },
    {
      name: 'interrupt',
      rules: () => [
        {
          when: /tell a story/,
          answer: say('Once upon a time there was a robot.', { breakOff: { afterChunks: 2, how: 'hang' } }),
        },
        goOn,
      ],
      async drive(session) {
        await session.submit('tell a story')
        await session.waitForScreen('Once upon a time')
        await session.interrupt()
        await ask(session, 'go on', 'Going on.')
      },
    },
    {
      name: 'compaction',
      rules: () => [hello, goOn],
      async drive(session) {
        await ask(session, 'say hello', 'Hello there.')
        await ask(session, compact.command, compact.shown)
        await ask(session, 'go on', 'Going on.')
      },
    },
    {
      name: 'clear',
      rules: () => [hello, goOn],
      async drive(session) {
        await ask(session, 'say hello', 'Hello there.')
        await session.submit(clear)
        await session.waitForScreen((screen) => !screen.includes('Hello there.'))
        await ask(session, 'go on', 'Going on.')
      },
    },
    { name: 'exit', rules: () => [], drive: () => Promise.resolve() },
    {
      name: 'subagent',
      rules: subagent,
      drive: (session) => ask(session, 'ask somebody', 'Somebody is done.'),
    },
  ]
}
