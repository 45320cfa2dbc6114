import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { ensurePrivateFile } from '../../config/private-file.ts'
import { BridgeError } from '../../core/errors.ts'

/** An edit takes milliseconds; whoever holds the lock longer hangs. */
const patienceMs = 15_000

/**
 * Lets one installer of a home edit at a time, whichever agent it is for. Like the lock of the home it is an
 * exclusive transaction: the system releases it with its process, so nothing can be left behind.
 *
 * @throws BridgeError `settings_busy`, about `path`, when it does not come free
 */
export async function openSettingsLock(bridgeHome: string, path: string): Promise<Disposable> {
  const lock = join(bridgeHome, 'wire.lock')
  ensurePrivateFile(lock)
  const database = new DatabaseSync(lock, { timeout: 0 })
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE')
      return { [Symbol.dispose]: () => database.close() }
    } catch (error) {
      if (isBusy(error) && performance.now() < deadline) {
        await delay(5 + Math.random() * 20)
        continue
      }
      database.close()
      if (!isBusy(error)) throw error
      throw new BridgeError('settings_busy', { path }, { cause: error })
    }
  }
}

/** SQLITE_BUSY: somebody else has it. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}
