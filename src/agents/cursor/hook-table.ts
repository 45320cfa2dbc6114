import type { HookRow } from '../hook-table.ts'

const byTool = 'preToolUse and postToolUse tell it of every tool, with an id that pairs them.'

/**
 * All hook events that Cursor documents. Nobody has run Cursor for this table. A test plays a hook of every row
 * and holds the table equal to what comes out; `docs/events.md` shows it.
 */
export const cursorHookTable: readonly HookRow[] = [
  { hook: 'sessionStart', becomes: ['session.started'], why: 'A new conversation begins.' },
  {
    hook: 'sessionStart',
    when: 'of another session while a turn is open',
    becomes: ['turn.ended', 'session.started'],
    why: 'One contact has one conversation at a time, so the open turn was left.',
  },
  {
    hook: 'sessionEnd',
    becomes: ['session.ended'],
    why: 'A conversation ends; the causes of the vocabulary are Cursor’s own words.',
  },
  {
    hook: 'beforeSubmitPrompt',
    becomes: ['turn.started', 'message.user'],
    why: 'A prompt starts a turn, under the id of its generation.',
  },
  {
    hook: 'beforeSubmitPrompt',
    when: 'with another `generation_id` while a turn is open',
    becomes: ['turn.ended', 'turn.started', 'message.user'],
    why: 'The open turn ended without a stop that was told.',
  },
  {
    hook: 'preToolUse',
    becomes: ['activity.started'],
    why: 'A tool is about to run, or to be asked about.',
  },
  {
    hook: 'preToolUse',
    when: 'of ask_question',
    becomes: ['agent.question'],
    why: 'The tool is a question to a person, and no activity.',
  },
  { hook: 'preToolUse', when: 'of fetch_rules', becomes: [], why: 'Cursor reads its own rules.' },
  {
    hook: 'postToolUse',
    becomes: ['activity.finished'],
    why: 'A tool ran; the event has the id of its start, the duration and a preview of the output.',
  },
  {
    hook: 'postToolUse',
    when: 'of a command with an exit code',
    becomes: ['activity.failed'],
    why: 'A command that fails is a failure, as it is in the other agents.',
  },
  {
    hook: 'postToolUse',
    when: 'of TodoWrite',
    becomes: ['activity.finished', 'todo.updated'],
    why: 'The call changed the todo list.',
  },
  {
    hook: 'postToolUse',
    when: 'of ask_question',
    becomes: ['unknown'],
    why: 'The answer closes the question; the vocabulary has no word for an answer.',
  },
  {
    hook: 'postToolUseFailure',
    becomes: ['activity.failed'],
    why: 'A tool failed, ran out of time, was denied or interrupted.',
  },
  {
    hook: 'afterAgentResponse',
    becomes: ['message.assistant'],
    why: 'The last words of a turn, told before its stop.',
  },
  { hook: 'afterAgentThought', becomes: ['thinking'], why: 'The agent thought something.' },
  {
    hook: 'subagentStart',
    becomes: ['subagent.started'],
    why: 'A subagent begins; it belongs to the turn that started it.',
  },
  {
    hook: 'subagentStop',
    becomes: ['subagent.finished'],
    why: 'It has no id: the oldest running subagent with its type and task has ended.',
  },
  {
    hook: 'subagentStop',
    when: 'of none that runs',
    becomes: [],
    why: 'There is none that it could be about.',
  },
  {
    hook: 'preCompact',
    becomes: ['context.compacting'],
    why: 'The conversation is about to be summed up; the event says how full it is.',
  },
  {
    hook: 'stop',
    becomes: ['turn.ended'],
    why: 'The turn ends, as `status` says: completed, aborted or with an error.',
  },
  { hook: 'beforeShellExecution', becomes: [], why: byTool },
  { hook: 'afterShellExecution', becomes: [], why: byTool },
  { hook: 'beforeMCPExecution', becomes: [], why: byTool },
  { hook: 'afterMCPExecution', becomes: [], why: byTool },
  { hook: 'beforeReadFile', becomes: [], why: byTool },
  { hook: 'afterFileEdit', becomes: [], why: byTool },
  {
    hook: 'beforeTabFileRead',
    becomes: [],
    why: 'Completions in the editor are a person’s work with the help of a model.',
  },
  {
    hook: 'afterTabFileEdit',
    becomes: [],
    why: 'Completions in the editor are a person’s work with the help of a model.',
  },
  { hook: 'workspaceOpen', becomes: [], why: 'A window was opened; no agent is at work yet.' },
]
