import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import type { DoctorContext } from './context.ts'
import { formatBytes, shellPath } from './words.ts'

const make = checksOf('machine')

/** Less than this, or than a hundredth of the disk, and it is time to look after it. */
const scarceBytes = 1024 ** 3
const scarcePart = 0.01
/** Less than this, and the next checkpoint of the log may not fit. */
const fullBytes = 64 * 1024 ** 2
/** Every spooled hook and every client takes one. */
const scarceFiles = 1_000

/** What a file system has left; `files` is 0 where it does not count them. */
export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
  readonly freeFiles: number
  readonly files: number
}

/** Whether there is room for what the bridge stores. */
export function checkDisk({ home, homeDir }: DoctorContext): Check {
  const place = closestExisting(home)
  const { bavail, blocks, bsize, ffree, files } = statfsSync(place)
  const space = { freeBytes: bavail * bsize, totalBytes: blocks * bsize, freeFiles: ffree, files }
  return judgeDisk(space, {
    shown: shortPath(home, homeDir),
    remedy: `Free some space there: df -h ${shellPath(place, homeDir)} shows it`,
  })
}

/** What the numbers mean for a home, which is named `shown`. */
export function judgeDisk(space: DiskSpace, { shown, remedy }: { shown: string; remedy: string }): Check {
  const { freeBytes, totalBytes, freeFiles, files } = space
  const part = totalBytes > 0 ? freeBytes / totalBytes : 1
  const amount = `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)}`
  if (freeBytes < fullBytes) {
    return make.problem('disk', `The disk of ${shown} is full: ${amount} are free`, remedy)
  }
  if (files > 0 && freeFiles < scarceFiles) {
    return make.warning('disk', `The disk of ${shown} has room for only ${freeFiles} more files`, remedy)
  }
  if (freeBytes < scarceBytes || part < scarcePart) {
    return make.warning(
      'disk',
      `Only ${amount} (${(part * 100).toFixed(1)} %) are free on the disk of ${shown}`,
      remedy,
    )
  }
  return make.ok('disk', `${amount} are free on the disk of ${shown}`)
}

function closestExisting(path: string): string {
  let place = path
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place)
  return place
}
