import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, fileProblem } from '../../config/file-problem.ts'
import { parseSpoolName } from '../../agents/forwarder/spool-file.ts'
import { formatDuration } from '../amounts.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import { isUp, type DoctorContext } from './context.ts'
import { countOf, shellPath } from './words.ts'

const make = checksOf('hooks')

/** A forwarder lives shorter than this, and the daemon looks twice as often. */
const lateMs = 60_000
/** Where the forwarders begin to drop hooks. */
const maxFiles = 10_000

/** What waits in the spool, since when, and what could not be taken in. */
export function checkSpool(context: DoctorContext): Check[] {
  const directory = join(context.home, 'spool')
  try {
    return [describeWaiting(readdirSync(directory), context), ...checkBad(directory, context)]
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [make.ok('spool', 'No hook waits in the spool')]
    const shown = shortPath(directory, context.homeDir)
    const remedy = `chmod 700 ${shellPath(directory, context.homeDir)}`
    return [make.problem('spool', `${shown} cannot be read: ${fileProblem(error)}`, remedy)]
  }
}

function describeWaiting(names: readonly string[], { now, daemon, command }: DoctorContext): Check {
  // What is still being written is on its way, and no hook that waits.
  const waiting = names
    .map(parseSpoolName)
    .filter((entry) => entry !== undefined)
    .filter(({ state, at }) => state === 'hook' || now - at > lateMs)
  if (waiting.length === 0) return make.ok('spool', 'No hook waits in the spool')
  const ageMs = Math.max(0, now - Math.min(...waiting.map(({ at }) => at)))
  const what = `${countOf(waiting.length, 'hook')} waiting in the spool, the oldest for ${formatDuration(ageMs)}`
  if (waiting.length >= maxFiles) return make.problem('spool', `The spool is full: ${what}`, command('up'))
  if (!isUp(daemon)) return make.warning('spool', `${what}; the next start takes them in`, command('up'))
  return ageMs > lateMs
    ? make.problem('spool', `${what}, although the bridge runs`, command('logs'))
    : make.ok('spool', `${what}; the bridge takes them in`)
}

function checkBad(directory: string, { homeDir }: DoctorContext): Check[] {
  const bad = join(directory, 'bad')
  const count = namesIn(bad).length
  if (count === 0) return []
  return [
    make.warning(
      'bad',
      `${shortPath(bad, homeDir)} has ${countOf(count, 'hook')} that could not be taken in`,
      `When you have looked at them: rm -r ${shellPath(bad, homeDir)}`,
    ),
  ]
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // No hook was ever set aside.
    return []
  }
}
