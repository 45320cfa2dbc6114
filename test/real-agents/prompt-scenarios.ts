import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '../fixtures/model/script.ts'
import { STEP_BOUND_MS } from './bounds.ts'
import { keys } from './pty.ts'
import type { Scenario } from './scenario.ts'

/** What else happens at the input line every day; recorded for the adapter. */
export const promptScenarios: readonly Scenario[] = [
  {
    name: 'queued-prompt',
    rules: (_home, stage) => [
      {
        when: /take your time/,
        answer: async () => {
          await stage.opened
          return say('I took my time.')
        },
      },
      { when: /and then/, answer: say('Then this.') },
    ],
    async drive(session, stage) {
      session.submit('take your time')
      // A prompt typed before the hook of the first has run is reported only when its own turn begins.
      await stage.arrival('UserPromptSubmit')
      session.submit('and then')
      await stage.arrival('UserPromptSubmit', 2)
      stage.open()
      await session.waitForAnswer('Then this.')
    },
    // The queued prompt is reported when it is typed, before the turn it waits for has ended.
    hooks: {
      inOrder: 'SessionStart UserPromptSubmit UserPromptSubmit Stop Stop SessionEnd',
      anywhere: 'MessageDisplay MessageDisplay',
    },
  },
  {
    name: 'prompt-withdrawn',
    rules: () => [{ when: /say hello/, answer: { kind: 'hang' } }],
    async drive(session, stage) {
      session.submit('say hello')
      await stage.arrival('UserPromptSubmit')
      // Before the answer has begun Esc takes the prompt back into the input line, where it is deleted.
      session.terminal.send(keys.escape)
      await session.terminal.waitForScreen((screen) => !screen.includes('esc to interrupt'), STEP_BOUND_MS)
      await session.terminal.pressUntil(keys.ctrlU, (screen) => !screen.includes('say hello'), STEP_BOUND_MS)
    },
    hooks: { inOrder: 'SessionStart UserPromptSubmit SessionEnd' },
  },
  {
    name: 'long-answer',
    rules: () => [
      {
        when: /tell me a lot/,
        answer: say('First there was flour.\n\nThen came water:\n\n- warm\n- clean\n\nAt last it was bread.'),
      },
    ],
    async drive(session) {
      session.submit('tell me a lot')
      await session.waitForAnswer('At last it was bread.')
    },
    // A message is displayed in pieces of whole lines, as many as its streaming took.
    hooks: {
      inOrder: 'SessionStart UserPromptSubmit Stop SessionEnd',
      anywhere: 'MessageDisplay+',
    },
  },
  {
    name: 'slash-command',
    async prepare({ project }) {
      const commands = join(project, '.claude', 'commands')
      await mkdir(commands, { recursive: true })
      await writeFile(join(commands, 'greet.md'), 'Greet $ARGUMENTS kindly.\n')
      await writeFile(join(project, 'CLAUDE.md'), 'Be kind.\n')
    },
    rules: () => [{ when: /Greet Bob kindly/, answer: say('Good morning, Bob.') }],
    async drive(session) {
      session.submit('/greet Bob')
      await session.waitForAnswer('Good morning, Bob.')
    },
    hooks: {
      inOrder: '{SessionStart InstructionsLoaded} UserPromptSubmit UserPromptExpansion Stop SessionEnd',
      anywhere: 'MessageDisplay',
    },
  },
  {
    name: 'shell-line',
    rules: () => [{ when: /<bash-stdout>/, answer: say('Two files.') }],
    async drive(session) {
      session.submit('! ls')
      await session.waitForAnswer('Two files.')
    },
    // A line for the shell is answered by the model in a turn that no prompt began.
    hooks: { inOrder: 'SessionStart Stop SessionEnd', anywhere: 'MessageDisplay' },
  },
  {
    name: 'switch-model',
    rules: () => [],
    async drive(session) {
      session.submit('/model sonnet')
      await session.waitForAnswer('Set model to')
    },
    hooks: { inOrder: 'SessionStart PreModelSwitch PostModelSwitch SessionEnd' },
  },
]
