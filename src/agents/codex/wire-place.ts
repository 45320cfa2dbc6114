import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { WireOptions, WiringOptions } from '../wiring/agent-wiring.ts'
import { projectOf } from '../wiring/wire-options.ts'

/** The files of Codex that hooks are about. */
export interface CodexPlace {
  /** `hooks.json`, as Codex itself names it in its list of trusted hooks. */
  readonly hooks: string
  /** The user's `config.toml`, where that list is, also for the hooks of projects. */
  readonly config: string
}

/** `$CODEX_HOME` or `~/.codex`; for a project `.codex/hooks.json` in its directory. */
export function codexPlace(options: WireOptions): CodexPlace {
  const [user, project] = codexPlaces({
    ...options,
    directory: options.scope === 'project' ? projectOf(options) : undefined,
  })
  return project ?? user
}

/** The user's files, and those of the project in `directory`. */
export function codexPlaces({ env, homeDir, directory }: WiringOptions): [CodexPlace, ...CodexPlace[]] {
  const named = env['CODEX_HOME']
  // Codex takes links out of a home that is named, and leaves them in the usual one.
  const home = named ? realPathOf(named) : join(homeDir, '.codex')
  const config = join(home, 'config.toml')
  const user = { hooks: join(home, 'hooks.json'), config }
  if (directory === undefined) return [user]
  return [user, { hooks: join(realPathOf(directory), '.codex', 'hooks.json'), config }]
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // Not there yet: then nothing of it is a link.
    return path
  }
}
