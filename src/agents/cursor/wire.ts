import { join } from 'node:path'
import type { WireOptions, WireOutcome, WiringOptions } from '../wiring/agent-wiring.ts'
import { fieldsOf } from '../fields.ts'
import { findAgent, readAgentVersion, type AgentProgram } from '../find-agent.ts'
import type { HookEntry, HooksForm } from '../settings/hooks.ts'
import { createForwarderMatcher, inspectHooksFile } from '../settings/inspect.ts'
import { unwireHooksFile, wireHooksFile, type HooksFile } from '../settings/wire.ts'
import { forwarderCommandOf, projectOf, refuseHttp, sharedNotes } from '../wiring/wire-options.ts'
import { cursorEventsFor, knownCursorEvents } from './wire-events.ts'

/** Both read the same file: the program for terminals, and the command of the editor. */
const programs: readonly AgentProgram[] = [
  { agent: 'cursor', title: 'Cursor', programs: ['cursor-agent'], places: [] },
  { agent: 'cursor', title: 'Cursor', programs: ['cursor'], places: [] },
]

/** What a file of Cursor's looks like: without a version it is refused. */
export function createCursorForm(): HooksForm {
  return { isOurs: createForwarderMatcher('cursor'), flat: true, required: { version: 1 } }
}

/** Our entry for each event. It has no key that the first versions did not know, and no URL, which Cursor refuses. */
export function buildCursorHooks(
  options: WiringOptions,
  events: readonly string[],
): ReadonlyMap<string, HookEntry> {
  // It takes an answer of some hooks for granted.
  const command = forwarderCommandOf('cursor', options, { emptyAnswer: '{}' })
  return new Map(events.map((event) => [event, { command }]))
}

/** The file of the user, and that of the project in `directory`. */
export function cursorHooksPaths({ homeDir, directory }: WiringOptions): [string, ...string[]] {
  const user = join(homeDir, '.cursor', 'hooks.json')
  return directory === undefined ? [user] : [user, join(directory, '.cursor', 'hooks.json')]
}

/**
 * Writes one entry for each hook event that the installed Cursor is known to have into its `hooks.json`. Repeating it
 * changes nothing.
 *
 * @throws BridgeError `settings_unparseable`, `settings_unwritable`, `settings_busy`, `home_unusable`,
 * `home_not_private`, `usage`; nothing was changed then
 */
export async function wireCursor(options: WireOptions): Promise<WireOutcome> {
  refuseHttp('Cursor', options)
  const file = fileOf(options)
  const versions = await readVersions(options)
  const wanted = buildCursorHooks(options, cursorEventsFor(versions))
  const outcome = await wireHooksFile(file, wanted)
  const strangers = unknownEvents(inspectHooksFile(file.path, file, wanted).settings)
  return {
    ...outcome,
    notes: [
      ...outcome.notes,
      ...versionNotes(versions, wanted.size),
      ...strangers.map(
        (event) =>
          `"${event}" in ${file.path} is no event of Cursor's, and may make it pass over the whole file`,
      ),
      ...sharedNotes(options, file.path),
    ],
  }
}

/** Takes our entries out of Cursor's `hooks.json`. @throws BridgeError as {@link wireCursor} */
export async function unwireCursor(options: WireOptions): Promise<WireOutcome> {
  return unwireHooksFile(fileOf(options))
}

/** Events in a file that no version of Cursor is known to have. */
export function unknownEvents(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(fieldsOf(settings['hooks'])).filter((event) => !knownCursorEvents.includes(event))
}

async function readVersions({ env, homeDir }: WireOptions): Promise<string[]> {
  const answers = programs.map(async (program) => {
    const found = findAgent(program, { path: env['PATH'], homeDir })
    return found && readAgentVersion(found.path, { path: env['PATH'] })
  })
  return (await Promise.all(answers)).flatMap((answer) =>
    answer && 'version' in answer ? [answer.version] : [],
  )
}

function versionNotes(versions: readonly string[], count: number): string[] {
  const all = cursorEventsFor(['9999.0.0']).length
  if (count >= all) return []
  const why =
    versions.length > 0
      ? `Cursor ${versions.join(' and ')} is known to have`
      : 'its first version with hooks had, since no Cursor was found that tells its version,'
  return [
    `only the ${count} of ${all} events are wired that ${why}; run this again after an update`.replace(
      ',;',
      ';',
    ),
  ]
}

function fileOf(options: WireOptions): HooksFile {
  const [user, project] = cursorHooksPaths({
    ...options,
    directory: options.scope === 'project' ? projectOf(options) : undefined,
  })
  return { path: project ?? user, bridgeHome: options.bridgeHome, ...createCursorForm() }
}
