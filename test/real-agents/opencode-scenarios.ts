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
const said = 'experimental.text.complete'
const turn = `chat.message ${said} session.idle`
const tool = 'tool.execute.before tool.execute.after'
const askedTool = 'tool.execute.before permission.asked permission.replied tool.execute.after'

const begun = 'session.started turn.started message.user'
const over = 'message.assistant turn.ended'
const asked = 'activity.started permission.requested permission.resolved'

// Nothing tells of the end of the program: no session ends.
const expectations: Expectations = {
  hello: {
    hooks: { inOrder: `session.created ${turn}` },
    kinds: { inOrder: `${begun} ${over}` },
    facts: [
      { kind: 'message.user', text: 'say hello' },
      { kind: 'message.assistant', text: 'Hello there.' },
      { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'Hello there.' },
    ],
  },
  'read-file': {
    // What is said before a tool is told beside its hooks.
    hooks: { inOrder: `session.created chat.message ${tool} session.idle`, anywhere: `${said} ${said}` },
    kinds: {
      inOrder: `${begun} activity.started activity.finished turn.ended`,
      anywhere: 'message.assistant message.assistant',
    },
    facts: [
      { kind: 'activity.finished', activity: { kind: 'file.read', tool: 'read' } },
      { kind: 'turn.ended', last_assistant_text: 'Milk and bread.' },
    ],
  },
  'run-command': {
    hooks: { inOrder: `session.created chat.message ${askedTool} session.idle`, anywhere: `${said} ${said}` },
    kinds: {
      inOrder: `${begun} ${asked} activity.finished turn.ended`,
      anywhere: 'message.assistant message.assistant',
    },
    facts: [
      { kind: 'permission.requested', activity: { kind: 'shell.exec', summary: 'touch made.txt' } },
      { kind: 'permission.resolved', decision: 'allow' },
      { kind: 'turn.ended', last_assistant_text: 'The file is made.' },
    ],
  },
  'two-tools': {
    hooks: {
      inOrder: `session.created chat.message {${tool} ${tool}} ${said} session.idle`,
    },
    kinds: {
      inOrder: `${begun} {activity.started activity.started activity.finished activity.finished} ${over}`,
    },
    facts: [],
  },
  'failing-tool': {
    hooks: { inOrder: `session.created chat.message ${askedTool} ${said} session.idle` },
    kinds: { inOrder: `${begun} ${asked} activity.failed ${over}` },
    facts: [{ kind: 'activity.failed', activity: { kind: 'shell.exec' }, failure_kind: 'error' }],
  },
  'model-error': {
    hooks: { inOrder: 'session.created chat.message session.error session.idle session.idle' },
    kinds: { inOrder: `${begun} turn.ended` },
    facts: [{ kind: 'turn.ended', cause: 'error', error_message: 'APIError: broke' }],
  },
  interrupt: {
    hooks: { inOrder: `session.created chat.message session.error session.idle session.idle ${turn}` },
    kinds: {
      inOrder: `${begun} turn.ended turn.started message.user turn.ended`,
      // What was said until the interrupt is told after it.
      anywhere: 'message.assistant message.assistant',
    },
    facts: [
      { kind: 'turn.ended', cause: 'aborted' },
      { kind: 'message.user', text: 'go on' },
      { kind: 'turn.ended', cause: 'completed' },
    ],
  },
  compaction: {
    hooks: { inOrder: `session.created ${turn} ${said} session.compacted session.idle ${turn}` },
    // The summary is a turn of its own, which nobody asked for in words.
    kinds: {
      inOrder: `${begun} ${over} turn.started message.assistant context.compacting turn.ended turn.started
        message.user ${over}`,
    },
    facts: [{ kind: 'context.compacting' }, { kind: 'message.assistant', text: 'Going on.' }],
  },
  clear: {
    hooks: { inOrder: `session.created ${turn} session.created ${turn}` },
    kinds: { inOrder: `${begun} ${over} ${begun} ${over}` },
    facts: [
      { kind: 'message.assistant', text: 'Hello there.' },
      { kind: 'message.assistant', text: 'Going on.' },
    ],
  },
  // A session begins at its first prompt.
  exit: { hooks: { inOrder: '' }, kinds: { inOrder: '' }, facts: [] },
  subagent: {
    hooks: {
      inOrder: `session.created chat.message tool.execute.before session.created chat.message ${tool} ${said}
        session.idle tool.execute.after ${said} session.idle`,
    },
    kinds: {
      inOrder: `${begun} activity.started subagent.started activity.started activity.finished message.assistant
        subagent.finished activity.finished ${over}`,
    },
    facts: [
      { kind: 'activity.started', activity: { kind: 'subagent.spawn', tool: 'task' } },
      { kind: 'subagent.started' },
      { kind: 'message.assistant', text: 'The notes say milk and bread.' },
      { kind: 'subagent.finished', cause: 'completed' },
      { kind: 'turn.ended', last_assistant_text: 'Somebody is done.' },
    ],
  },
}

export const openCodeScenarios: readonly AgentScenario[] = expectScenarios(
  commonScenarios(habits),
  expectations,
)
