import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readSettingsText } from '../settings/settings-file.ts'
import type { WireOptions, WiringOptions } from '../wiring/agent-wiring.ts'
import { projectOf } from '../wiring/wire-options.ts'

/** How our file among OpenCode's plugins begins. */
const mark = '// agent-bridge:'

/**
 * The plugin as it stands in OpenCode's folder: it loads the real one from where the bridge is installed, so that an
 * upgrade of the bridge is one of the plugin too, and does nothing once that is gone. OpenCode takes every export of
 * the file for a plugin, so it has just one.
 */
export function buildPluginText({ homeDir, bridgeHome, forwarderDir }: WiringOptions): string {
  const url = pathToFileURL(join(forwarderDir, 'opencode-plugin.js')).href
  const options = bridgeHome === join(homeDir, '.bridge') ? {} : { home: bridgeHome }
  return `${mark} tells the bridge what OpenCode does. "bridge unwire opencode" takes this file away.
export const AgentBridge = async (input) => {
  try {
    const { createHooks } = await import(${JSON.stringify(url)})
    return createHooks(input, ${JSON.stringify(options)})
  } catch {
    // The bridge is no longer installed there.
    return {}
  }
}
`
}

export function isPluginText(text: string): boolean {
  return text.startsWith(mark)
}

/** OpenCode's folder of settings: the user's (`OPENCODE_CONFIG_DIR`, else in `XDG_CONFIG_HOME`), or the project's. */
export function openCodeFolder(options: WireOptions): string {
  const [user, project] = openCodeFolders({
    ...options,
    directory: options.scope === 'project' ? projectOf(options) : undefined,
  })
  return project ?? user
}

export function openCodeFolders({ env, homeDir, directory }: WiringOptions): [string, ...string[]] {
  const user =
    env['OPENCODE_CONFIG_DIR'] || join(env['XDG_CONFIG_HOME'] || join(homeDir, '.config'), 'opencode')
  return directory === undefined ? [user] : [user, join(directory, '.opencode')]
}

/** `plugin` is the name that every version looks into; newer ones look into `plugins` as well. */
export function pluginPath(folder: string): string {
  return join(folder, 'plugin', 'agent-bridge.js')
}

/** Our file; undefined when there is none, or another of that name. */
export function readPlugin(folder: string): string | undefined {
  const text = readSettingsText(pluginPath(folder))
  return text !== undefined && isPluginText(text) ? text : undefined
}
