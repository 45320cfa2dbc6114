import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, say, type Rule } from '../fixtures/model/script.ts'
import { STEP_BOUND_MS } from './bounds.ts'
import { keys } from './pty.ts'
import type { Scenario } from './scenario.ts'

const makeAFile: Rule = {
  when: /make a file/,
  answer: [
    call([{ name: 'Bash', input: { command: 'touch made.txt', description: 'Make a file' } }]),
    say('The file is made.'),
  ],
}

/** What else happens around tools and their permissions every day; recorded for the adapter. */
export const toolScenarios: readonly Scenario[] = [
  {
    name: 'write-file',
    rules: ({ project }) => [
      {
        when: /write it down/,
        answer: [
          call([{ name: 'Write', input: { file_path: join(project, 'new.txt'), content: 'flour\n' } }]),
          call([
            {
              name: 'Edit',
              input: { file_path: join(project, 'new.txt'), old_string: 'flour', new_string: 'sugar' },
            },
          ]),
          say('Written down.'),
        ],
      },
    ],
    async drive(session) {
      session.submit('write it down')
      await session.approve('Do you want to create new.txt?')
      await session.approve('Do you want to make this edit to new.txt?')
      await session.waitForAnswer('Written down.')
    },
    hooks: {
      inOrder: `SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PostToolBatch
        PreToolUse PermissionRequest PostToolUse PostToolBatch Stop SessionEnd`,
      anywhere: 'MessageDisplay',
    },
  },
  {
    name: 'permission-rejected',
    rules: () => [makeAFile],
    async drive(session) {
      session.submit('make a file')
      await session.waitForDialog('touch made.txt')
      await session.terminal.pressUntil(keys.escape, 'Interrupted', STEP_BOUND_MS)
    },
    // A person's No ends the turn without a hook.
    hooks: { inOrder: 'SessionStart UserPromptSubmit PreToolUse PermissionRequest SessionEnd' },
  },
  {
    name: 'permission-waiting',
    rules: () => [makeAFile],
    async drive(session, stage) {
      session.submit('make a file')
      // Claude sends it when nobody has answered for six seconds.
      await stage.arrival('Notification')
      await session.approve('touch made.txt')
      await session.waitForAnswer('The file is made.')
    },
    hooks: {
      inOrder: `SessionStart UserPromptSubmit PreToolUse PermissionRequest Notification PostToolUse
        PostToolBatch Stop SessionEnd`,
      anywhere: 'MessageDisplay',
    },
  },
  {
    name: 'two-permissions',
    rules: () => [
      {
        when: /make two files/,
        answer: [
          call([
            { name: 'Bash', input: { command: 'touch one.txt', description: 'Make one' } },
            { name: 'Bash', input: { command: 'touch two.txt', description: 'Make another' } },
          ]),
          say('Both are made.'),
        ],
      },
    ],
    async drive(session) {
      session.submit('make two files')
      await session.approve('touch one.txt')
      await session.approve('touch two.txt')
      await session.waitForAnswer('Both are made.')
    },
    // Tools that ask run one after the other, although the model called them in one turn.
    hooks: {
      inOrder: `SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse
        PreToolUse PermissionRequest PostToolUse PostToolBatch Stop SessionEnd`,
      anywhere: 'MessageDisplay',
    },
  },
  {
    name: 'question',
    rules: () => [
      {
        when: /ask me/,
        answer: [
          call([
            {
              name: 'AskUserQuestion',
              input: {
                questions: [
                  {
                    question: 'Which colour?',
                    header: 'Colour',
                    multiSelect: false,
                    options: [
                      { label: 'Blue', description: 'Like the sky' },
                      { label: 'Red', description: 'Like a rose' },
                    ],
                  },
                ],
              },
            },
          ]),
          say('Blue it is.'),
        ],
      },
    ],
    async drive(session) {
      session.submit('ask me')
      await session.terminal.waitForScreen('Enter to select', STEP_BOUND_MS)
      await session.terminal.pressUntil(
        keys.enter,
        (screen) => !screen.includes('Enter to select'),
        STEP_BOUND_MS,
      )
      await session.waitForAnswer('Blue it is.')
    },
    hooks: {
      inOrder: `SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PostToolBatch
        Stop SessionEnd`,
      anywhere: 'MessageDisplay',
    },
  },
  {
    name: 'background-command',
    rules: () => [
      {
        when: /in the background/,
        answer: [
          call([
            {
              name: 'Bash',
              input: {
                command: 'until [ -e go ]; do sleep 0.1; done',
                description: 'Wait for the signal',
                run_in_background: true,
              },
            },
          ]),
          say('It runs.'),
        ],
      },
      { when: /<task-notification>/, answer: say('It has run.') },
    ],
    async drive(session) {
      session.submit('do it in the background')
      await session.waitForAnswer('It runs.')
      await writeFile(join(session.home.project, 'go'), '')
      await session.waitForAnswer('It has run.')
    },
    hooks: {
      inOrder: `SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolBatch Stop UserPromptSubmit Stop
        SessionEnd`,
      anywhere: 'MessageDisplay MessageDisplay',
    },
  },
  {
    name: 'change-directory',
    prepare: ({ project }) => mkdir(join(project, 'kitchen')),
    rules: () => [
      {
        when: /go to the kitchen/,
        answer: [
          call([{ name: 'Bash', input: { command: 'cd kitchen', description: 'Go there' } }]),
          say('I am there.'),
        ],
      },
    ],
    async drive(session) {
      session.submit('go to the kitchen')
      await session.waitForAnswer('I am there.')
    },
    hooks: {
      inOrder: 'SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolBatch Stop SessionEnd',
      anywhere: 'CwdChanged MessageDisplay',
    },
  },
]
