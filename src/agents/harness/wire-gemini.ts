import { join } from 'node:path'
import type { WireOptions, WireOutcome, WiringOptions } from '../wiring/agent-wiring.ts'
import type { HookEntry } from '../settings/hooks.ts'
import { createForwarderMatcher } from '../settings/inspect.ts'
import { unwireHooksFile, wireHooksFile, type HooksFile } from '../settings/wire.ts'
import { forwarderCommandOf, projectOf, refuseHttp, sharedNotes } from '../wiring/wire-options.ts'
import { builtInHarnesses } from './read-harnesses.ts'

/** Milliseconds that Gemini gives the forwarder, which ends by itself much sooner. */
const timeoutMs = 60_000

/** The hook events that are wired: those that become something. AfterModel alone comes for every few words. */
const geminiEvents: readonly string[] = builtInHarnesses
  .filter(({ agent }) => agent === 'gemini')
  .flatMap(({ description }) => Object.entries(description.hooks))
  .filter(([, rules]) => rules.some(({ becomes }) => becomes !== 'nothing'))
  .map(([event]) => event)

/** Our entry for each event. */
export function buildGeminiHooks(options: WiringOptions): ReadonlyMap<string, HookEntry> {
  const command = forwarderCommandOf('gemini', options)
  return new Map(geminiEvents.map((event) => [event, { type: 'command', command, timeout: timeoutMs }]))
}

/** The settings of the user (`~/.gemini` or below `GEMINI_CLI_HOME`), and of the project in `directory`. */
export function geminiSettingsPaths({ env, homeDir, directory }: WiringOptions): [string, ...string[]] {
  const user = join(env['GEMINI_CLI_HOME'] || homeDir, '.gemini', 'settings.json')
  return directory === undefined ? [user] : [user, join(directory, '.gemini', 'settings.json')]
}

/**
 * Writes one entry for each hook event into Gemini CLI's settings. Repeating it changes nothing.
 *
 * @throws BridgeError `settings_unparseable`, `settings_unwritable`, `settings_busy`, `home_unusable`,
 * `home_not_private`, `usage`; nothing was changed then
 */
export async function wireGemini(options: WireOptions): Promise<WireOutcome> {
  refuseHttp('Gemini CLI', options)
  const file = fileOf(options)
  const outcome = await wireHooksFile(file, buildGeminiHooks(options))
  return { ...outcome, notes: [...outcome.notes, ...sharedNotes(options, file.path)] }
}

/** Takes our entries out of Gemini CLI's settings. @throws BridgeError as {@link wireGemini} */
export async function unwireGemini(options: WireOptions): Promise<WireOutcome> {
  return unwireHooksFile(fileOf(options))
}

function fileOf(options: WireOptions): HooksFile {
  const [user, project] = geminiSettingsPaths({
    ...options,
    directory: options.scope === 'project' ? projectOf(options) : undefined,
  })
  return {
    path: project ?? user,
    bridgeHome: options.bridgeHome,
    isOurs: createForwarderMatcher('gemini'),
  }
}
