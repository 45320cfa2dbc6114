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
  writeFileSync,
  type BigIntStats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../config/file-problem.ts'
import { BridgeError } from '../../core/errors.ts'
import { replaceIfSame } from './swap.ts'
import { resolveTarget } from './target.ts'

/** No settings come near it; what is larger is some other file. */
const maxBytes = 16_000_000

/** A file as it was read. */
export interface Current {
  readonly bytes: Buffer
  readonly stats: BigIntStats
}

/** Reads the file behind a path; undefined when there is none. */
export function readCurrent(path: string, target: string): Current | undefined {
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

/**
 * Puts `bytes` in the place of `before`, or removes it (undefined), with its mode and owner. False: the file is no
 * longer what `before` says, and stays.
 */
export function replaceFile(
  path: string,
  target: string,
  before: Current | undefined,
  bytes: Buffer | undefined,
): boolean {
  if (!before && bytes && target === path) mkdirSync(dirname(target), { recursive: true })
  if (!existsSync(dirname(target))) {
    throw unwritable(path, `it is a link to ${target}, whose directory does not exist`)
  }
  const temporary = temporaryOf(target, process.pid)
  // Held open so that its number, which it is told apart by, is not given to a newer file meanwhile.
  using _held = before && holdOpen(target)
  try {
    if (bytes) writeTemporary(path, temporary, bytes, before?.stats)
    if (!isStill(path, target, before)) return false
    const replaced = bytes
      ? putInPlace(temporary, target, before)
      : before === undefined || takeAway(temporary, target, before)
    if (replaced) syncDirectory(dirname(target))
    return replaced
  } finally {
    rmSync(temporary, { force: true })
  }
}

function holdOpen(path: string): Disposable | undefined {
  try {
    const file = openSync(path, 'r')
    return { [Symbol.dispose]: () => closeSync(file) }
  } catch {
    // Gone: the comparison will tell.
    return undefined
  }
}

function putInPlace(temporary: string, target: string, before: Current | undefined): boolean {
  if (!before) return linkNew(temporary, target)
  const ours = statSync(temporary, { bigint: true })
  if (!replaceIfSame(temporary, target, before.stats)) return false
  if (isUnchanged(temporary, before)) return true
  // Somebody has written into the old file since: that is the newer one.
  replaceIfSame(temporary, target, ours)
  return false
}

/** Takes the file aside first: what is found to be another one goes back. */
function takeAway(temporary: string, target: string, before: Current): boolean {
  renameSync(target, temporary)
  if (isUnchanged(temporary, before)) return true
  linkNew(temporary, target)
  return false
}

/** Whether what was replaced is what was read, where it still can be told. */
function isUnchanged(temporary: string, before: Current): boolean {
  return !existsSync(temporary) || readFileSync(temporary).equals(before.bytes)
}

/** Gives a file its name unless another one has it, as far as the file system can do that in one step. */
function linkNew(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target)
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(code)) throw error
    renameSync(temporary, target)
  }
  return true
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
export function removeStrayFiles(target: string): void {
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

function unwritable(path: string, problem: string): BridgeError {
  return new BridgeError('settings_unwritable', { path, problem })
}
