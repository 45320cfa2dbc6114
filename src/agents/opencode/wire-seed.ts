import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../../config/file-problem.ts'
import { editSettingsFile, readSettingsText } from '../settings/settings-file.ts'
import { pluginPath } from './wire-plugin.ts'

/**
 * OpenCode installs the package `@opencode-ai/plugin` into every folder of settings at its start, and plugins wait for
 * it: two minutes on a machine without a network (agents.md, OpenCode). It leaves that out where there is a folder
 * `node_modules` and a `package-lock.json` that names the package (read from 1.18.33). Our plugin does not need it.
 */
const dependencies = { '@opencode-ai/plugin': '*' }
const seeds: Readonly<Record<string, string>> = {
  'package.json': textOf({ private: true, dependencies }),
  'package-lock.json': textOf({ lockfileVersion: 3, requires: true, packages: { '': { dependencies } } }),
}
const modules = 'node_modules'

function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Where OpenCode looks for what people write themselves, which may need the package. */
const otherFolders = ['plugin', 'plugins', 'tool', 'tools']

/**
 * Spares a folder the install where nothing else could need it; where something could, and we have spared it before,
 * the install is let happen. True: it is spared.
 */
export async function seedFolder(folder: string, bridgeHome: string): Promise<boolean> {
  if (hasOthers(folder)) {
    await unseedFolder(folder, bridgeHome)
    return false
  }
  const known = Object.keys(seeds).map((name) => readSettingsText(join(folder, name)))
  const isOurs = known.every((text, index) => text === Object.values(seeds)[index])
  const isBare = known.every((text) => text === undefined) && !existsSync(join(folder, modules))
  if (!isOurs && !isBare) return false
  mkdirSync(join(folder, modules), { recursive: true })
  for (const [name, seed] of Object.entries(seeds)) await replace(folder, name, bridgeHome, undefined, seed)
  return true
}

/** Takes away what {@link seedFolder} made, as far as nobody has changed it. */
export async function unseedFolder(folder: string, bridgeHome: string): Promise<void> {
  for (const [name, seed] of Object.entries(seeds)) await replace(folder, name, bridgeHome, seed, undefined)
  removeIfEmpty(join(folder, modules))
}

/** Removes a directory that has nothing in it. */
export function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error
  }
}

async function replace(
  folder: string,
  name: string,
  bridgeHome: string,
  from: string | undefined,
  to: string | undefined,
): Promise<void> {
  const path = join(folder, name)
  if (readSettingsText(path) !== from) return
  const change = (text: string | undefined) => {
    return { text: text === from ? to : text, had: from !== undefined, has: to !== undefined, created: [] }
  }
  await editSettingsFile({ path, bridgeHome, change })
}

function hasOthers(folder: string): boolean {
  return otherFolders.some((name) => {
    const directory = join(folder, name)
    return existsSync(directory) && readdirSync(directory).some((file) => !isOurPlugin(folder, name, file))
  })
}

function isOurPlugin(folder: string, name: string, file: string): boolean {
  const path = pluginPath(folder)
  return dirname(path) === join(folder, name) && join(folder, name, file) === path
}
