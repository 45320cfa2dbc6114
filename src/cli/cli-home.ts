import { homedir } from 'node:os'
import { resolveHome } from '../config/home.ts'

/** The home a command works on: that of `--state`, of the environment, or the default. */
export function homeOf(state: string | undefined): string {
  return resolveHome({ state, env: process.env, cwd: process.cwd(), homeDir: homedir() })
}

/** A path as a person writes it, with `~` for their home directory. */
export function shortPath(path: string, homeDir = homedir()): string {
  if (path === homeDir) return '~'
  return homeDir !== '/' && path.startsWith(`${homeDir}/`) ? `~${path.slice(homeDir.length)}` : path
}
