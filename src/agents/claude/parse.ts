import type { Adapter, Fact, Hook, ParsedHook } from '../adapter.ts'
import { amountOf, clip, fieldsOf, firstText, listOf, textOf, type Fields } from '../fields.ts'
import { inputKeyOf } from '../input-key.ts'
import { elicitedQuestion } from '../questions.ts'
import {
  errorOf,
  event,
  idOf,
  identityOf,
  maxBlocks,
  maxDirectoryLength,
  maxIdLength,
  maxLineLength,
  maxTextLength,
  sessionStartCauseOf,
  triggerOf,
  unknown,
  type Reading,
} from '../reading.ts'
import { reportedTask } from '../todos.ts'
import {
  readPermissionDenied,
  readPermissionRequest,
  readPostToolBatch,
  readPostToolUse,
  readPostToolUseFailure,
  readPreToolUse,
} from './tool-hooks.ts'

/** Reads the hooks of Claude Code, or of an agent whose hooks have their shapes. */
export function createClaudeAdapter(agent: string): Adapter {
  return {
    agent,
    nativeHookType: (body) => {
      const name = textOf(body.hook_event_name)
      return name !== undefined && name.length <= 100 ? name : undefined
    },
    parse: (hook) => parseHook(agent, hook),
  }
}

function parseHook(agent: string, hook: Hook): ParsedHook {
  const payload = fieldsOf(hook.payload)
  // Cursor runs Claude Code's hooks as well, and tells the same through its own.
  if (textOf(payload.cursor_version) !== undefined) return { facts: [] }
  const reading = { agent, payload, truncated: hook.truncated === true }
  const type = readers.has(hook.type) ? hook.type : (textOf(payload.hook_event_name) ?? hook.type)
  const facts = readers.get(type)?.(reading) ?? [unknown(reading)]
  const identity = identityOf(type, payload, facts)
  const sessionId = idOf(payload.session_id)
  const group = idOf(payload.prompt_id)
  const directory = firstText(payload, ['cwd'], maxDirectoryLength)
  const session = sessionChange(type, payload)
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(group !== undefined && { group }),
    ...(directory !== undefined && { directory }),
    ...(session && { session }),
    ...(identity !== undefined && { identity }),
    facts: type === 'Stop' ? facts : [...thoughtsOf(payload), ...facts],
  }
}

/** What each hook says. A hook that is not here is `unknown`; `hook-table.ts` says of every one why. */
const readers: ReadonlyMap<string, (reading: Reading) => Fact[]> = new Map<
  string,
  (reading: Reading) => Fact[]
>([
  [
    'SessionStart',
    ({ payload }) => [event({ kind: 'session.started', cause: sessionStartCauseOf(payload.source) })],
  ],
  ['SessionEnd', ({ payload }) => [event({ kind: 'session.ended', cause: endCause(payload.reason) })]],
  ['UserPromptSubmit', ({ payload }) => [promptOf(payload)]],
  ['PreToolUse', readPreToolUse],
  ['PostToolUse', readPostToolUse],
  ['PostToolUseFailure', readPostToolUseFailure],
  ['PostToolBatch', readPostToolBatch],
  ['PermissionRequest', readPermissionRequest],
  ['PermissionDenied', readPermissionDenied],
  ['Notification', readNotification],
  ['MessageDisplay', readMessageDisplay],
  ['Stop', readStop],
  ['StopFailure', readStopFailure],
  ['SubagentStart', readSubagentStart],
  ['SubagentStop', readSubagentStop],
  ['PreCompact', ({ payload }) => [event({ kind: 'context.compacting', ...triggerOf(payload.trigger) })]],
  ['TaskCreated', (reading) => [reportedTask(reading.payload, 'pending') ?? unknown(reading)]],
  ['TaskCompleted', (reading) => [reportedTask(reading.payload, 'completed') ?? unknown(reading)]],
  ['Elicitation', readElicitation],
  [
    'ElicitationResult',
    (reading) => [
      { type: 'question-answered', inputKey: elicitationKey(reading.payload) },
      event({ kind: 'unknown' }),
    ],
  ],
])

/** What the forwarder of seed A found in the transcript since the hook before. */
function thoughtsOf(payload: Fields): Fact[] {
  return assistantTexts(payload).map((text) => event({ kind: 'thinking', text }))
}

function assistantTexts(payload: Fields): string[] {
  return listOf(payload.assistant_text)
    .slice(-maxBlocks)
    .flatMap((block) => {
      const text = textOf(block)
      return text === undefined ? [] : [clip(text.trim(), maxTextLength)]
    })
}

function sessionChange(type: string, payload: Fields): ParsedHook['session'] {
  if (type === 'SessionStart') return 'started'
  if (type !== 'SessionEnd') return undefined
  return payload.reason === 'clear' || payload.reason === 'resume' ? 'switched' : 'ended'
}

function endCause(reason: unknown) {
  switch (reason) {
    case 'clear':
    case 'resume':
      return 'completed'
    case 'prompt_input_exit':
    case 'logout':
      return 'user_close'
    default:
      return 'unknown'
  }
}

/** The agent wakes itself up with such a text when a background task of its own has ended. */
const taskNotice = /^\s*<task-notification\b/

function promptOf(payload: Fields): Fact {
  const text = firstText(payload, ['prompt'], maxTextLength) ?? ''
  return taskNotice.test(text) ? { type: 'prompt', text, synthetic: true } : { type: 'prompt', text }
}

/** What Claude says a minute after each answer; it is no news (seed A's original drops it by its words). */
const idleMessage = 'Claude is waiting for your input'

function readNotification({ payload }: Reading): Fact[] {
  const { message, notification_type: type } = payload
  const text = firstText(payload, ['message', 'title'], maxTextLength)
  if (message === idleMessage || type === 'idle_prompt') return []
  const told = text === undefined ? {} : { text }
  if (type === 'permission_prompt' || type === 'elicitation_dialog')
    return [{ type: 'permission-notice', ...told }]
  return [event({ kind: 'notification', ...told })]
}

function readMessageDisplay({ payload }: Reading): Fact[] {
  const messageId = idOf(payload.message_id)
  const subagentId = idOf(payload.agent_id)
  return [
    {
      type: 'message',
      index: amountOf(payload.index) ?? 0,
      last: payload.final !== false,
      text: typeof payload.delta === 'string' ? clip(payload.delta, maxTextLength) : '',
      ...(messageId !== undefined && { messageId }),
      ...(subagentId !== undefined && { subagentId }),
    },
  ]
}

function readStop({ payload }: Reading): Fact[] {
  const text = firstText(payload, ['last_assistant_message'], maxTextLength) ?? assistantTexts(payload).at(-1)
  return [
    {
      type: 'turn-end',
      cause: 'completed',
      ...(text !== undefined && { text }),
      ...(Array.isArray(payload.background_tasks) && { backgroundTasks: payload.background_tasks.length }),
    },
  ]
}

function readStopFailure({ payload }: Reading): Fact[] {
  const code = errorOf(payload.error)
  const words = errorOf(payload.last_assistant_message)
  const errorMessage = [code, words].filter((part) => part !== undefined).join(': ')
  return [{ type: 'turn-end', cause: 'error', ...(errorMessage !== '' && { errorMessage }) }]
}

function readSubagentStart(reading: Reading): Fact[] {
  const id = idOf(reading.payload.agent_id)
  if (id === undefined) return [unknown(reading)]
  const type = firstText(reading.payload, ['agent_type'], maxIdLength)
  const task = firstText(reading.payload, ['task', 'description', 'prompt'], maxLineLength)
  return [
    event({
      kind: 'subagent.started',
      subagent_id: id,
      ...(type !== undefined && { subagent_type: type }),
      ...(task !== undefined && { task }),
    }),
  ]
}

function readSubagentStop({ payload }: Reading): Fact[] {
  // Compaction and the like run helpers of Claude's own: they have no type and no start, and are nobody's work.
  if (payload.agent_type === '') return []
  const id = idOf(payload.agent_id) ?? idOf(payload.session_id) ?? ''
  return [event({ kind: 'subagent.finished', subagent_id: id, cause: 'completed' })]
}

function readElicitation(reading: Reading): Fact[] {
  const question = elicitedQuestion(reading.payload)
  if (!question) return [unknown(reading)]
  return [
    {
      type: 'question',
      questions: [question],
      tool: 'Elicitation',
      inputKey: elicitationKey(reading.payload),
    },
  ]
}

/** Question and answer of an MCP server share no id in every mode; a server asks one thing at a time. */
function elicitationKey(payload: Fields): string {
  return inputKeyOf(['elicitation', payload.mcp_server_name ?? null])
}
