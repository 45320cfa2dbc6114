import { accessSync, constants, lstatSync, readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { errorCode, fileProblem } from '../../config/file-problem.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import type { DoctorContext } from './context.ts'
import { listOf, shellPath } from './words.ts'

const make = checksOf('home')

/** Whether the home is there, of this user, closed to others and writable, and everything in it of this user. */
export function checkHome(context: DoctorContext): Check[] {
  const directory = checkDirectory(context)
  return directory.state === 'ok' ? [directory, checkOwners(context)] : [directory]
}

function checkDirectory({ home, homeDir, command }: DoctorContext): Check {
  const shown = shortPath(home, homeDir)
  const path = shellPath(home, homeDir)
  let stats: Stats
  try {
    stats = statSync(home)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      return make.problem('directory', `${shown} cannot be used: ${fileProblem(error)}`, `ls -ld ${path}`)
    }
    return make.warning('directory', `${shown} does not exist yet; the first start makes it`, command('up'))
  }
  if (!stats.isDirectory()) {
    return make.problem(
      'directory',
      `${shown} is a file, not a directory`,
      'Move it away, or set BRIDGE_HOME',
    )
  }
  const uid = process.getuid?.()
  if (uid !== undefined && stats.uid !== uid) {
    return make.problem(
      'directory',
      `${shown} belongs to the user with the id ${stats.uid}, and this command runs as ${uid}`,
      `Run it as that user, or give yours the home: sudo chown -R ${uid} ${path}`,
    )
  }
  if ((stats.mode & 0o077) !== 0) {
    return make.problem(
      'directory',
      `${shown} can be read by other users (mode ${(stats.mode & 0o777).toString(8)}); the bridge does not start`,
      `chmod 700 ${path}`,
    )
  }
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const unwritable = (stats.mode & 0o700) !== 0o700
    return make.problem(
      'directory',
      `${shown} cannot be written: ${fileProblem(error)}`,
      unwritable ? `chmod 700 ${path}` : `df -h ${path} shows which file system it is on`,
    )
  }
  return make.ok('directory', `${shown} is yours alone and writable`)
}

/** A command that was once run as root leaves files that its owner can no longer write. */
function checkOwners({ home, homeDir }: DoctorContext): Check {
  const uid = process.getuid?.()
  const names = readdirSync(home)
  const foreign = names.filter((name) => {
    const stats = lstatSync(join(home, name), { throwIfNoEntry: false })
    return stats !== undefined && uid !== undefined && stats.uid !== uid
  })
  if (foreign.length === 0) return make.ok('files', 'Everything in it is yours')
  return make.problem(
    'files',
    `Other users own ${listOf(foreign)} in it`,
    `sudo chown -R ${uid} ${shellPath(home, homeDir)}`,
  )
}
