import {
  editSettingsFile,
  readSettingsText,
  type SettingsPast,
  type SettingsResult,
} from '../settings/settings-file.ts'
import { findHooks, type FoundHook, type HookEntry, type HooksForm } from '../settings/hooks.ts'
import { parseToml, type Toml } from '../settings/toml.ts'
import { putTomlSettings, removeTomlTables } from '../settings/toml-edit.ts'
import { trustHashOf, trustKeyOf } from './wire-hooks.ts'
import type { CodexPlace } from './wire-place.ts'

/** The table of each hook in `config.toml`, and the key in it. */
const state = ['hooks', 'state']
const hashKey = 'trusted_hash'

/** The hash that `config.toml` ought to hold for each of our hooks, by the name of its table. */
export type Trust = ReadonlyMap<string, string>

/** What has to be trusted for our hooks to run, as `hooks.json` is now. */
export function wantedTrust(place: CodexPlace, form: HooksForm): Trust {
  const found = findHooks(place.hooks, readSettingsText(place.hooks) ?? '', form)
  return new Map(found.map((hook) => [trustKeyOf(place.hooks, hook), trustHashOf(hook)]))
}

/** @throws BridgeError `settings_unparseable` when `config.toml` could not be edited */
export function checkTrust(place: CodexPlace): void {
  parseToml(place.config, readSettingsText(place.config) ?? '')
}

/** Writes down that our hooks are trusted: else Codex asks about each of them at its start. */
export function writeTrust(place: CodexPlace, trust: Trust, bridgeHome: string): Promise<SettingsResult> {
  const settings = [...trust].map(([key, value]) => ({ path: [...state, key], key: hashKey, value }))
  return editSettingsFile({
    path: place.config,
    bridgeHome,
    change: (text) => {
      const before = text ?? ''
      const after = putTomlSettings(place.config, before, settings)
      const had = hasAny(parseToml(place.config, before), (key) => trust.has(key))
      return { text: after, had, has: true, created: before.trim() === '' ? [''] : [] }
    },
  })
}

/**
 * Takes the trust in our hooks out again: in those that stood in `hooks.json`, and in any of that file that are what
 * `wire` writes (`wanted`), should the file be gone.
 */
export function removeTrust(
  place: CodexPlace,
  trust: Trust,
  wanted: ReadonlyMap<string, HookEntry>,
  bridgeHome: string,
): Promise<SettingsResult> {
  const hashes = new Set(
    [...wanted].map(([event, entry]) => trustHashOf({ event, matcher: undefined, entry })),
  )
  return editSettingsFile({
    path: place.config,
    bridgeHome,
    change: (text, past) => {
      if (text === undefined) return { text, had: false, has: false, created: [] }
      const isOurs = ourKeys(place, parseToml(place.config, text), trust, hashes)
      return { text: restore(place, text, past, isOurs), had: true, has: false, created: [] }
    },
  })
}

/** The events whose hook Codex would ask about, since nobody trusted it, or something else. */
export function untrustedEvents(place: CodexPlace, found: readonly FoundHook[]): string[] {
  const toml = parseToml(place.config, readSettingsText(place.config) ?? '')
  const told = new Map(toml.entries.map(({ path, value }) => [JSON.stringify(path), value]))
  return found
    .filter((hook) => {
      const key = JSON.stringify([...state, trustKeyOf(place.hooks, hook), hashKey])
      return told.get(key) !== trustHashOf(hook)
    })
    .map(({ event }) => event)
}

/** Whether `config.toml` switches all hooks off. */
export function areHooksOff(place: CodexPlace): boolean {
  const { entries } = parseToml(place.config, readSettingsText(place.config) ?? '')
  return entries.some(({ path, value }) => path.join('.') === 'features.hooks' && value === false)
}

function ourKeys(place: CodexPlace, toml: Toml, trust: Trust, hashes: ReadonlySet<string>) {
  const keys = new Set(trust.keys())
  for (const { path, value } of toml.entries) {
    const [, , key] = path
    if (!isStateOf(path) || path[3] !== hashKey || key === undefined) continue
    if (key.startsWith(`${place.hooks}:`) && typeof value === 'string' && hashes.has(value)) keys.add(key)
  }
  return (key: string) => keys.has(key)
}

function hasAny({ tables, entries }: Toml, isOurs: (key: string) => boolean): boolean {
  return [...tables, ...entries].some(({ path }) => isStateOf(path) && isOurs(path[2] ?? ''))
}

function isStateOf(path: readonly string[]): boolean {
  return path.length > state.length && state.every((part, index) => part === path[index])
}

function restore(
  place: CodexPlace,
  text: string,
  past: SettingsPast,
  isOurs: (key: string) => boolean,
): string | undefined {
  const { original } = past
  const isClean = original !== undefined && !hasAny(parseToml(place.config, original.text ?? ''), isOurs)
  if (past.untouched && isClean) return original.text
  const isGone = (name: readonly string[]) =>
    name.length === state.length + 1 && isStateOf(name) && isOurs(name.at(-1) ?? '')
  const edited = removeTomlTables(place.config, text, isGone)
  const isEmptied = edited !== text && past.created?.includes('') && edited.trim() === ''
  return isEmptied && isClean ? original.text : edited
}
