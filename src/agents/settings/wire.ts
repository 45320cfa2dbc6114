import type { WireOutcome } from '../wiring/agent-wiring.ts'
import { editSettingsFile, type SettingsChange, type SettingsPast } from './settings-file.ts'
import { addHooks, findHooks, removeHooks, type HookEntry, type HooksForm } from './hooks.ts'

/** A settings file of an agent in JSON that holds hooks. */
export interface HooksFile extends HooksForm {
  readonly path: string
  readonly bridgeHome: string
}

/**
 * Brings the file to one entry of ours for each event. Repeating it changes nothing; after a move or an upgrade it
 * brings the entries up to date where they stand.
 *
 * @throws BridgeError `settings_unparseable`, `settings_unwritable`, `settings_busy`, `home_unusable`,
 * `home_not_private`; nothing was changed then
 */
export async function wireHooksFile(
  file: HooksFile,
  events: ReadonlyMap<string, HookEntry>,
): Promise<WireOutcome> {
  const { path, bridgeHome } = file
  let found: readonly string[] = []
  const { changed, backup, notes } = await editSettingsFile({
    path,
    bridgeHome,
    change: (text) => {
      const edit = addHooks(path, text ?? '', { ...file, events })
      found = edit.notes
      return { text: edit.text, had: edit.had, has: true, created: edit.created }
    },
  })
  return {
    path,
    changed,
    ...(backup !== undefined && { backup }),
    events: [...events.keys()],
    notes: [...notes, ...found],
  }
}

/**
 * Takes our entries out. The file is byte for byte what it was before it was wired when nobody else has changed it
 * since; else everything that is not ours stays.
 *
 * @throws BridgeError as {@link wireHooksFile}
 */
export async function unwireHooksFile(file: HooksFile): Promise<WireOutcome> {
  const { path, bridgeHome } = file
  let events: readonly string[] = []
  const { changed, backup, notes } = await editSettingsFile({
    path,
    bridgeHome,
    change: (text, past) => {
      events = text === undefined ? [] : [...new Set(findHooks(path, text, file).map(({ event }) => event))]
      return { text: restore(file, text, past), had: events.length > 0, has: false, created: [] }
    },
  })
  return { path, changed, ...(backup !== undefined && { backup }), events, notes }
}

function restore(file: HooksFile, text: string | undefined, past: SettingsPast): SettingsChange['text'] {
  if (text === undefined) return undefined
  const { original } = past
  const isClean = original !== undefined && findHooks(file.path, original.text ?? '', file).length === 0
  if (past.untouched && isClean) return original.text
  const edited = removeHooks(file.path, text, file, past.created).text
  // The whole file was ours, or was blank before us.
  const isEmptied = edited !== text && past.created?.includes('') && edited.replaceAll(/\s/g, '') === '{}'
  return isEmptied && isClean ? original.text : edited
}
