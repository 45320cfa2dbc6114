import type { Adapter, Fact, Hook, ParsedHook } from '../adapter.ts'
import { isFields, present, textOf } from '../fields.ts'
import { event, idOf, identityOf } from '../reading.ts'
import { todosOf } from '../todos.ts'
import { hasNoNews } from './hook-table.ts'
import { readChatMessage, readMessage, readPart, readTextComplete } from './messages.ts'
import { directoryOf, parentOf, readingOf, sessionOf, type OpenCodeReading } from './reading.ts'
import {
  readPermissionAnswer,
  readPermissionAsked,
  readQuestionAnswer,
  readQuestionAsked,
} from './requests.ts'
import { readError, readSessionStart, readStatus, turnEnd } from './sessions.ts'
import { subagentFacts } from './subagents.ts'
import { readToolAfter, readToolBefore } from './tool-hooks.ts'

/** Reads the events and plugin hooks of OpenCode, as its plugin posts them. */
export const openCodeAdapter: Adapter = {
  agent: 'opencode',
  nativeHookType: (body) => {
    const type = textOf(body.type)
    return type !== undefined && type.length <= 100 && isFields(body.properties) ? type : undefined
  },
  parse: parseHook,
}

function parseHook(hook: Hook): ParsedHook {
  const reading = readingOf(hook)
  const { type, payload } = reading
  const facts = readers.get(type)?.(reading) ?? (hasNoNews(type) ? [] : [unknown(reading)])
  const ownSession = sessionOf(reading)
  const parent = parentOf(reading)
  const isSubagent = parent !== undefined && ownSession !== undefined
  return {
    ...present({
      sessionId: isSubagent ? parent : ownSession,
      directory: directoryOf(reading),
      session: isSubagent ? undefined : sessionChange(type),
      // Each event has its own id, so that equal ones can be told from one that was posted twice.
      identity: idOf(payload.id) ?? identityOf(type, payload, facts),
    }),
    facts: isSubagent ? subagentFacts(ownSession, reading, facts) : facts,
  }
}

/** What each hook says. One that is not here says nothing, or is `unknown`: `hook-table.ts` says which and why. */
const readers: ReadonlyMap<string, (reading: OpenCodeReading) => Fact[]> = new Map<
  string,
  (reading: OpenCodeReading) => Fact[]
>([
  ['session.created', readSessionStart],
  ['session.deleted', () => [event({ kind: 'session.ended', cause: 'unknown' })]],
  ['session.status', readStatus],
  ['session.idle', () => [turnEnd]],
  ['session.error', readError],
  ['session.compacted', () => [event({ kind: 'context.compacting' })]],
  ['chat.message', readChatMessage],
  ['message.updated', readMessage],
  ['message.part.updated', readPart],
  ['experimental.text.complete', readTextComplete],
  ['tool.execute.before', readToolBefore],
  ['tool.execute.after', readToolAfter],
  ['permission.asked', readPermissionAsked],
  ['permission.updated', readPermissionAsked],
  ['permission.v2.asked', readPermissionAsked],
  ['permission.replied', readPermissionAnswer],
  ['permission.v2.replied', readPermissionAnswer],
  ['question.asked', readQuestionAsked],
  ['question.v2.asked', readQuestionAsked],
  ['question.replied', readQuestionAnswer],
  ['question.rejected', readQuestionAnswer],
  ['question.v2.replied', readQuestionAnswer],
  ['question.v2.rejected', readQuestionAnswer],
  ['todo.updated', readTodos],
])

function readTodos(reading: OpenCodeReading): Fact[] {
  const { todos, items } = reading.fields
  return [todosOf({ todos: todos ?? items }) ?? unknown(reading)]
}

function unknown({ truncated }: OpenCodeReading): Fact {
  return event(truncated ? { kind: 'unknown', truncated } : { kind: 'unknown' })
}

/** A person may delete a session and go on with another one. */
function sessionChange(type: string): ParsedHook['session'] {
  if (type === 'session.created') return 'started'
  return type === 'session.deleted' ? 'switched' : undefined
}
