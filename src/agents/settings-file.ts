import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileProblem, errorCode } from '../config/file-problem.ts'
import { prepareHome } from '../config/home.ts'
import { BridgeError } from '../core/errors.ts'
import { SettingsBackups, type SettingsPast } from './settings-file-backup.ts'
import { openSettingsLock } from './settings-file-lock.ts'
import { unparseable } from './settings-file-json.ts'
import { resolveTarget } from './settings-file-target.ts'

export type { SettingsPast } from './settings-file-backup.ts'

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

/** No settings come near it; what is larger is some other file. */
const maxBytes = 16_000_000
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
    if (!replace(path, target, before, bytes)) return undefined
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

interface Current {
  readonly bytes: Buffer
  readonly stats: BigIntStats
}

function readCurrent(path: string, target: string): Current | undefined {
  const found = statSync(target, { throwIfNoEntry: false })
  if (!found) return undefined
  // A pipe or a device would be waited for.
  if (!found.isFile())
    throw unwritable(path, found.isDirectory() ? 'it is a directory, not a file' : 'it is not a file')
  if (found.size > maxBytes) throw unwritable(path, `it is larger than ${maxBytes} bytes`)
  let file: number
  try {
    file = openSync(target, constants.O_RDONLY)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    return { bytes: readFileSync(file), stats: fstatSync(file, { bigint: true }) }
  } finally {
    closeSync(file)
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

/** Puts `bytes` in the place of `before`, or removes it; false when the file is no longer what `before` says. */
function replace(
  path: string,
  target: string,
  before: Current | undefined,
  bytes: Buffer | undefined,
): boolean {
  if (bytes === undefined) {
    if (!isStill(path, target, before)) return false
    unlinkSync(target)
    syncDirectory(dirname(target))
    return true
  }
  if (!before && target === path) mkdirSync(dirname(target), { recursive: true })
  if (!existsSync(dirname(target)))
    throw unwritable(path, `it is a link to ${target}, whose directory does not exist`)
  const temporary = temporaryOf(target, process.pid)
  try {
    writeTemporary(path, temporary, bytes, before?.stats)
    if (!isStill(path, target, before)) return false
    // From the last look to the rename there is nothing but the rename.
    if (before) renameSync(temporary, target)
    else linkNew(temporary, target)
  } catch (error) {
    if (!before && errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  syncDirectory(dirname(target))
  return true
}

/** Gives a file its name only if nobody else has taken it meanwhile, where the file system can do that. */
function linkNew(temporary: string, target: string): void {
  try {
    linkSync(temporary, target)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error
    renameSync(temporary, target)
  }
}

function writeTemporary(path: string, temporary: string, bytes: Buffer, like: BigIntStats | undefined): void {
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(file, bytes)
    if (like) {
      const own = fstatSync(file, { bigint: true })
      if (own.uid !== like.uid || own.gid !== like.gid) takeOwner(path, file, like)
      fchmodSync(file, Number(like.mode & 0o7777n))
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function takeOwner(path: string, file: number, like: BigIntStats): void {
  try {
    fchownSync(file, Number(like.uid), Number(like.gid))
  } catch (error) {
    throw new BridgeError(
      'settings_unwritable',
      { path, problem: 'it belongs to another user or group, which an edit would change' },
      { cause: error },
    )
  }
}

/** Whether the path still leads to the same file with the same content. */
function isStill(path: string, target: string, before: Current | undefined): boolean {
  if (resolveTarget(path) !== target) return false
  if (before && !readCurrent(path, target)?.bytes.equals(before.bytes)) return false
  const now = statSync(target, { bigint: true, throwIfNoEntry: false })
  if (!now || !before) return now === before
  return (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs', 'mode'] as const).every(
    (key) => now[key] === before.stats[key],
  )
}

function temporaryOf(target: string, pid: number): string {
  return join(dirname(target), `.${basename(target)}.agent-bridge-${pid}.tmp`)
}

/** An installer that was killed may have left its temporary file. */
function removeStrayFiles(target: string): void {
  const directory = dirname(target)
  const start = `.${basename(target)}.agent-bridge-`
  try {
    for (const name of readdirSync(directory)) {
      const pid =
        name.startsWith(start) && name.endsWith('.tmp') ? Number(name.slice(start.length, -4)) : Number.NaN
      if (pid === process.pid || (Number.isSafeInteger(pid) && !isAlive(pid)))
        rmSync(join(directory, name), { force: true })
    }
  } catch {
    // A directory that is not there, or not ours to change: writing will tell.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function syncDirectory(path: string): void {
  try {
    const directory = openSync(path, 'r')
    try {
      fsyncSync(directory)
    } finally {
      closeSync(directory)
    }
  } catch {
    // Some file systems cannot; the edit is done either way.
  }
}

function notesOf(stats: BigIntStats | undefined): string[] {
  return stats && stats.nlink > 1n
    ? ['the file had another name (a hard link), which keeps the old content']
    : []
}

function unwritable(path: string, problem: string): BridgeError {
  return new BridgeError('settings_unwritable', { path, problem })
}
