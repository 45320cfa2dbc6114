import { parseCursor, type Resume } from '../protocol/index.ts'
import type { EventLog } from '../store/log.ts'

/** Where a reader starts, and whether that is where it asked to. */
export interface StartingPlace {
  readonly after: number
  readonly resume: Resume
}

/**
 * Finds a reader's place in the log. One that cannot be continued from (another epoch, garbage, trimmed by
 * retention, ahead of the log) is a gap: the reader goes on from now and is given the present state instead.
 */
export function findPlace(log: EventLog, asked: string | number | undefined): StartingPlace {
  if (asked === undefined) return { after: log.lastSeq, resume: 'ok' }
  const seq = seqOf(log, asked)
  if (seq === undefined || seq > log.lastSeq || seq + 1 < log.oldestSeq)
    return { after: log.lastSeq, resume: 'gap' }
  return { after: seq, resume: 'ok' }
}

function seqOf(log: EventLog, asked: string | number): number | undefined {
  if (typeof asked === 'number') return asked
  if (/^\d{1,15}$/.test(asked)) return Number(asked)
  const cursor = parseCursor(asked)
  return cursor?.epoch === log.epoch ? cursor.seq : undefined
}
