import type { Adapter, Fact, Hook, ParsedHook } from '../adapter.ts'
import { fieldsOf, firstText, present, textOf, type Fields } from '../fields.ts'
import {
  event,
  idOf,
  identityOf,
  maxDirectoryLength,
  maxIdLength,
  maxTextLength,
  sessionStartCauseOf,
  triggerOf,
  unknown,
  type Reading,
} from '../reading.ts'
import { readPermissionRequest, readPostToolUse, readPreToolUse } from './tool-hooks.ts'

/** Codex' own word for the program it can be told to start after each turn; it is no hook. */
const notification = 'agent-turn-complete'

/** Reads the hooks of Codex. They have nearly the shapes of Claude's, and rules of their own. */
export const codexAdapter: Adapter = {
  agent: 'codex',
  nativeHookType: (body) => {
    if (body.type === notification) return notification
    const name = textOf(body.hook_event_name)
    return name !== undefined && name.length <= 100 ? name : undefined
  },
  parse: parseHook,
}

function parseHook(hook: Hook): ParsedHook {
  const payload = fieldsOf(hook.payload)
  const reading = { agent: 'codex', payload, truncated: hook.truncated === true }
  const type = readers.has(hook.type) ? hook.type : (textOf(payload.hook_event_name) ?? hook.type)
  const facts = readers.get(type)?.(reading) ?? [unknown(reading)]
  // What a subagent does carries turns of its own, which are no turns of the contact.
  const turnId = idOf(payload.agent_id) === undefined ? idOf(payload.turn_id) : undefined
  return {
    ...present({
      sessionId: idOf(payload.session_id),
      turnId,
      directory: firstText(payload, ['cwd'], maxDirectoryLength),
      session: sessionChange(type),
      identity: payload.stop_hook_active === true ? 'again' : identityOf(type, payload, facts),
    }),
    facts,
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
  ['SessionEnd', () => [event({ kind: 'session.ended', cause: 'unknown' })]],
  ['UserPromptSubmit', readPrompt],
  ['PreToolUse', readPreToolUse],
  ['PostToolUse', readPostToolUse],
  ['PermissionRequest', readPermissionRequest],
  ['PreCompact', ({ payload }) => [event({ kind: 'context.compacting', ...triggerOf(payload.trigger) })]],
  ['SubagentStart', readSubagentStart],
  ['SubagentStop', readSubagentStop],
  ['Stop', ({ payload }) => [{ type: 'turn-end', cause: 'completed', ...lastWordsOf(payload) }]],
  ['Interrupt', () => [{ type: 'turn-end', cause: 'aborted', onlyOpen: true }]],
  // Stop told it, and a hidden thread that finds a title for the session is told the same way.
  [notification, () => []],
  ['notify', () => []],
])

function sessionChange(type: string): ParsedHook['session'] {
  if (type === 'SessionStart') return 'started'
  return type === 'SessionEnd' ? 'ended' : undefined
}

/** What a person types while a turn is open steers that turn: it has one end for all its prompts. */
function readPrompt({ payload }: Reading): Fact[] {
  if (idOf(payload.agent_id) !== undefined) return []
  return [{ type: 'prompt', text: firstText(payload, ['prompt'], maxTextLength) ?? '', joins: true }]
}

function lastWordsOf(payload: Fields): { text?: string } {
  return present({ text: firstText(payload, ['last_assistant_message'], maxTextLength) })
}

function readSubagentStart(reading: Reading): Fact[] {
  const id = idOf(reading.payload.agent_id)
  if (id === undefined) return [unknown(reading)]
  const type = firstText(reading.payload, ['agent_type'], maxIdLength)
  return [event({ kind: 'subagent.started', subagent_id: id, ...present({ subagent_type: type }) })]
}

function readSubagentStop(reading: Reading): Fact[] {
  const subagentId = idOf(reading.payload.agent_id)
  if (subagentId === undefined) return [unknown(reading)]
  return [{ type: 'subagent-end', subagentId, cause: 'completed' }]
}
