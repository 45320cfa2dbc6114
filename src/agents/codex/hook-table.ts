import type { HookRow } from '../hook-table.ts'

/**
 * All 12 hook events of Codex 0.171.0, and its notification. A test plays a hook of every row and holds the table
 * equal to what comes out; `docs/events.md` shows it.
 */
export const codexHookTable: readonly HookRow[] = [
  {
    hook: 'SessionStart',
    becomes: ['session.started'],
    why: 'A session begins, at its first prompt; the cause is its `source`.',
  },
  {
    hook: 'SessionStart',
    when: 'of another session while a turn is open',
    becomes: ['turn.ended', 'session.started'],
    why: 'The terminal shows one session at a time, so the open turn was left.',
  },
  { hook: 'SessionEnd', becomes: ['session.ended'], why: 'A session ends; nothing of it stays open.' },
  {
    hook: 'SessionEnd',
    when: 'while an activity waits for a permission',
    becomes: ['activity.failed', 'turn.ended', 'session.ended'],
    why: 'What is open ends first; nobody knows how the permission was answered, so no event claims it.',
  },
  {
    hook: 'UserPromptSubmit',
    becomes: ['turn.started', 'message.user'],
    why: 'A prompt starts a turn, under the id that Codex gives it.',
  },
  {
    hook: 'UserPromptSubmit',
    when: 'with the `turn_id` of the open turn',
    becomes: ['message.user'],
    why: 'The prompt steers the turn; one Stop comes for both.',
  },
  {
    hook: 'UserPromptSubmit',
    when: 'with another `turn_id` while a turn is open',
    becomes: ['turn.ended', 'turn.started', 'message.user'],
    why: 'A model error fires no hook: the open turn ended before this prompt was typed.',
  },
  {
    hook: 'UserPromptSubmit',
    when: 'of a subagent',
    becomes: [],
    why: 'The other agent’s words; the start of the subagent was told.',
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
    when: 'of request_user_input in plan mode',
    becomes: ['activity.started', 'agent.question'],
    why: 'The tool is a question to a person; in any other mode Codex refuses it and asks nobody.',
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
    when: 'of TodoWrite or update_plan',
    becomes: ['activity.finished', 'todo.updated'],
    why: 'The call changed the plan; the event has all of it.',
  },
  {
    hook: 'PostToolUse',
    when: 'with an `error`',
    becomes: ['activity.failed'],
    why: 'The shape of seed A’s original; 0.171.0 does not say so in a hook.',
  },
  {
    hook: 'PermissionRequest',
    becomes: ['permission.requested'],
    why: 'Codex would ask; it shows its dialog when this hook has returned. The id of the request is the bridge’s.',
  },
  {
    hook: 'PreCompact',
    becomes: ['context.compacting'],
    why: 'The conversation is about to be summed up, by itself or by /compact.',
  },
  {
    hook: 'PostCompact',
    becomes: ['unknown'],
    why: 'The vocabulary has no word for the end of a compaction.',
  },
  {
    hook: 'SubagentStart',
    becomes: ['subagent.started'],
    why: 'A subagent begins; it belongs to the turn that started it.',
  },
  {
    hook: 'SubagentStop',
    becomes: ['subagent.finished'],
    why: 'A subagent ends, with whatever it left open.',
  },
  {
    hook: 'Stop',
    becomes: ['message.assistant', 'turn.ended'],
    why: 'The turn ends with its last message.',
  },
  {
    hook: 'Stop',
    when: 'again in the same turn, with `stop_hook_active`',
    becomes: ['turn.started', 'message.assistant', 'turn.ended'],
    why: 'Another Stop hook made the agent go on, and nothing was told of that until it stopped again.',
  },
  {
    hook: 'Stop',
    when: 'after a PermissionRequest',
    becomes: ['message.assistant', 'activity.failed', 'turn.ended'],
    why: 'A denied call has no end of its own.',
  },
  {
    hook: 'Interrupt',
    becomes: ['turn.ended'],
    why: 'Esc, also on a dialog: the cause is `aborted`.',
  },
  {
    hook: 'Interrupt',
    when: 'while no turn is open',
    becomes: [],
    why: 'There is nothing that it could end.',
  },
  {
    hook: 'agent-turn-complete',
    becomes: [],
    why: 'The program of `notify` is told what Stop tells, and of the hidden thread that finds a title as well.',
  },
  {
    hook: 'notify',
    becomes: [],
    why: 'The same under the name of its setting.',
  },
]
