import type { AgentEvent } from '../../src/protocol/index.ts'
import type { Expected } from './expected.ts'

/** A part of an event: what is named must be equal, what is not may be anything. */
export type EventPart = { kind: AgentEvent['kind'] } & Record<string, unknown>

/** What a subscriber of the bridge must see of a scenario. */
export interface ExpectedEvents {
  kinds: Expected
  /** Events that must be among them, in this order. */
  facts: readonly EventPart[]
}

const begin = 'session.started turn.started message.user'
const end = 'turn.ended session.ended'
const asked = 'activity.started permission.requested permission.resolved'

const said = (text: string): EventPart => ({ kind: 'message.assistant', text })
const completed = (text: string): EventPart => ({
  kind: 'turn.ended',
  cause: 'completed',
  last_assistant_text: text,
})

/** By the name of the scenario. */
export const claudeEvents: ReadonlyMap<string, ExpectedEvents> = new Map([
  [
    'hello',
    {
      kinds: { inOrder: `${begin} ${end}`, anywhere: 'message.assistant' },
      facts: [
        { kind: 'session.started', cause: 'startup' },
        { kind: 'turn.started', prompt: 'say hello' },
        { kind: 'message.user', text: 'say hello' },
        said('Hello there.'),
        completed('Hello there.'),
        { kind: 'session.ended', cause: 'user_close' },
      ],
    },
  ],
  [
    'read-file',
    {
      kinds: {
        inOrder: `${begin} activity.started activity.finished ${end}`,
        anywhere: 'message.assistant message.assistant',
      },
      facts: [
        { kind: 'activity.started', activity: { kind: 'file.read', tool: 'Read', summary: 'notes.txt' } },
        { kind: 'activity.finished', activity: { kind: 'file.read', tool: 'Read', summary: 'notes.txt' } },
        completed('Milk and bread.'),
      ],
    },
  ],
  [
    'run-command',
    {
      kinds: {
        inOrder: `${begin} ${asked} activity.finished ${end}`,
        anywhere: 'message.assistant message.assistant',
      },
      facts: [
        { kind: 'activity.started', activity: { kind: 'shell.exec', tool: 'Bash' } },
        { kind: 'permission.requested', activity: { tool: 'Bash', summary: 'touch made.txt' } },
        { kind: 'permission.resolved', decision: 'allow' },
        { kind: 'activity.finished', activity: { kind: 'shell.exec', tool: 'Bash' } },
        completed('The file is made.'),
      ],
    },
  ],
  [
    'two-tools',
    {
      kinds: {
        inOrder: `${begin} {activity.started activity.started activity.finished activity.finished} ${end}`,
        anywhere: 'message.assistant',
      },
      facts: [completed('Two things, and three lines.')],
    },
  ],
  [
    'failing-tool',
    {
      kinds: { inOrder: `${begin} ${asked} activity.failed ${end}`, anywhere: 'message.assistant' },
      facts: [
        { kind: 'permission.resolved', decision: 'allow' },
        { kind: 'activity.failed', activity: { kind: 'shell.exec' }, failure_kind: 'error' },
        completed('That went wrong.'),
      ],
    },
  ],
  [
    'model-error',
    {
      kinds: { inOrder: `${begin} ${end}` },
      facts: [{ kind: 'turn.ended', cause: 'error' }],
    },
  ],
  [
    'interrupt',
    {
      kinds: {
        inOrder: `${begin} turn.ended turn.started message.user ${end}`,
        anywhere: 'message.assistant',
      },
      facts: [
        { kind: 'message.user', text: 'tell a story' },
        { kind: 'turn.ended', cause: 'aborted' },
        { kind: 'message.user', text: 'go on' },
        completed('Going on.'),
      ],
    },
  ],
  [
    'subagent',
    {
      kinds: {
        inOrder: `${begin} activity.started {subagent.started activity.finished} turn.ended
          activity.started activity.finished subagent.finished turn.started ${end}`,
        anywhere: 'message.assistant message.assistant',
      },
      facts: [
        { kind: 'activity.started', activity: { kind: 'subagent.spawn', tool: 'Agent' } },
        { kind: 'subagent.started', subagent_type: 'general-purpose' },
        { ...completed('Somebody looks at it.'), background_tasks: 1 },
        { kind: 'activity.started', activity: { kind: 'file.read' } },
        { kind: 'subagent.finished', cause: 'completed' },
        { kind: 'turn.started', cause: 'background' },
        { ...completed('Somebody is done.'), background_tasks: 0 },
      ],
    },
  ],
  [
    'compaction',
    {
      kinds: {
        // The second session is the same one, begun again after PostCompact, which is `unknown` on purpose.
        inOrder: `${begin} turn.ended context.compacting session.started unknown turn.started message.user ${end}`,
        anywhere: 'message.assistant message.assistant',
      },
      facts: [
        completed('Hello there.'),
        { kind: 'context.compacting', trigger: 'manual' },
        { kind: 'session.started', cause: 'compact' },
        completed('Going on.'),
      ],
    },
  ],
  [
    'clear',
    {
      kinds: {
        inOrder: `${begin} ${end} ${begin} ${end}`,
        anywhere: 'message.assistant message.assistant',
      },
      facts: [
        completed('Hello there.'),
        { kind: 'session.ended', cause: 'completed' },
        { kind: 'session.started', cause: 'clear' },
        completed('Going on.'),
        { kind: 'session.ended', cause: 'user_close' },
      ],
    },
  ],
  ['exit', { kinds: { inOrder: 'session.started session.ended' }, facts: [{ kind: 'session.started' }] }],
])
