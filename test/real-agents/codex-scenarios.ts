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
const turn = 'UserPromptSubmit Stop'
const tool = 'PreToolUse PostToolUse'

const begun = 'session.started turn.started message.user'
const over = 'message.assistant turn.ended'
const asked = 'activity.started permission.requested permission.resolved activity.finished'

const expectations: Expectations = {
  hello: {
    hooks: { inOrder: `SessionStart ${turn} SessionEnd` },
    kinds: { inOrder: `${begun} ${over} session.ended` },
    facts: [
      { kind: 'session.started', cause: 'startup' },
      { kind: 'message.user', text: 'say hello' },
      { kind: 'message.assistant', text: 'Hello there.' },
      { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'Hello there.' },
    ],
  },
  'read-file': {
    hooks: { inOrder: `SessionStart UserPromptSubmit ${tool} Stop SessionEnd` },
    kinds: { inOrder: `${begun} activity.started activity.finished ${over} session.ended` },
    facts: [{ kind: 'activity.finished', activity: { kind: 'shell.exec', tool: 'Bash' } }],
  },
  'run-command': {
    hooks: {
      inOrder: 'SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse Stop SessionEnd',
    },
    kinds: { inOrder: `${begun} ${asked} ${over} session.ended` },
    facts: [
      { kind: 'permission.requested', activity: { tool: 'Bash', summary: 'touch made.txt' } },
      { kind: 'permission.resolved', decision: 'allow' },
    ],
  },
  'two-tools': {
    hooks: {
      inOrder:
        'SessionStart UserPromptSubmit {PreToolUse PreToolUse PostToolUse PostToolUse} Stop SessionEnd',
    },
    kinds: {
      inOrder: `${begun} {activity.started activity.started activity.finished activity.finished} ${over}
        session.ended`,
    },
    facts: [],
  },
  'failing-tool': {
    hooks: {
      inOrder: 'SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse Stop SessionEnd',
    },
    // No hook has the exit code.
    kinds: { inOrder: `${begun} ${asked} ${over} session.ended` },
    facts: [{ kind: 'activity.finished', activity: { kind: 'shell.exec' } }],
  },
  'model-error': {
    // No hook tells of the error: the turn ends with its session.
    hooks: { inOrder: 'SessionStart UserPromptSubmit SessionEnd' },
    kinds: { inOrder: `${begun} turn.ended session.ended` },
    facts: [],
  },
  interrupt: {
    hooks: { inOrder: `SessionStart UserPromptSubmit Interrupt ${turn} SessionEnd` },
    kinds: { inOrder: `${begun} turn.ended turn.started message.user ${over} session.ended` },
    facts: [
      { kind: 'turn.ended', cause: 'aborted' },
      { kind: 'message.user', text: 'go on' },
      { kind: 'turn.ended', cause: 'completed' },
    ],
  },
  compaction: {
    // The session begins again at the next prompt.
    hooks: { inOrder: `SessionStart ${turn} PreCompact PostCompact SessionStart ${turn} SessionEnd` },
    kinds: { inOrder: `${begun} ${over} context.compacting unknown ${begun} ${over} session.ended` },
    facts: [
      { kind: 'context.compacting', trigger: 'manual' },
      { kind: 'session.started', cause: 'compact' },
    ],
  },
  clear: {
    // Both sessions end when the program does.
    hooks: { inOrder: `SessionStart ${turn} SessionStart ${turn} SessionEnd SessionEnd` },
    kinds: { inOrder: `${begun} ${over} ${begun} ${over} session.ended session.ended` },
    facts: [
      { kind: 'message.assistant', text: 'Hello there.' },
      { kind: 'session.started', cause: 'startup' },
      { kind: 'message.assistant', text: 'Going on.' },
    ],
  },
  exit: {
    // A session begins at its first prompt and ends without one.
    hooks: { inOrder: 'SessionEnd' },
    kinds: { inOrder: 'session.ended' },
    facts: [],
  },
  subagent: {
    // The subagent works beside the agent that started it.
    hooks: {
      inOrder: `SessionStart UserPromptSubmit PreToolUse {PostToolUse SubagentStart UserPromptSubmit PreToolUse PreToolUse
        PostToolUse SubagentStop PostToolUse} Stop SessionEnd`,
    },
    kinds: {
      inOrder: `${begun} activity.started {activity.finished subagent.started activity.started activity.started
        activity.finished subagent.finished activity.finished} ${over} session.ended`,
    },
    facts: [
      { kind: 'subagent.started' },
      { kind: 'subagent.finished', cause: 'completed' },
      { kind: 'message.assistant', text: 'Somebody is done.' },
    ],
  },
}

export const codexScenarios: readonly AgentScenario[] = expectScenarios(commonScenarios(habits), expectations)
