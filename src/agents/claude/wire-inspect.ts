import { isDeepStrictEqual } from 'node:util'
import { BridgeError } from '../../core/errors.ts'
import { readSettingsText } from '../settings/settings-file.ts'
import { findHooks, type HookEntry } from '../settings/hooks.ts'
import { contentOf, parseJsonText } from '../settings/json.ts'
import { wiredEvents } from './wire-events.ts'
import { createClaudeHookMatcher } from './wire-hooks.ts'
import { claudeSettingsFiles, type ClaudeSettingsFile, type ClaudeSettingsPlace } from './wire-place.ts'

/** Our entries in one settings file. */
export interface WiredFile extends ClaudeSettingsFile {
  /** The events that have an entry; none: the file is not wired. */
  readonly events: readonly string[]
  readonly missing: readonly string[]
  /** Events whose entry is not what `wire` would write now. */
  readonly outdated: readonly string[]
  /** Events with more than one entry. */
  readonly duplicates: readonly string[]
  /** Why the file could not be read. */
  readonly problem?: string
}

/** How Claude Code is wired. */
export interface ClaudeWiring {
  readonly files: readonly WiredFile[]
  /** The plugins that bring the same hooks and are enabled, such as `agent-bridge@agent-bridge`. */
  readonly plugins: readonly string[]
  /** Hooks that come more than once and why, each a sentence without its full stop. */
  readonly twice: readonly string[]
}

/**
 * Looks at every settings file that counts for `directory` (absent: only the user's) and changes nothing. `wanted` is
 * what `wire` would write; without it nothing is called outdated.
 */
export function inspectClaudeWiring(
  place: Omit<ClaudeSettingsPlace, 'scope'>,
  wanted?: ReadonlyMap<string, HookEntry>,
): ClaudeWiring {
  const looks = claudeSettingsFiles(place).map((file) => lookAt(file, wanted))
  const plugins = [...new Set(looks.flatMap((look) => look.plugins))]
  const files = looks.map(({ file }) => file)
  const wired = looks.filter(({ file }) => file.events.length > 0)
  const [first, ...others] = wired
  const twice = [
    ...files
      .filter(({ duplicates }) => duplicates.length > 0)
      .map(
        ({ path, duplicates }) => `${path} has more than one hook of the bridge for ${duplicates.join(', ')}`,
      ),
    // Claude Code runs equal commands of several files once.
    ...others
      .filter(({ entries }) => !isDeepStrictEqual(entries, first?.entries))
      .map(
        ({ file }) => `${first?.file.path} and ${file.path} both have hooks of the bridge, and they differ`,
      ),
    ...(first ? plugins : []).map(
      (plugin) =>
        `the plugin ${plugin} is enabled too, so each hook comes twice: run "claude plugin disable ${plugin}"`,
    ),
  ]
  return { files, plugins, twice }
}

interface Look {
  readonly file: WiredFile
  readonly entries: ReadonlyMap<string, HookEntry>
  readonly plugins: readonly string[]
}

function lookAt(file: ClaudeSettingsFile, wanted: ReadonlyMap<string, HookEntry> | undefined): Look {
  const nothing = { events: [], missing: wiredEvents, outdated: [], duplicates: [] }
  try {
    const text = readSettingsText(file.path) ?? ''
    const found = findHooks(file.path, text, createClaudeHookMatcher())
    const entries = new Map(found.map(({ event, entry }) => [event, entry]))
    const events = [...entries.keys()]
    return {
      file: {
        ...file,
        events,
        missing: wiredEvents.filter((event) => !entries.has(event)),
        outdated: wanted
          ? events.filter((event) => !isDeepStrictEqual(entries.get(event), wanted.get(event)))
          : [],
        duplicates: events.filter((name) => found.filter(({ event }) => event === name).length > 1),
      },
      entries,
      plugins: text.trim() === '' ? [] : enabledPlugins(contentOf(parseJsonText(file.path, text).root)),
    }
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error
    return { file: { ...file, ...nothing, problem: error.message }, entries: new Map(), plugins: [] }
  }
}

/** Claude Code notes plugins as `"enabledPlugins": {"NAME@MARKETPLACE": true}`. */
function enabledPlugins(settings: unknown): string[] {
  if (typeof settings !== 'object' || settings === null || !('enabledPlugins' in settings)) return []
  const { enabledPlugins: plugins } = settings
  if (typeof plugins !== 'object' || plugins === null) return []
  return Object.entries(plugins).flatMap(([name, enabled]) =>
    enabled === true && name.startsWith('agent-bridge@') ? [name] : [],
  )
}
