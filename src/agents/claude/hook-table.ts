import type { HookRow } from '../hook-table.ts'

/**
 * All 34 hook events that Claude Code 2.1.332 has. A test plays a hook of every row and holds the table equal to
 * what comes out; `docs/events.md` shows it.
 */
export const hookTable: readonly HookRow[] = [
  {
    hook: 'SessionStart',
    becomes: ['session.started'],
    why: 'A session begins; the cause is its `source`, and compaction begins one with the same id.',
  },
  {
    hook: 'SessionStart',
    when: 'of another session while a turn is open',
    becomes: ['turn.ended', 'session.started'],
    why: 'A process runs one session at a time, so the open turn was aborted without a hook.',
  },
  {
    hook: 'SessionEnd',
    becomes: ['session.ended'],
    why: 'A session ends; nothing of it stays open.',
  },
  {
    hook: 'SessionEnd',
    when: 'while an activity waits for a permission',
    becomes: ['activity.failed', 'turn.ended', 'session.ended'],
    why: 'What is open ends first; nobody knows how the permission was answered, so no event claims it.',
  },
  {
    hook: 'UserPromptSubmit',
    becomes: ['turn.started', 'message.user'],
    why: 'A prompt starts a turn.',
  },
  {
    hook: 'UserPromptSubmit',
    when: 'while a turn with the same `prompt_id` is open',
    becomes: ['message.user'],
    why: 'The prompt is queued; its own turn starts, with the cause `queued`, at the first hook of a new `prompt_id`.',
  },
  {
    hook: 'UserPromptSubmit',
    when: 'while a turn with another `prompt_id` is open',
    becomes: ['turn.ended', 'turn.started', 'message.user'],
    why: 'Esc fires no hook: the open turn was aborted before this prompt was typed.',
  },
  {
    hook: 'UserPromptSubmit',
    when: 'with a `<task-notification>`',
    becomes: ['turn.started'],
    why: 'A background task ended and woke the agent (cause `background`); nobody typed this.',
  },
  {
    hook: 'UserPromptExpansion',
    becomes: ['unknown'],
    why: 'A slash command was expanded; the prompt it became has its own hook.',
  },
  {
    hook: 'PreToolUse',
    becomes: ['activity.started'],
    why: 'A tool is about to run, or to be asked about.',
  },
  {
    hook: 'PreToolUse',
    when: 'after its Stop, without a prompt',
    becomes: ['turn.started', 'activity.started'],
    why: 'Another Stop hook made the agent go on: a turn with the cause `continued`.',
  },
  {
    hook: 'PreToolUse',
    when: 'of AskUserQuestion',
    becomes: ['activity.started', 'agent.question'],
    why: 'The tool is a question to a person, one event for each of its questions.',
  },
  {
    hook: 'PreToolUse',
    when: 'of Cursor, with a `cursor_version`',
    becomes: [],
    why: 'Cursor runs these hooks too and tells the same through its own; so it is with every hook.',
  },
  {
    hook: 'PostToolUse',
    becomes: ['activity.finished'],
    why: 'A tool ran; the event has the id of its start, a preview and the size of the output.',
  },
  {
    hook: 'PostToolUse',
    when: 'before its PreToolUse',
    becomes: ['activity.started', 'activity.finished'],
    why: 'The hooks of one call race each other; the late PreToolUse is dropped.',
  },
  {
    hook: 'PostToolUse',
    when: 'after a PermissionRequest',
    becomes: ['permission.resolved', 'activity.finished'],
    why: 'That the tool ran proves that it was allowed; no hook says so.',
  },
  {
    hook: 'PostToolUse',
    when: 'of TodoWrite, TaskCreate or TaskUpdate',
    becomes: ['activity.finished', 'todo.updated'],
    why: 'The call changed the todo list; the event has all of it.',
  },
  {
    hook: 'PostToolUseFailure',
    becomes: ['activity.failed'],
    why: 'A tool failed, ran out of time or was interrupted.',
  },
  {
    hook: 'PostToolBatch',
    becomes: [],
    why: 'Each call of the batch was told by hooks of its own.',
  },
  {
    hook: 'PostToolBatch',
    when: 'with a call that has not ended',
    becomes: ['activity.failed'],
    why: 'A call that a rule, a hook or auto mode denies has no other end.',
  },
  {
    hook: 'PostToolBatch',
    when: 'with a call whose permission was asked',
    becomes: ['permission.resolved', 'activity.failed'],
    why: 'A denied permission has no other end: neither PermissionDenied nor PostToolUseFailure fires.',
  },
  {
    hook: 'PermissionRequest',
    becomes: ['permission.requested'],
    why: 'A dialog opens; the id of the request is the bridge’s, as Claude gives none.',
  },
  {
    hook: 'PermissionRequest',
    when: 'of AskUserQuestion, after its PreToolUse',
    becomes: [],
    why: 'The question was told already.',
  },
  {
    hook: 'PermissionDenied',
    becomes: ['activity.failed'],
    why: 'Auto mode refused a call, and nobody was asked.',
  },
  {
    hook: 'PermissionDenied',
    when: 'after a PermissionRequest',
    becomes: ['permission.resolved', 'activity.failed'],
    why: 'The refusal answers the request.',
  },
  {
    hook: 'Notification',
    becomes: ['notification'],
    why: 'Whatever Claude tells a person that no row below knows is passed on.',
  },
  {
    hook: 'Notification',
    when: '"Claude is waiting for your input" or `idle_prompt`',
    becomes: [],
    why: 'Claude says it a minute after each answer; it is no news.',
  },
  {
    hook: 'Notification',
    when: '`permission_prompt` or `elicitation_dialog` while a request is open',
    becomes: [],
    why: 'The request was told about six seconds before.',
  },
  {
    hook: 'Notification',
    when: '`permission_prompt` while no request is open',
    becomes: ['notification'],
    why: 'Where PermissionRequest is not wired, this is all that tells of a dialog.',
  },
  {
    hook: 'MessageDisplay',
    becomes: ['message.assistant'],
    why: 'The agent said something; the event goes out once, when all pieces of the message are there.',
  },
  {
    hook: 'MessageDisplay',
    when: 'with a piece that is not the last',
    becomes: [],
    why: 'The message is not whole yet; pieces may come in any order.',
  },
  {
    hook: 'MessageDisplay',
    when: 'with the text that Stop brought before',
    becomes: [],
    why: 'The last message may be displayed after Stop, and its text went out with that.',
  },
  {
    hook: 'Stop',
    becomes: ['message.assistant', 'turn.ended'],
    why: 'The turn ends; its last message is `final` when it was not displayed before.',
  },
  {
    hook: 'Stop',
    when: 'with the text that was displayed last',
    becomes: ['turn.ended'],
    why: 'The message went out when it was displayed; the end has its text as `last_assistant_text`.',
  },
  {
    hook: 'Stop',
    when: 'of a queued prompt, as its first hook',
    becomes: ['turn.started', 'message.assistant', 'turn.ended'],
    why: 'A queued prompt has no other start, and starts and ends balance.',
  },
  {
    hook: 'StopFailure',
    becomes: ['turn.ended'],
    why: 'The model failed: the cause is `error`, the message says which error and in which words.',
  },
  {
    hook: 'SubagentStart',
    becomes: ['subagent.started'],
    why: 'A subagent begins; it belongs to the turn that started it, even after that has ended.',
  },
  {
    hook: 'SubagentStop',
    becomes: ['subagent.finished'],
    why: 'A subagent ends, with whatever it left open.',
  },
  {
    hook: 'SubagentStop',
    when: 'with an empty `agent_type`',
    becomes: [],
    why: 'Compaction and the like run helpers that have no start and are nobody’s work.',
  },
  {
    hook: 'PreCompact',
    becomes: ['context.compacting'],
    why: 'The conversation is about to be summed up, by itself or by /compact.',
  },
  {
    hook: 'PostCompact',
    becomes: ['unknown'],
    why: 'SessionStart with the source `compact` tells the end of a compaction.',
  },
  {
    hook: 'TaskCreated',
    becomes: ['todo.updated'],
    why: 'The task list has a new entry; the event has all entries the bridge has heard of.',
  },
  {
    hook: 'TaskCompleted',
    becomes: ['todo.updated'],
    why: 'An entry of the task list is done.',
  },
  {
    hook: 'Elicitation',
    becomes: ['agent.question'],
    why: 'An MCP server asks a person something through Claude.',
  },
  {
    hook: 'ElicitationResult',
    becomes: ['unknown'],
    why: 'The answer closes the question; the vocabulary has no word for an answer.',
  },
  {
    hook: 'PreModelSwitch',
    becomes: ['unknown'],
    why: 'Which model answers is no event of the vocabulary.',
  },
  {
    hook: 'PostModelSwitch',
    becomes: ['unknown'],
    why: 'Which model answers is no event of the vocabulary.',
  },
  {
    hook: 'Setup',
    becomes: ['unknown'],
    why: 'It prepares a checkout, before any session and outside of one.',
  },
  {
    hook: 'TeammateIdle',
    becomes: ['unknown'],
    why: 'A teammate is an agent with hooks of its own, which tell the same.',
  },
  {
    hook: 'ConfigChange',
    becomes: ['unknown'],
    why: 'Settings changed; the vocabulary is about what agents do.',
  },
  {
    hook: 'WorktreeCreate',
    becomes: ['unknown'],
    why: 'The hook is asked to make a worktree; what uses it has its own hooks.',
  },
  {
    hook: 'WorktreeRemove',
    becomes: ['unknown'],
    why: 'A worktree is put away; the vocabulary is about what agents do.',
  },
  {
    hook: 'InstructionsLoaded',
    becomes: ['unknown'],
    why: 'Claude read its instruction files; the vocabulary has no word for it.',
  },
  {
    hook: 'CwdChanged',
    becomes: ['unknown'],
    why: 'The working directory is a field of every hook.',
  },
  {
    hook: 'FileChanged',
    becomes: ['unknown'],
    why: 'A watched file changed, by whomever; what the agent writes is an activity.',
  },
  {
    hook: 'DirectoryAdded',
    becomes: ['unknown'],
    why: 'The agent may work in one more directory; the vocabulary has no word for it.',
  },
  {
    hook: 'PreSkillShellCommand',
    becomes: ['unknown'],
    why: 'A skill fills in its own text with a command; no tool is used.',
  },
]
