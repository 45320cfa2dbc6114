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
        call([{ name: 'complete_task', input: { result: { response: 'The notes say milk and bread.' } } }]),
      ],
    },
  ],
  compact: { command: '/compress', shown: 'compressed' },
  clear: '/clear',
}
const ask = 'PreCompress BeforeModel BeforeToolSelection'
const turn = `BeforeAgent ${ask} AfterAgent`
// One for every piece of an answer, each after what was asked and before what follows.
const anywhere = 'AfterModel+'
const end = 'SessionEnd SessionEnd SessionEnd'

const begun = 'session.started turn.started message.user'
const over = 'message.assistant turn.ended'

const expectations: Expectations = {
  hello: {
    hooks: { inOrder: `SessionStart ${turn} ${end}`, anywhere },
    kinds: { inOrder: `${begun} ${over} session.ended` },
    facts: [
      { kind: 'session.started', cause: 'startup' },
      { kind: 'message.user', text: 'say hello' },
      { kind: 'turn.ended', cause: 'completed' },
      { kind: 'session.ended', cause: 'user_close' },
    ],
  },
  'read-file': {
    hooks: {
      inOrder: `SessionStart BeforeAgent ${ask} BeforeTool AfterTool ${ask} AfterAgent ${end}`,
      anywhere,
    },
    kinds: { inOrder: `${begun} activity.started activity.finished ${over} session.ended` },
    facts: [{ kind: 'activity.finished', activity: { kind: 'file.read', tool: 'read_file' } }],
  },
  'run-command': {
    hooks: {
      inOrder: `SessionStart BeforeAgent ${ask} BeforeTool Notification AfterTool ${ask} AfterAgent ${end}`,
      anywhere,
    },
    kinds: {
      inOrder: `${begun} activity.started permission.requested permission.resolved activity.finished ${over}
        session.ended`,
    },
    facts: [
      { kind: 'permission.requested', activity: { kind: 'shell.exec', summary: 'touch made.txt' } },
      { kind: 'permission.resolved', decision: 'allow' },
    ],
  },
  'two-tools': {
    hooks: {
      inOrder: `SessionStart BeforeAgent ${ask} {BeforeTool BeforeTool AfterTool AfterTool} ${ask} AfterAgent ${end}`,
      anywhere,
    },
    kinds: {
      inOrder: `${begun} {activity.started activity.started activity.finished activity.finished} ${over}
        session.ended`,
    },
    facts: [],
  },
  'failing-tool': {
    hooks: {
      inOrder: `SessionStart BeforeAgent ${ask} BeforeTool Notification AfterTool ${ask} AfterAgent ${end}`,
      anywhere,
    },
    // The exit code of a command stands nowhere but in the text for the model.
    kinds: {
      inOrder: `${begun} activity.started permission.requested permission.resolved activity.finished ${over}
        session.ended`,
    },
    facts: [{ kind: 'activity.finished', activity: { kind: 'shell.exec' } }],
  },
  'model-error': {
    hooks: { inOrder: `SessionStart ${turn} ${end}` },
    // The end of the turn does not say that it failed; its words are "[no response text]".
    kinds: { inOrder: `${begun} ${over} session.ended` },
    facts: [{ kind: 'turn.ended', last_assistant_text: '[no response text]' }],
  },
  interrupt: {
    hooks: { inOrder: `SessionStart ${turn} ${turn} ${end}`, anywhere },
    kinds: { inOrder: `${begun} ${over} turn.started message.user ${over} session.ended` },
    facts: [{ kind: 'message.user', text: 'go on' }],
  },
  compaction: {
    hooks: { inOrder: `SessionStart ${turn} PreCompress ${turn} ${end}`, anywhere },
    // PreCompress comes at every request to the model, so that it says nothing.
    kinds: { inOrder: `${begun} ${over} turn.started message.user ${over} session.ended` },
    facts: [],
  },
  clear: {
    hooks: { inOrder: `SessionStart ${turn} SessionEnd SessionStart ${turn} ${end}`, anywhere },
    kinds: { inOrder: `${begun} ${over} session.ended ${begun} ${over} session.ended` },
    facts: [
      { kind: 'session.ended', cause: 'completed' },
      { kind: 'session.started', cause: 'clear' },
    ],
  },
  exit: {
    hooks: { inOrder: `SessionStart ${end}` },
    kinds: { inOrder: 'session.started session.ended' },
    facts: [],
  },
  subagent: {
    // No hook tells of a subagent: what it does looks as if the agent did it, and its report is a tool too.
    hooks: {
      inOrder: `SessionStart BeforeAgent ${ask} BeforeTool BeforeModel BeforeToolSelection BeforeTool AfterTool
        ${ask} BeforeTool AfterTool AfterTool ${ask} AfterAgent ${end}`,
      anywhere,
    },
    kinds: {
      inOrder: `${begun} activity.started activity.started activity.finished activity.started activity.finished
        activity.finished ${over} session.ended`,
    },
    facts: [
      { kind: 'activity.started', activity: { tool: 'invoke_agent' } },
      { kind: 'activity.started', activity: { kind: 'file.read' } },
    ],
  },
}

export const geminiScenarios: readonly AgentScenario[] = expectScenarios(
  commonScenarios(habits),
  expectations,
)
