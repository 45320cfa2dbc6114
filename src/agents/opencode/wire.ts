import { dirname } from 'node:path'
import { BridgeError } from '../../core/errors.ts'
import type { WireOptions, WireOutcome } from '../wiring/agent-wiring.ts'
import { editSettingsFile } from '../settings/settings-file.ts'
import { sharedNotes } from '../wiring/wire-options.ts'
import { buildPluginText, isPluginText, openCodeFolder, pluginPath } from './wire-plugin.ts'
import { removeIfEmpty, seedFolder, unseedFolder } from './wire-seed.ts'

/** What a plugin is wired to: everything at once. */
export const pluginEvents: readonly string[] = ['plugin']

/**
 * Puts our plugin into OpenCode's folder, which loads whatever lies there. Repeating it changes nothing. The plugin
 * always posts by itself, so `http` makes no difference.
 *
 * @throws BridgeError `settings_unwritable`, `settings_busy`, `settings_unparseable`, `home_unusable`,
 * `home_not_private`, `usage`; nothing was changed then
 */
export async function wireOpenCode(options: WireOptions): Promise<WireOutcome> {
  const { bridgeHome } = options
  const folder = openCodeFolder(options)
  const path = pluginPath(folder)
  const wanted = buildPluginText(options)
  const { changed, backup, notes } = await editSettingsFile({
    path,
    bridgeHome,
    change: (text) => {
      const had = text !== undefined && isPluginText(text)
      if (text !== undefined && text.trim() !== '' && !had)
        throw new BridgeError('settings_unwritable', { path, problem: 'it is a plugin of somebody else' })
      return { text: wanted, had, has: true, created: [] }
    },
  })
  const spare = await trySeed(folder, bridgeHome)
  return {
    path,
    changed,
    ...(backup !== undefined && { backup }),
    events: pluginEvents,
    notes: [...notes, ...(changed ? spare : []), ...sharedNotes(options, path)],
  }
}

/** Sparing OpenCode the install is a favour: when it cannot be done the plugin works all the same. */
async function trySeed(folder: string, bridgeHome: string): Promise<string[]> {
  try {
    if (!(await seedFolder(folder, bridgeHome))) return []
    return [
      `OpenCode does not install @opencode-ai/plugin into ${folder} any more: ours does not need it; run this again once you add a plugin or a tool there`,
    ]
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error
    return [`OpenCode may take two minutes to start without a network (${error.message.replace(/\.$/, '')})`]
  }
}

/** Takes our plugin and what came with it away again. @throws BridgeError as {@link wireOpenCode} */
export async function unwireOpenCode(options: WireOptions): Promise<WireOutcome> {
  const { bridgeHome } = options
  const folder = openCodeFolder(options)
  const path = pluginPath(folder)
  let had = false
  const { changed, backup, notes } = await editSettingsFile({
    path,
    bridgeHome,
    change: (text, past) => {
      had = text !== undefined && isPluginText(text)
      const original = past.untouched ? past.original?.text : undefined
      return { text: had ? original : text, had, has: false, created: [] }
    },
  })
  await unseedFolder(folder, bridgeHome)
  if (changed) removeIfEmpty(dirname(path))
  return { path, changed, ...(backup !== undefined && { backup }), events: had ? pluginEvents : [], notes }
}
