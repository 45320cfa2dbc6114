import { hash } from 'node:crypto'
import type { Fact, ParsedHook } from '../adapter.ts'
import type { TrackerMemory } from './memory.ts'

/**
 * Hooks registered twice (in a plugin and in the settings) are posted twice within milliseconds; a person or an
 * agent does not do the same thing twice in this time.
 */
export const repeatMs = 1_000

/** These know a repetition by the ids and the state of what they are about. */
const ownRules: ReadonlySet<Fact['type']> = new Set([
  'activity',
  'denied',
  'calls-over',
  'request',
  'request-answered',
  'message',
])

/** A key that is equal for byte-identical facts of one turn and session; none where a hook has a rule of its own. */
export function hookKeyOf(parsed: ParsedHook): string | undefined {
  const { sessionId, group, session, identity, facts } = parsed
  if (facts.length === 0 || facts.some((fact) => ownRules.has(fact.type))) return undefined
  return hash('sha1', JSON.stringify([sessionId, group, session, identity, facts]), 'base64url').slice(0, 16)
}

/** Whether the same was told a moment ago. An end is new as long as there is a turn that it can end. */
export function isRepeated(
  memory: TrackerMemory,
  parsed: ParsedHook,
  key: string | undefined,
  at: number,
): boolean {
  const before = key === undefined ? undefined : memory.hooks.get(key)
  if (before === undefined || Math.abs(at - before) > repeatMs) return false
  return !(memory.turn && parsed.facts.some((fact) => fact.type === 'turn-end'))
}
