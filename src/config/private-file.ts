import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Only the owner reads and writes (design, "Home"). */
const privateMode = 0o600

/**
 * Replaces `path` by a file of mode 0600 that holds `content`: temp file, fsync, rename, fsync of the directory.
 * After a crash at any point the old or the new content is there, whole. A failure leaves the old file and no
 * temp file behind; the error of the file system is thrown as it is.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  const temporary = writeTemporary(path, content)
  try {
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncDirectory(dirname(path))
}

/**
 * As {@link writePrivateFile}, but never replaces: of several processes that create one file at the same time
 * exactly one gets `true`, and the others find its content whole.
 */
export function createPrivateFile(path: string, content: string | Uint8Array): boolean {
  const temporary = writeTemporary(path, content)
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  syncDirectory(dirname(path))
  return true
}

/**
 * Makes an empty file of mode 0600, or gives one that is there this mode, for programs that open a path themselves.
 * An existing file is not opened: closing it would drop the locks this process holds on it.
 */
export function ensurePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', privateMode))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    chmodSync(path, privateMode)
  }
}

function writeTemporary(path: string, content: string | Uint8Array): string {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = openSync(temporary, 'wx', privateMode)
    try {
      writeFileSync(file, content)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return temporary
}

/** Makes the new name itself survive a power loss. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
