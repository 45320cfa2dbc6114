import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEntry } from '../settings/hooks.ts'
import { unwireHooksFile, wireHooksFile } from '../settings/wire.ts'
import { buildClaudeHooks, createClaudeHookMatcher } from './wire-hooks.ts'
import { inspectClaudeWiring } from './wire-inspect.ts'
import { claudeSettingsPath, type ClaudeSettingsPlace } from './wire-place.ts'

export interface UnwireClaudeOptions extends ClaudeSettingsPlace {
  readonly bridgeHome: string
}

export interface WireClaudeOptions extends UnwireClaudeOptions {
  /** Claude posts the hooks itself; SessionStart keeps the forwarder. */
  readonly http?: boolean | undefined
  readonly nodePath: string
  /** Absent: the machine has no Perl, and the forwarder runs on Node. */
  readonly perlPath?: string | undefined
  /** The directory of `hook.pl` and `hook.js`; absolute. */
  readonly forwarderDir: string
}

export interface WireResult {
  /** The settings file, as it was asked for. */
  readonly path: string
  readonly changed: boolean
  /** The copy from before the edit. */
  readonly backup?: string
  /** The hook events that are wired now, or that no longer are. */
  readonly events: readonly string[]
  /** What the user should know, each a sentence without its full stop. */
  readonly notes: readonly string[]
}

/**
 * Writes one entry for each hook event into Claude Code's settings. Repeating it changes nothing; after a move or
 * an upgrade it brings the entries up to date where they stand.
 *
 * @throws BridgeError `settings_unparseable`, `settings_unwritable`, `settings_busy`, `home_unusable`,
 * `home_not_private`; nothing was changed then
 */
export async function wireClaude(options: WireClaudeOptions): Promise<WireResult> {
  const outcome = await wireHooksFile(fileOf(options), wantedClaudeHooks(options))
  const http = options.http
    ? ['Claude Code takes the token from BRIDGE_TOKEN in the environment it is started with']
    : []
  return { ...outcome, notes: [...outcome.notes, ...http, ...inspectClaudeWiring(options).twice] }
}

/**
 * Takes our entries out of Claude Code's settings. The file is byte for byte what it was before it was wired when
 * nobody else has changed it since; else everything that is not ours stays.
 *
 * @throws BridgeError as {@link wireClaude}
 */
export async function unwireClaude(place: UnwireClaudeOptions): Promise<WireResult> {
  return unwireHooksFile(fileOf(place))
}

function fileOf(place: UnwireClaudeOptions) {
  return {
    path: claudeSettingsPath(place),
    bridgeHome: place.bridgeHome,
    isOurs: createClaudeHookMatcher(),
  }
}

/** The entry that {@link wireClaude} writes for each event; what the wiring found is compared with. */
export function wantedClaudeHooks(options: WireClaudeOptions): ReadonlyMap<string, HookEntry> {
  const { homeDir, bridgeHome, forwarderDir, nodePath, perlPath, http } = options
  return buildClaudeHooks({
    forwarderDir,
    nodePath,
    perlPath,
    customHome: bridgeHome === join(homeDir, '.bridge') ? undefined : bridgeHome,
    httpUrl: http ? bridgeUrl(options) : undefined,
  })
}

/** Where forwarders post: the environment, else what the daemon wrote, else the default. */
function bridgeUrl({ env, bridgeHome }: WireClaudeOptions): string {
  const url = env['BRIDGE_URL']
  if (url) return url
  try {
    const forward = readFileSync(join(bridgeHome, 'forward'), 'utf8')
    return /^url=(.+)$/m.exec(forward)?.[1] ?? defaultUrl
  } catch {
    // The daemon has not run yet.
    return defaultUrl
  }
}

const defaultUrl = 'http://127.0.0.1:8787'
