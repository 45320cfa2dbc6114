import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BridgeError } from '../../core/errors.ts'
import { version } from '../../core/version.ts'
import { isBusy, messageOf } from '../../store/database.ts'
import { formatDuration } from '../amounts.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import { isUp, type DoctorContext } from './context.ts'
import { fieldOf } from './http.ts'
import { openReadOnly } from './read-only-database.ts'

const make = checksOf('bridge')

/** Whether the daemon runs, is of this version, and holds its home. */
export function checkDaemon(context: DoctorContext): Check[] {
  const lock = readLock(join(context.home, 'lock.db'))
  return [describeDaemon(context, lock), describeLock(context, lock)]
}

/** Who holds a home: somebody, nobody, or why that cannot be seen. */
type Lock = 'held' | 'free' | 'absent' | { readonly problem: string }

function describeDaemon({ home, homeDir, daemon, command }: DoctorContext, lock: Lock): Check {
  const restart = `${command('down')} && ${command('up')}`
  if (isUp(daemon)) {
    const up = formatDuration(daemon.uptime_seconds * 1000)
    if (daemon.version === version) {
      return make.ok('daemon', `Version ${version} runs as process ${daemon.pid}, up ${up}`)
    }
    const finding = `The daemon that runs is version ${daemon.version}, and this command is ${version}`
    return make.warning('daemon', finding, restart)
  }
  const pid = holderOf(home)
  const end = pid === undefined ? command('logs') : `${command('logs')}, then kill ${pid}`
  const silent = daemon instanceof BridgeError && daemon.code === 'not_running'
  if (!silent) return make.problem('daemon', daemon.message.replace(/\.$/, ''), end)
  if (lock === 'held') {
    const who = pid === undefined ? 'A bridge' : `The bridge of process ${pid}`
    return make.problem('daemon', `${who} holds ${shortPath(home, homeDir)} and does not answer`, end)
  }
  return make.problem('daemon', `No bridge runs on ${shortPath(home, homeDir)}`, command('up'))
}

function describeLock({ daemon, command }: DoctorContext, lock: Lock): Check {
  if (typeof lock === 'object') return make.problem('lock', `lock.db cannot be read: ${lock.problem}`)
  if (!isUp(daemon)) {
    return lock === 'held'
      ? make.problem('lock', 'Another process holds the home, so no bridge can start on it')
      : make.ok('lock', 'Nothing holds the home, so a bridge can start on it')
  }
  if (lock === 'held') return make.ok('lock', 'It holds its home, so no second one can start on it')
  return make.problem(
    'lock',
    'It does not hold its home any more: lock.db was taken away',
    `${command('down')} && ${command('up')}`,
  )
}

function readLock(path: string): Lock {
  if (!existsSync(path)) return 'absent'
  try {
    openReadOnly(path).close()
    return 'free'
  } catch (error) {
    return isBusy(error) ? 'held' : { problem: messageOf(error) }
  }
}

function holderOf(home: string): number | undefined {
  try {
    const pid = fieldOf(JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8')), 'pid')
    return typeof pid === 'number' ? pid : undefined
  } catch {
    // It only helps to name the process.
    return undefined
  }
}
