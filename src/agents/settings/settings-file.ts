import { isAbsolute } from 'node:path'
import type { BigIntStats } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileProblem, errorCode } from '../../config/file-problem.ts'
import { prepareHome } from '../../config/home.ts'
import { BridgeError } from '../../core/errors.ts'
import { SettingsBackups, type SettingsPast } from './backup.ts'
import { openSettingsLock } from './lock.ts'
import { unparseable } from './json.ts'
import { readCurrent, removeStrayFiles, replaceFile } from './replace.ts'
import { resolveTarget } from './target.ts'

export type { SettingsPast } from './backup.ts'

/** What an edit makes of a text. */
export interface SettingsChange {
  /** The new text; undefined: no file. */
  readonly text: string | undefined
  /** Our entries were in the old text. */
  readonly had: boolean
  /** Our entries are in the new text. */
  readonly has: boolean
  readonly created: readonly string[]
}

export interface SettingsEdit {
  /** The settings file of an agent, absolute; links are followed. */
  readonly path: string
  /** Where the lock and the backups are. */
  readonly bridgeHome: string
  /**
   * The new text for the old one (undefined: there is no file; a byte order mark is kept apart). Called again when
   * the file changed meanwhile. What it throws ends the edit with nothing changed.
   */
  readonly change: (text: string | undefined, past: SettingsPast) => SettingsChange
}

export interface SettingsResult {
  /** The file that was edited, links followed. */
  readonly target: string
  readonly changed: boolean
  /** The copy from before the edit; absent when nothing was changed or there was no file. */
  readonly backup?: string
  readonly notes: readonly string[]
}

const attempts = 10
/** Another program may be in the middle of writing a file that changed this recently. */
const unsettledMs = 1_000
const settleMs = 40
const byteOrderMark = '\uFEFF'

/**
 * Edits a settings file of somebody else's program: under a lock, with a backup, replaced in one step, and only if
 * it is still what the edit was made from. Mode and owner stay, links stay links.
 *
 * @throws BridgeError `settings_unwritable`, `settings_busy`, `settings_unparseable`, `home_unusable`,
 * `home_not_private`; nothing was changed then
 */
export async function editSettingsFile(edit: SettingsEdit): Promise<SettingsResult> {
  const { path, bridgeHome } = edit
  if (!isAbsolute(path))
    throw new BridgeError('usage', { problem: `"${path}" is not an absolute path; is HOME set?` })
  prepareHome(bridgeHome)
  using _lock = await openSettingsLock(bridgeHome, path)
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const result = tryEdit(edit, attempt === attempts)
    if (result) return result
    await delay(settleMs + Math.random() * settleMs)
  }
  throw new BridgeError('settings_busy', { path })
}

/** Undefined: the file is changing, and the edit has to begin again. */
function tryEdit({ path, bridgeHome, change }: SettingsEdit, isLast: boolean): SettingsResult | undefined {
  try {
    const target = resolveTarget(path)
    removeStrayFiles(target)
    const before = readCurrent(path, target)
    const settled = isLast || before === undefined || Date.now() - Number(before.stats.mtimeMs) > unsettledMs
    const text = before && decode(path, before.bytes)
    // An empty file is fine, unless somebody has just emptied it to write it anew.
    if (text?.trim() === '' && !settled) return undefined
    const backups = new SettingsBackups(bridgeHome, target)
    const past = backups.past(before?.bytes)
    let after: SettingsChange
    try {
      after = change(text, withoutMark(past))
    } catch (error) {
      if (!settled && error instanceof BridgeError && error.code === 'settings_unparseable') return undefined
      throw error
    }
    const notes = notesOf(before?.stats)
    if (after.text === text) return { target, changed: false, notes: [] }

    const mark = before?.bytes.toString('utf8', 0, 3) === byteOrderMark ? byteOrderMark : ''
    const bytes = after.text === undefined ? undefined : Buffer.from(mark + after.text)
    const backup = before && backups.keep(before.bytes, Date.now())
    if (!replaceFile(path, target, before, bytes)) return undefined
    if (after.has && bytes) backups.remember(bytes, { had: after.had, created: after.created, backup, past })
    else backups.forget()
    return { target, changed: true, ...(backup !== undefined && { backup }), notes }
  } catch (error) {
    if (error instanceof BridgeError || errorCode(error) === undefined) throw error
    throw new BridgeError('settings_unwritable', { path, problem: fileProblem(error) }, { cause: error })
  }
}

/** Reads a settings file as text, links followed, without a byte order mark; undefined when there is none. */
export function readSettingsText(path: string): string | undefined {
  try {
    const before = readCurrent(path, resolveTarget(path))
    return before && decode(path, before.bytes)
  } catch (error) {
    if (error instanceof BridgeError || errorCode(error) === undefined) throw error
    throw new BridgeError('settings_unwritable', { path, problem: fileProblem(error) }, { cause: error })
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const valid = bytes.toString('utf8').indexOf('\uFFFD')
    throw unparseable({ path, text: bytes.toString('utf8') }, Math.max(0, valid), 'it is not UTF-8')
  }
}

function withoutMark(past: SettingsPast): SettingsPast {
  const text = past.original?.text
  return text?.startsWith(byteOrderMark) ? { ...past, original: { text: text.slice(1) } } : past
}

function notesOf(stats: BigIntStats | undefined): string[] {
  return stats && stats.nlink > 1n
    ? ['the file had another name (a hard link), which keeps the old content']
    : []
}
