import { join } from 'node:path'
import { BridgeError } from '../../core/errors.ts'

/** Which settings file of Claude Code is meant. */
export interface ClaudeSettingsPlace {
  readonly homeDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** `project`: only what runs in `directory`, and only for this user. */
  readonly scope: 'user' | 'project'
  readonly directory?: string | undefined
}

/** A settings file that Claude Code reads. */
export interface ClaudeSettingsFile {
  readonly path: string
  readonly scope: 'user' | 'shared project' | 'project'
}

/**
 * The settings file: of the user `settings.json` in `CLAUDE_CONFIG_DIR` or `~/.claude`; of a project
 * `.claude/settings.local.json`, because `settings.json` beside it is shared with others by git.
 */
export function claudeSettingsPath(place: ClaudeSettingsPlace): string {
  const wanted = claudeSettingsFiles(place).find(({ scope }) => scope === place.scope)
  if (!wanted) throw new BridgeError('usage', { problem: 'a project needs its directory' })
  return wanted.path
}

/** Every settings file that may hold hooks for an agent started in `directory`. */
export function claudeSettingsFiles({
  env,
  homeDir,
  directory,
}: Omit<ClaudeSettingsPlace, 'scope'>): ClaudeSettingsFile[] {
  const configDirectory = env['CLAUDE_CONFIG_DIR'] || join(homeDir, '.claude')
  const user: ClaudeSettingsFile = { path: join(configDirectory, 'settings.json'), scope: 'user' }
  if (directory === undefined) return [user]
  return [
    user,
    { path: join(directory, '.claude', 'settings.json'), scope: 'shared project' },
    { path: join(directory, '.claude', 'settings.local.json'), scope: 'project' },
  ]
}
