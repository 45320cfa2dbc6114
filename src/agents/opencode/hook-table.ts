import type { HookRow } from '../hook-table.ts'

/**
 * All 89 events of the bus of OpenCode 1.18.33, and the hooks of its plugins. A test plays a hook of every row and
 * holds the table equal to what comes out; `docs/events.md` shows it.
 */
export const openCodeHookTable: readonly HookRow[] = [
  {
    hook: 'session.created',
    becomes: ['session.started'],
    why: 'A session begins, at its first prompt.',
  },
  {
    hook: 'session.created',
    when: 'with a `parentID`',
    becomes: ['subagent.started'],
    why: 'A tool started a session of its own: a subagent of the session that did.',
  },
  {
    hook: 'session.created',
    when: 'of another session while a turn is open',
    becomes: ['turn.ended', 'session.started'],
    why: 'The contact is with one session at a time, so the open turn was left.',
  },
  {
    hook: 'session.deleted',
    becomes: ['session.ended'],
    why: 'A person deleted a session; the program goes on.',
  },
  {
    hook: 'session.status',
    becomes: [],
    why: '`busy` comes with every step of a turn, after the prompt that began it.',
  },
  {
    hook: 'session.status',
    when: '`retry`',
    becomes: ['notification'],
    why: 'The model failed and is asked again, with pauses; the turn goes on.',
  },
  {
    hook: 'session.status',
    when: '`idle`',
    becomes: ['turn.ended'],
    why: 'The turn is over; `last_assistant_text` is what was said last.',
  },
  {
    hook: 'session.status',
    when: '`idle` after `retry`',
    becomes: ['turn.ended'],
    why: 'Nothing came of the turn: the cause is `error`, in the words of the retry.',
  },
  {
    hook: 'session.idle',
    becomes: ['turn.ended'],
    why: 'The same as the status `idle`; whichever comes first ends the turn.',
  },
  {
    hook: 'session.idle',
    when: 'while no turn is open',
    becomes: [],
    why: 'It comes once more, and twice after an abort.',
  },
  {
    hook: 'session.idle',
    when: 'of a subagent',
    becomes: ['subagent.finished'],
    why: 'A subagent has one task, and is over when that is.',
  },
  {
    hook: 'session.error',
    becomes: ['turn.ended'],
    why: 'The turn failed: the cause is `error`, the message has its name and words.',
  },
  {
    hook: 'session.error',
    when: '`MessageAbortedError`',
    becomes: ['turn.ended'],
    why: 'Esc: the cause is `aborted`.',
  },
  {
    hook: 'session.error',
    when: 'without a session',
    becomes: ['notification'],
    why: 'Something of the program failed, and no turn.',
  },
  {
    hook: 'session.compacted',
    becomes: ['context.compacting'],
    why: 'The conversation was summed up; OpenCode does not say when it begins.',
  },
  {
    hook: 'chat.message',
    becomes: ['turn.started', 'message.user'],
    why: 'A prompt with all its parts, before anything else is told of it.',
  },
  {
    hook: 'chat.message',
    when: 'while a turn is open',
    becomes: ['message.user'],
    why: 'The prompt joins the turn at its next step; one end comes for both.',
  },
  {
    hook: 'chat.message',
    when: 'with nothing but synthetic text',
    becomes: ['turn.started'],
    why: 'OpenCode prompts itself, such as after a compaction (cause `background`); nobody typed this.',
  },
  {
    hook: 'message.updated',
    becomes: [],
    why: 'What a message says comes in its parts.',
  },
  {
    hook: 'message.updated',
    when: 'flat, with a role and a text',
    becomes: ['turn.started', 'message.user'],
    why: 'The shape of seed A’s original; a role `assistant` makes it `message.assistant`.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a text without times',
    becomes: ['turn.started', 'message.user'],
    why: 'A prompt; nothing, when its message was told before.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a text of a message that was told',
    becomes: [],
    why: 'A message is told once, whichever hook and however many parts tell of it.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a text with an end',
    becomes: ['message.assistant'],
    why: 'The agent said something, and it is whole.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a text without an end',
    becomes: [],
    why: 'The agent is still saying it.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a reasoning with an end',
    becomes: ['thinking'],
    why: 'The agent thought something.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a tool that is pending',
    becomes: [],
    why: 'The agent is still writing down what the tool is to do.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a tool that runs',
    becomes: ['activity.started'],
    why: 'A tool is about to run, or to be asked about; nothing, when tool.execute.before told it.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a tool that is completed',
    becomes: ['activity.finished'],
    why: 'A tool ran; nothing, when tool.execute.after told it.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a command with an exit code',
    becomes: ['activity.failed'],
    why: 'A command that fails is a failure, as it is in the other agents.',
  },
  {
    hook: 'message.part.updated',
    when: 'of a tool with an error',
    becomes: ['activity.failed'],
    why: 'A tool failed, was refused or aborted; no hook of a plugin tells it.',
  },
  {
    hook: 'message.part.updated',
    when: 'of anything else',
    becomes: [],
    why: 'Steps, snapshots, files and the like are told by what is done in them.',
  },
  {
    hook: 'experimental.text.complete',
    becomes: ['message.assistant'],
    why: 'The agent said something; the part with the same id says it again and is dropped.',
  },
  {
    hook: 'tool.execute.before',
    becomes: ['activity.started'],
    why: 'A tool is about to run, or to be asked about.',
  },
  {
    hook: 'tool.execute.after',
    becomes: ['activity.finished'],
    why: 'A tool ran; the event has the id of its start, a preview and the size of the output.',
  },
  {
    hook: 'tool.execute.after',
    when: 'of a command with an exit code',
    becomes: ['activity.failed'],
    why: 'A command that fails is a failure, as it is in the other agents.',
  },
  {
    hook: 'permission.asked',
    becomes: ['permission.requested'],
    why: 'A dialog opens; the id of the request is OpenCode’s, which takes an answer by HTTP.',
  },
  {
    hook: 'permission.asked',
    when: 'without an id',
    becomes: ['unknown'],
    why: 'Nobody could answer it, and no answer would be known for its own.',
  },
  {
    hook: 'permission.updated',
    becomes: ['permission.requested'],
    why: 'The name of the same event in older versions.',
  },
  {
    hook: 'permission.v2.asked',
    becomes: ['permission.requested'],
    why: 'The same request in the protocol to come; one id is told once.',
  },
  {
    hook: 'permission.replied',
    becomes: ['permission.resolved'],
    why: 'A person or a program answered: `once` and `always` allow, everything else denies.',
  },
  {
    hook: 'permission.replied',
    when: 'to a request that is not open',
    becomes: [],
    why: 'An answer that was told before, or to a request of another session.',
  },
  {
    hook: 'permission.v2.replied',
    becomes: ['permission.resolved'],
    why: 'The same answer in the protocol to come.',
  },
  {
    hook: 'question.asked',
    becomes: ['agent.question'],
    why: 'The agent asks a person, one event for each of its questions.',
  },
  {
    hook: 'question.v2.asked',
    becomes: ['agent.question'],
    why: 'The same question in the protocol to come.',
  },
  {
    hook: 'question.replied',
    becomes: ['unknown'],
    why: 'The answer closes the question; the vocabulary has no word for an answer.',
  },
  {
    hook: 'question.rejected',
    becomes: ['unknown'],
    why: 'The person will not answer, which closes the question too.',
  },
  {
    hook: 'question.v2.replied',
    becomes: ['unknown'],
    why: 'The same answer in the protocol to come.',
  },
  {
    hook: 'question.v2.rejected',
    becomes: ['unknown'],
    why: 'The same refusal in the protocol to come.',
  },
  {
    hook: 'todo.updated',
    becomes: ['todo.updated'],
    why: 'The todo list changed; the event has all of it.',
  },
  {
    hook: 'session.updated',
    becomes: [],
    why: 'Title, costs and tokens of a session changed; the vocabulary has no word for them.',
  },
  {
    hook: 'session.diff',
    becomes: [],
    why: 'Which files a session has changed; what the agent writes is an activity.',
  },
  {
    hook: 'session.next.*',
    becomes: [],
    why: 'The protocol to come, beside the events that tell the same; 1.18.33 does not give them to plugins.',
  },
  {
    hook: 'message.part.delta',
    becomes: [],
    why: 'A few more letters of a text that its part tells when it is whole.',
  },
  {
    hook: 'message.removed',
    becomes: [],
    why: 'A person took a message back; what was said was said.',
  },
  {
    hook: 'message.part.removed',
    becomes: [],
    why: 'A part of a message was taken back; what was said was said.',
  },
  {
    hook: 'command.executed',
    becomes: [],
    why: 'A slash command was used; the prompt it became is told by itself.',
  },
  { hook: 'file.edited', becomes: [], why: 'What the agent writes is an activity.' },
  { hook: 'file.watcher.updated', becomes: [], why: 'A watched file changed, by whomever.' },
  { hook: 'vcs.branch.updated', becomes: [], why: 'The branch changed, by whomever.' },
  { hook: 'shell.env', becomes: [], why: 'A plugin may set the environment of a command; it is never read.' },
  { hook: 'permission.ask', becomes: [], why: 'Plugins are promised this hook and 1.18.33 never calls it.' },
  { hook: 'tui.*', becomes: [], why: 'What a person or a program does with the terminal interface.' },
  { hook: 'pty.*', becomes: [], why: 'Terminals that a person opened beside the agent.' },
  { hook: 'server.*', becomes: [], why: 'OpenCode’s own server and its connections.' },
  {
    hook: 'global.disposed',
    becomes: [],
    why: 'OpenCode puts its parts away; its process tells when it is gone.',
  },
  { hook: 'plugin.added', becomes: [], why: 'OpenCode loads its parts at start, forty at a time.' },
  { hook: 'models-dev.refreshed', becomes: [], why: 'A list of models was loaded.' },
  { hook: 'integration.*', becomes: [], why: 'Accounts and connections of the program.' },
  { hook: 'catalog.updated', becomes: [], why: 'A list of the program’s was loaded.' },
  { hook: 'reference.updated', becomes: [], why: 'A list of the program’s was loaded.' },
  { hook: 'installation.*', becomes: [], why: 'A newer OpenCode is there, or was installed.' },
  { hook: 'lsp.updated', becomes: [], why: 'A language server started or stopped.' },
  { hook: 'mcp.*', becomes: [], why: 'What MCP servers offer changed; using it is an activity.' },
  { hook: 'project.*', becomes: [], why: 'What OpenCode knows of the directory changed.' },
  {
    hook: 'workspace.*',
    becomes: [],
    why: 'A place to work in is made ready; what is done there has its own events.',
  },
  {
    hook: 'worktree.*',
    becomes: [],
    why: 'A worktree is made ready; what is done there has its own events.',
  },
]

/** Whether the table says of this hook that it never has news. */
export function hasNoNews(hook: string): boolean {
  return silent.some((name) => (name.endsWith('*') ? hook.startsWith(name.slice(0, -1)) : hook === name))
}

const silent = openCodeHookTable
  .filter(({ when, becomes }) => when === undefined && becomes.length === 0)
  .map(({ hook }) => hook)
