import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { BridgeError } from '../core/errors.ts'

/**
 * Holds the home for this process. Node has no flock, so the lock is an exclusive transaction on a small
 * database of its own: the operating system releases it with the process, however that ends.
 *
 * @throws BridgeError `already_running` when another process holds it
 */
export function openHomeLock(home: string): Disposable {
  const database = new DatabaseSync(join(home, 'lock.db'), { timeout: 0 })
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw new BridgeError('already_running', { home, pid: runningPid(home) ?? 'unknown' }, { cause: error })
  }
  return {
    [Symbol.dispose]: () => {
      if (database.isOpen) database.close()
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
