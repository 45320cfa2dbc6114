import { createHash } from 'node:crypto'
import type { WiringOptions } from '../wiring/agent-wiring.ts'
import type { FoundHook, HookEntry } from '../settings/hooks.ts'
import { forwarderCommandOf } from '../wiring/wire-options.ts'
import { codexHookTable } from './hook-table.ts'

/** The hook events that are wired: all that Codex has. */
export const codexEvents: readonly string[] = [...new Set(codexHookTable.map(({ hook }) => hook))].filter(
  // What is written otherwise is no hook: what Codex tells the program that `notify` names.
  (event) => /^[A-Z]/.test(event),
)

/** Codex gives these hooks three seconds at most (agents.md, Codex). */
const shortEvents = ['SessionEnd', 'Interrupt']
const shortSeconds = 3
/** Only has to be longer than the forwarder takes, so that Codex never kills one that is about to spool. */
const timeoutSeconds = 60
/** What Codex takes where an entry does not say. */
const defaultSeconds = 600

/** These events have nothing to match: Codex passes over a matcher. */
const unmatchedEvents = ['UserPromptSubmit', 'Stop', 'SessionEnd', 'Interrupt']

/** Our entry for each event. */
export function buildCodexHooks(options: WiringOptions): ReadonlyMap<string, HookEntry> {
  const command = forwarderCommandOf('codex', options)
  return new Map(
    codexEvents.map((event) => {
      const timeout = shortEvents.includes(event) ? shortSeconds : timeoutSeconds
      return [event, { type: 'command', command, timeout }]
    }),
  )
}

/** The name of the hook in the list of those a person trusts: its file, event and place. */
export function trustKeyOf(
  file: string,
  { event, group, index }: Omit<FoundHook, 'entry' | 'matcher'>,
): string {
  return `${file}:${snakeCase(event)}:${group}:${index}`
}

/**
 * What Codex writes down when a person trusts a hook: a hash over the hook as it understands it, keys sorted (agents.md,
 * Codex; held against `hooks/list` of 0.171.0).
 */
export function trustHashOf({ event, matcher, entry }: Omit<FoundHook, 'group' | 'index'>): string {
  const { command, timeout, statusMessage } = entry
  const seconds = typeof timeout === 'number' ? Math.max(1, timeout) : defaultSeconds
  const hook = {
    async: false,
    command,
    ...(typeof statusMessage === 'string' && { statusMessage }),
    timeout: shortEvents.includes(event) ? Math.min(seconds, shortSeconds) : seconds,
    type: 'command',
  }
  const identity = {
    event_name: snakeCase(event),
    hooks: [hook],
    ...(matcher !== undefined && !unmatchedEvents.includes(event) && { matcher }),
  }
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`
}

function snakeCase(event: string): string {
  return event.replaceAll(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}
