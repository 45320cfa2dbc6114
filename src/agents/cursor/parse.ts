import type { Adapter, Fact, Hook, ParsedHook } from '../adapter.ts'
import { amountOf, fieldsOf, firstText, listOf, present, textOf, type Fields } from '../fields.ts'
import { inputKeyOf } from '../input-key.ts'
import {
  errorOf,
  event,
  idOf,
  identityOf,
  maxDirectoryLength,
  maxIdLength,
  maxLineLength,
  maxTextLength,
  triggerOf,
  unknown,
  type Reading,
} from '../reading.ts'
import { readPostToolUse, readPostToolUseFailure, readPreToolUse } from './tool-hooks.ts'

/** Reads the hooks of Cursor, by its documentation: nobody has run it against these readers. */
export const cursorAdapter: Adapter = {
  agent: 'cursor',
  nativeHookType: (body) => {
    const name = textOf(body.hook_event_name)
    return name !== undefined && name.length <= 100 ? name : undefined
  },
  parse: parseHook,
}

function parseHook(hook: Hook): ParsedHook {
  const payload = fieldsOf(hook.payload)
  const reading = { agent: 'cursor', payload, truncated: hook.truncated === true }
  const type = readers.has(hook.type) ? hook.type : (textOf(payload.hook_event_name) ?? hook.type)
  const facts = readers.get(type)?.(reading) ?? [unknown(reading)]
  return {
    ...present({
      sessionId: idOf(payload.conversation_id) ?? idOf(payload.session_id),
      turnId: outsideOfTurns.has(type) ? undefined : idOf(payload.generation_id),
      directory: directoryOf(payload),
      session: sessionChange(type),
      identity: identityOf(type, payload, facts),
    }),
    facts,
  }
}

/** A generation is a turn; these hooks carry one and belong to none (seed A's original). */
const outsideOfTurns: ReadonlySet<string> = new Set([
  'sessionStart',
  'sessionEnd',
  'subagentStart',
  'subagentStop',
  'preCompact',
])

/** What each hook says. A hook that is not here is `unknown`; `hook-table.ts` says of every one why. */
const readers: ReadonlyMap<string, (reading: Reading) => Fact[]> = new Map<
  string,
  (reading: Reading) => Fact[]
>([
  ['sessionStart', () => [event({ kind: 'session.started', cause: 'startup' })]],
  ['sessionEnd', readSessionEnd],
  [
    'beforeSubmitPrompt',
    ({ payload }) => [{ type: 'prompt', text: firstText(payload, ['prompt'], maxTextLength) ?? '' }],
  ],
  ['preToolUse', readPreToolUse],
  ['postToolUse', readPostToolUse],
  ['postToolUseFailure', readPostToolUseFailure],
  ['afterAgentResponse', readResponse],
  ['afterAgentThought', readThought],
  ['subagentStart', readSubagentStart],
  ['subagentStop', readSubagentStop],
  ['preCompact', readPreCompact],
  ['stop', readStop],
  // The hooks of one kind of tool each tell what preToolUse and postToolUse tell of all, without their ids.
  ['beforeShellExecution', () => []],
  ['afterShellExecution', () => []],
  ['beforeMCPExecution', () => []],
  ['afterMCPExecution', () => []],
  ['beforeReadFile', () => []],
  ['afterFileEdit', () => []],
  ['beforeTabFileRead', () => []],
  ['afterTabFileEdit', () => []],
  ['workspaceOpen', () => []],
])

function directoryOf(payload: Fields): string | undefined {
  const [root] = listOf(payload.workspace_roots)
  return firstText({ root, cwd: payload.cwd }, ['root', 'cwd'], maxDirectoryLength)
}

function sessionChange(type: string): ParsedHook['session'] {
  if (type === 'sessionStart') return 'started'
  return type === 'sessionEnd' ? 'ended' : undefined
}

/** The causes of the vocabulary are Cursor's own words. */
function readSessionEnd({ payload }: Reading): Fact[] {
  const { reason } = payload
  switch (reason) {
    case 'completed':
    case 'aborted':
    case 'error':
    case 'window_close':
    case 'user_close':
      return [event({ kind: 'session.ended', cause: reason })]
    default:
      return [event({ kind: 'session.ended', cause: 'unknown' })]
  }
}

function readResponse({ payload }: Reading): Fact[] {
  const text = firstText(payload, ['text', 'response', 'content'], maxTextLength)
  if (text === undefined) return []
  // Responses have no ids; a hook that is registered twice tells one twice.
  const generation = idOf(payload.generation_id)
  const messageId = generation === undefined ? undefined : inputKeyOf([generation, text])
  return [{ type: 'message', index: 0, last: true, final: true, text, ...present({ messageId }) }]
}

function readThought(reading: Reading): Fact[] {
  const text = firstText(reading.payload, ['text', 'thought', 'content'], maxTextLength)
  return text === undefined ? [unknown(reading)] : [event({ kind: 'thinking', text })]
}

function readSubagentStart({ payload }: Reading): Fact[] {
  const { subagentId, subagentType, task } = subagentOf(payload)
  const id = subagentId ?? idOf(payload.tool_call_id) ?? inputKeyOf([subagentType, task])
  return [
    event({
      kind: 'subagent.started',
      subagent_id: id,
      ...present({ subagent_type: subagentType, task }),
    }),
  ]
}

/** The documented shape has no id: the tracker looks for one that was started alike. */
function readSubagentStop({ payload }: Reading): Fact[] {
  return [{ type: 'subagent-end', ...present(subagentOf(payload)), cause: causeOf(payload.status) }]
}

function subagentOf(payload: Fields) {
  return {
    subagentId: idOf(payload.subagent_id) ?? idOf(payload.id),
    subagentType: firstText(payload, ['subagent_type'], maxIdLength),
    task: firstText(payload, ['task', 'prompt'], maxLineLength),
  }
}

function readPreCompact({ payload }: Reading): Fact[] {
  const percent = amountOf(payload.context_usage_percent)
  return [
    event({
      kind: 'context.compacting',
      ...triggerOf(payload.trigger),
      ...present({ context_usage_percent: percent }),
    }),
  ]
}

function readStop({ payload }: Reading): Fact[] {
  const cause = payload.status === undefined ? 'completed' : causeOf(payload.status)
  const errorMessage = cause === 'error' ? errorOf(payload.error_message ?? payload.error) : undefined
  return [{ type: 'turn-end', cause, wordsTold: true, ...present({ errorMessage }) }]
}

function causeOf(status: unknown): 'completed' | 'aborted' | 'error' | 'unknown' {
  return status === 'completed' || status === 'aborted' || status === 'error' ? status : 'unknown'
}
