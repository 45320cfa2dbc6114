import { join } from 'node:path'
import { call, fail, say, type Rule } from '../fixtures/model/script.ts'
import { STEP_BOUND_MS } from './bounds.ts'
import { keys } from './pty.ts'
import type { Scenario } from './scenario.ts'

const hello: Rule = { when: /say hello/, answer: say('Hello there.') }
const goOn: Rule = { when: /go on/, answer: say('Going on.') }

const tool = 'PreToolUse PostToolUse PostToolBatch'
const turn = 'UserPromptSubmit Stop'

/** The eleven scenarios of the spine (issue 2, slice E). */
export const scenarios: readonly Scenario[] = [
  {
    name: 'hello',
    rules: () => [hello],
    async drive(session) {
      session.submit('say hello')
      await session.waitForAnswer('Hello there.')
    },
    hooks: { inOrder: `SessionStart ${turn} SessionEnd`, anywhere: 'MessageDisplay' },
  },
  {
    name: 'read-file',
    rules: ({ project }) => [
      {
        when: /read the notes/,
        answer: [
          call([{ name: 'Read', input: { file_path: join(project, 'notes.txt') } }], 'Reading.'),
          say('Milk and bread.'),
        ],
      },
    ],
    async drive(session) {
      session.submit('please read the notes')
      await session.waitForAnswer('Milk and bread.')
    },
    hooks: {
      inOrder: `SessionStart UserPromptSubmit ${tool} Stop SessionEnd`,
      anywhere: 'MessageDisplay MessageDisplay',
    },
  },
  {
    name: 'run-command',
    rules: () => [
      {
        when: /make a file/,
        answer: [
          call(
            [{ name: 'Bash', input: { command: 'touch made.txt', description: 'Make a file' } }],
            'Making it.',
          ),
          say('The file is made.'),
        ],
      },
    ],
    async drive(session) {
      session.submit('make a file')
      await session.approve('touch made.txt')
      await session.waitForAnswer('The file is made.')
    },
    hooks: {
      inOrder:
        'SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PostToolBatch Stop SessionEnd',
      anywhere: 'MessageDisplay MessageDisplay',
    },
  },
  {
    name: 'two-tools',
    rules: ({ project }) => [
      {
        when: /read and count/,
        answer: [
          call([
            { name: 'Read', input: { file_path: join(project, 'notes.txt') } },
            { name: 'Bash', input: { command: 'wc -l plan.txt', description: 'Count the lines' } },
          ]),
          say('Two things, and three lines.'),
        ],
      },
    ],
    async drive(session) {
      session.submit('read and count')
      await session.waitForAnswer('Two things, and three lines.')
    },
    hooks: {
      inOrder: `SessionStart UserPromptSubmit {PreToolUse PreToolUse PostToolUse PostToolUse} PostToolBatch
        Stop SessionEnd`,
      anywhere: 'MessageDisplay',
    },
  },
  {
    name: 'failing-tool',
    rules: () => [
      {
        when: /break something/,
        answer: [
          call([
            { name: 'Bash', input: { command: 'echo broken >&2; exit 3', description: 'Break something' } },
          ]),
          say('That went wrong.'),
        ],
      },
    ],
    async drive(session) {
      session.submit('break something')
      await session.approve('exit 3')
      await session.waitForAnswer('That went wrong.')
    },
    hooks: {
      inOrder: `SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUseFailure PostToolBatch
        Stop SessionEnd`,
      anywhere: 'MessageDisplay',
    },
  },
  {
    name: 'model-error',
    // Claude tries again after 529 twice and then gives up; after other errors it goes on for minutes.
    rules: () => [{ when: /say hello/, answer: fail(529, 'Overloaded') }],
    async drive(session) {
      session.submit('say hello')
      await session.waitForAnswer('529 Overloaded')
    },
    hooks: { inOrder: 'SessionStart UserPromptSubmit StopFailure SessionEnd' },
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
      session.submit('tell a story')
      // Not before the answer has begun: an earlier Esc takes the prompt back into the input line.
      await session.terminal.waitForScreen(/↓ \d+ tokens/, STEP_BOUND_MS)
      session.terminal.send(keys.escape)
      await session.waitForAnswer('Interrupted')
      session.submit('go on')
      await session.waitForAnswer('Going on.')
    },
    // Nothing tells of the interrupt: the next prompt is all that shows it.
    hooks: { inOrder: `SessionStart UserPromptSubmit ${turn} SessionEnd`, anywhere: 'MessageDisplay' },
  },
  {
    name: 'subagent',
    rules: ({ project }, stage) => [
      {
        when: /ask somebody/,
        answer: [
          call([
            {
              name: 'Agent',
              input: {
                description: 'Look at the notes',
                prompt: 'look at the notes for me',
                subagent_type: 'general-purpose',
              },
            },
          ]),
          say('Somebody looks at it.'),
        ],
      },
      {
        when: /look at the notes for me/,
        answer: [
          async () => {
            await stage.opened
            return call([{ name: 'Read', input: { file_path: join(project, 'notes.txt') } }])
          },
          say('The notes say milk and bread.'),
        ],
      },
      { when: /<task-notification>/, answer: say('Somebody is done.') },
    ],
    async drive(session, stage) {
      session.submit('ask somebody')
      // The subagent goes on after the turn that started it: else its end would race with the end of the turn.
      await session.terminal.waitForScreen(/Waiting for 1 background agent/, STEP_BOUND_MS)
      stage.open()
      await session.waitForAnswer('Somebody is done.')
    },
    hooks: {
      inOrder: `SessionStart UserPromptSubmit PreToolUse {SubagentStart PostToolUse} PostToolBatch Stop
        ${tool} SubagentStop ${turn} SessionEnd`,
      anywhere: 'MessageDisplay MessageDisplay',
    },
  },
  {
    name: 'compaction',
    rules: () => [hello, goOn],
    async drive(session) {
      session.submit('say hello')
      await session.waitForAnswer('Hello there.')
      session.submit('/compact')
      await session.waitForAnswer('Compacted')
      session.submit('go on')
      await session.waitForAnswer('Going on.')
    },
    hooks: {
      inOrder: `SessionStart ${turn} PreCompact SubagentStop SessionStart PostCompact ${turn} SessionEnd`,
      anywhere: 'MessageDisplay MessageDisplay',
    },
  },
  {
    name: 'clear',
    rules: () => [hello, goOn],
    async drive(session) {
      session.submit('say hello')
      await session.waitForAnswer('Hello there.')
      session.submit('/clear')
      await session.terminal.waitForScreen((screen) => !screen.includes('Hello there.'), STEP_BOUND_MS)
      session.submit('go on')
      await session.waitForAnswer('Going on.')
    },
    hooks: {
      inOrder: `SessionStart ${turn} SessionEnd SessionStart ${turn} SessionEnd`,
      anywhere: 'MessageDisplay MessageDisplay',
    },
  },
  {
    name: 'exit',
    rules: () => [],
    drive: () => Promise.resolve(),
    hooks: { inOrder: 'SessionStart SessionEnd' },
  },
]
