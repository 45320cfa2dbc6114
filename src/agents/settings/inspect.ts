import { realpathSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { BridgeError } from '../../core/errors.ts'
import type { CommandHook, WiredFile, WiredHook } from '../wiring/agent-wiring.ts'
import { isFields, type Fields } from '../fields.ts'
import { isForwarderCommand } from '../forwarder/command.ts'
import { readSettingsText } from './settings-file.ts'
import { findHooks, type FoundHook, type HookEntry, type HooksForm } from './hooks.ts'
import { contentOf, parseJsonText } from './json.ts'

/** What a look at a settings file with hooks found. */
export interface HooksLook {
  readonly file: WiredFile
  /** Our entries, as they stand in it. */
  readonly found: readonly FoundHook[]
  readonly hooks: readonly WiredHook[]
  /** Events with more than one entry of ours. */
  readonly duplicates: readonly string[]
  /** All that the file says. */
  readonly settings: Fields
}

/** Looks at a file and changes nothing; `wanted` is what `wire` would write into it. */
export function inspectHooksFile(
  path: string,
  form: HooksForm,
  wanted: ReadonlyMap<string, HookEntry>,
): HooksLook {
  try {
    const text = readSettingsText(path) ?? ''
    const found = findHooks(path, text, form)
    const entries = new Map(found.map(({ event, entry }) => [event, entry]))
    const events = [...entries.keys()]
    const settings = text.trim() === '' ? {} : contentOf(parseJsonText(path, text).root)
    return {
      file: {
        path,
        events,
        missing: [...wanted.keys()].filter((event) => !entries.has(event)),
        outdated: events.filter((event) => !isAsWanted(entries.get(event), wanted.get(event))),
        foreign: findHooks(path, text, { ...form, isOurs: () => true }).length - found.length,
      },
      found,
      hooks: found.flatMap((hook) => wiredHooksOf(path, hook)),
      duplicates: events.filter((name) => found.filter(({ event }) => event === name).length > 1),
      settings: isFields(settings) ? settings : {},
    }
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error
    const file = { path, events: [], missing: [...wanted.keys()], outdated: [], foreign: 0 }
    return {
      file: { ...file, problem: error.message },
      found: [],
      hooks: [],
      duplicates: [],
      settings: {},
    }
  }
}

/** Leaves out what is the same file again: in the user's home directory the project's settings are the user's. */
export function distinctFiles(paths: readonly string[]): string[] {
  const real = paths.map(realPathOf)
  return paths.filter((_, index) => real.indexOf(real[index] ?? '') === index)
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // Not there: then it is no other file either.
    return path
  }
}

/** Other keys of an entry are whoever's wrote them. */
function isAsWanted(entry: HookEntry | undefined, wanted: HookEntry | undefined): boolean {
  return Object.entries(wanted ?? {}).every(([key, value]) => isDeepStrictEqual(entry?.[key], value))
}

/** What comes more than once, each a sentence without its full stop. */
export function sentencesOfDuplicates(looks: readonly HooksLook[]): string[] {
  const [first, ...others] = looks.filter(({ file }) => file.events.length > 0)
  return [
    ...looks
      .filter(({ duplicates }) => duplicates.length > 0)
      .map(
        ({ file, duplicates }) =>
          `${file.path} has more than one hook of the bridge for ${duplicates.join(', ')}`,
      ),
    ...others.map(
      ({ file }) => `${first?.file.path} and ${file.path} both have hooks of the bridge, so each comes twice`,
    ),
  ]
}

function wiredHooksOf(path: string, { event, matcher, entry }: FoundHook): WiredHook[] {
  const { command, args } = entry
  if (typeof command !== 'string') return []
  const hook: CommandHook = {
    type: 'command',
    command,
    ...(Array.isArray(args) && { args: args.map(String) }),
  }
  return [{ path, event, ...(matcher !== undefined && { matcher }), hook }]
}

/** Recognises entries that run our forwarder for an agent. Remembers what it has looked at. */
export function createForwarderMatcher(agent: string): (entry: HookEntry) => boolean {
  const known = new Map<string, boolean>()
  return ({ command, args }) => {
    if (typeof command !== 'string') return false
    const words = Array.isArray(args) ? args.map(String) : undefined
    const key = JSON.stringify([command, words])
    const found = known.get(key) ?? isForwarderCommand(command, words, agent)
    known.set(key, found)
    return found
  }
}
