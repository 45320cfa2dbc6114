import type { WireOptions, WireOutcome } from '../wiring/agent-wiring.ts'
import { createForwarderMatcher } from '../settings/inspect.ts'
import { unwireHooksFile, wireHooksFile } from '../settings/wire.ts'
import { readSettingsText } from '../settings/settings-file.ts'
import { findHooks } from '../settings/hooks.ts'
import { refuseHttp, sharedNotes } from '../wiring/wire-options.ts'
import { buildCodexHooks } from './wire-hooks.ts'
import { codexPlace } from './wire-place.ts'
import { checkTrust, removeTrust, wantedTrust, writeTrust } from './wire-trust.ts'

/**
 * Writes one entry for each hook event into Codex's `hooks.json`, and that they are trusted into its `config.toml`.
 * Repeating it changes nothing.
 *
 * @throws BridgeError `settings_unparseable`, `settings_unwritable`, `settings_busy`, `home_unusable`,
 * `home_not_private`, `usage`; nothing was changed then
 */
export async function wireCodex(options: WireOptions): Promise<WireOutcome> {
  refuseHttp('Codex', options)
  const { bridgeHome } = options
  const place = codexPlace(options)
  const file = { path: place.hooks, bridgeHome, isOurs: createForwarderMatcher('codex') }
  checkTrust(place)
  const outcome = await wireHooksFile(file, buildCodexHooks(options))
  try {
    const trust = await writeTrust(place, wantedTrust(place, file), bridgeHome)
    return {
      ...outcome,
      changed: outcome.changed || trust.changed,
      notes: [
        ...outcome.notes,
        ...trust.notes,
        ...trustNotes(trust.changed, place.config),
        ...sharedNotes(options, place.hooks),
      ],
    }
  } catch (error) {
    // Untrusted hooks would only make Codex ask about them.
    if (outcome.changed) await unwireHooksFile(file)
    throw error
  }
}

/**
 * Takes our entries and the trust in them out of Codex's files. Both are byte for byte what they were when nobody else
 * has changed them since; else everything that is not ours stays.
 *
 * @throws BridgeError as {@link wireCodex}
 */
export async function unwireCodex(options: WireOptions): Promise<WireOutcome> {
  const { bridgeHome } = options
  const place = codexPlace(options)
  const file = { path: place.hooks, bridgeHome, isOurs: createForwarderMatcher('codex') }
  checkTrust(place)
  const before = wantedTrust(place, file)
  const moved = eventsThatMove(place.hooks, file.isOurs)
  const outcome = await unwireHooksFile(file)
  const trust = await removeTrust(place, before, buildCodexHooks(options), bridgeHome)
  const asks = moved.map(
    (event) => `a hook of somebody else stood behind ours for ${event}: Codex may ask about it again`,
  )
  return {
    ...outcome,
    changed: outcome.changed || trust.changed,
    notes: [...outcome.notes, ...trust.notes, ...asks],
  }
}

function trustNotes(changed: boolean, config: string): string[] {
  return changed ? [`Codex trusts these hooks: ${config} says so`] : []
}

/** Codex knows a hook by its place, which changes when one before it goes. */
function eventsThatMove(path: string, isOurs: ReturnType<typeof createForwarderMatcher>): string[] {
  const all = findHooks(path, readSettingsText(path) ?? '', () => true)
  const behind = all.filter((hook, index) => {
    return (
      !isOurs(hook.entry) &&
      all.slice(0, index).some(({ event, entry }) => event === hook.event && isOurs(entry))
    )
  })
  return [...new Set(behind.map(({ event }) => event))]
}
