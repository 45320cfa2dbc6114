import { statSync } from 'node:fs'
import { join } from 'node:path'
import { formatDuration } from '../amounts.ts'
import { checksOf, type Check } from './check.ts'
import { isUp, type DoctorContext } from './context.ts'

const make = checksOf('machine')

/** What the bridge writes to while it runs, so that the newest of them is the last time it knew. */
const writtenFiles = ['bridge.db', 'bridge.db-wal', 'audit.log', 'daemon.log', 'daemon.json', 'forward']
/** File systems on other machines have clocks of their own. */
const toleranceMs = 60_000
/** Older than this program. */
const earliest = Date.UTC(2026, 0, 1)
const remedy = 'Set the clock, for instance with "sudo timedatectl set-ntp true"'

/** Whether the clock has gone back: events would seem to come before what they follow. */
export function checkClock({ home, now, daemon }: DoctorContext): Check {
  if (now < earliest) {
    return make.problem('clock', `The clock says ${new Date(now).toISOString().slice(0, 10)}`, remedy)
  }
  const times = writtenFiles.flatMap((name) => {
    const stats = statSync(join(home, name), { throwIfNoEntry: false })
    return stats ? [{ name, at: stats.mtimeMs }] : []
  })
  if (isUp(daemon)) times.push({ name: 'the start of the daemon', at: daemon.started_at })
  const newest = times.toSorted((a, b) => b.at - a.at)[0]
  if (newest && newest.at - now > toleranceMs) {
    return make.warning(
      'clock',
      `The clock was set back: ${newest.name} is ${formatDuration(newest.at - now)} ahead of it`,
      remedy,
    )
  }
  return make.ok('clock', 'The clock is not behind what the bridge has written')
}
