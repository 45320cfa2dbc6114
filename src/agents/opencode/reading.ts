import type { Hook } from '../adapter.ts'
import { fieldsOf, firstText, isFields, textOf, type Fields } from '../fields.ts'
import { idOf, maxDirectoryLength } from '../reading.ts'

/**
 * One hook of OpenCode, in any of the shapes it is posted in: an event of its bus (`{id, type, properties}`), a
 * hook of its plugins (`{input, output}`), or either with its fields at the top (seed A's original).
 */
export interface OpenCodeReading {
  readonly type: string
  readonly payload: Fields
  /** The fields of an event, or of a flat body. */
  readonly fields: Fields
  /** What a hook of a plugin was called with, and what it may change; empty for an event. */
  readonly input: Fields
  readonly output: Fields
  readonly truncated: boolean
}

export function readingOf(hook: Hook): OpenCodeReading {
  const payload = fieldsOf(hook.payload)
  const isEvent = isFields(payload.properties)
  const input = fieldsOf(payload.input)
  // A flat body has the input of its tool there.
  const isPlugin = !isEvent && textOf(input.sessionID) !== undefined
  return {
    type: isEvent ? (textOf(payload.type) ?? hook.type) : hook.type,
    payload,
    fields: isEvent ? fieldsOf(payload.properties) : payload,
    input: isPlugin ? input : {},
    output: isPlugin ? fieldsOf(payload.output) : {},
    truncated: hook.truncated === true,
  }
}

/** The session a hook is about; undefined for one about the program. */
export function sessionOf({ type, fields, input }: OpenCodeReading): string | undefined {
  const info = fieldsOf(fields.info)
  const own = type.startsWith('session.') ? info.id : undefined
  const named = [input.sessionID, fields.sessionID, fields.sessionId, fields.session_id]
  const inside = [own, info.sessionID, fieldsOf(fields.part).sessionID]
  return [...named, ...inside].map(idOf).find((id) => id !== undefined)
}

/** The session that started this one as a subagent: an event tells it once, our plugin with every hook. */
export function parentOf({ type, payload, fields }: OpenCodeReading): string | undefined {
  const told = type.startsWith('session.') ? fieldsOf(fields.info).parentID : undefined
  return idOf(payload.parentSessionID) ?? idOf(told)
}

export function directoryOf({ payload, fields, input }: OpenCodeReading): string | undefined {
  const info = fieldsOf(fields.info)
  const directory = fields.directory ?? info.directory ?? fieldsOf(info.path).cwd ?? input.cwd
  return firstText({ directory, own: payload.directory }, ['own', 'directory'], maxDirectoryLength)
}
