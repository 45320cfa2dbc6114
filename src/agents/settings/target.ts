import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileProblem } from '../../config/file-problem.ts'
import { BridgeError } from '../../core/errors.ts'

/** As many as Linux follows. */
const maxLinks = 40

/**
 * The file that a path stands for once its links are followed: the one to read and to replace, so that links stay
 * links. It need not exist: then it is where a dangling link points.
 *
 * @throws BridgeError `settings_unwritable` when links run in a circle or cannot be read
 */
export function resolveTarget(path: string): string {
  let target = path
  try {
    for (let links = 0; links <= maxLinks; links += 1) {
      const stats = lstatSync(target, { throwIfNoEntry: false })
      if (!stats?.isSymbolicLink()) return target
      target = resolve(dirname(target), readlinkSync(target))
    }
  } catch (error) {
    throw new BridgeError('settings_unwritable', { path, problem: fileProblem(error) }, { cause: error })
  }
  throw new BridgeError('settings_unwritable', { path, problem: 'its symbolic links run in a circle' })
}
