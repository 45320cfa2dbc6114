import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { ensurePrivateFile } from '../config/private-file.ts'
import { BridgeError } from '../core/errors.ts'
import { isBusy, messageOf } from './database.ts'

/**
 * Holds the home for this process. Node has no flock, so the lock is an exclusive transaction on a small
 * database of its own: the operating system releases it with the process, however that ends.
 *
 * @throws BridgeError `already_running` when another process holds it, `home_unusable` when it cannot be opened
 */
export function openHomeLock(home: string): Disposable {
  const path = join(home, 'lock.db')
  let database: DatabaseSync | undefined
  try {
    ensurePrivateFile(path)
    database = new DatabaseSync(path, { timeout: 0 })
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    if (!isBusy(error))
      throw new BridgeError('home_unusable', { path, problem: messageOf(error) }, { cause: error })
    throw new BridgeError('already_running', { home, pid: runningPid(home) ?? 'unknown' }, { cause: error })
  }
  const held = database
  return {
    [Symbol.dispose]: () => {
      if (held.isOpen) held.close()
    },
  }
}

function runningPid(home: string): number | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'))
    if (typeof parsed === 'object' && parsed !== null && 'pid' in parsed) return Number(parsed.pid)
  } catch {
    // The lock is the fact; the file only helps to name its holder.
  }
  return undefined
}
