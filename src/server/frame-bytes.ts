import { formatCursor } from '../protocol/index.ts'
import type { LogRow } from '../store/log.ts'

/** Readers that are up to date ask for the same few rows one after another; more need not be kept. */
const keptRows = 512

interface Encoded {
  readonly row: LogRow
  plain?: Buffer
  subscriber?: Buffer
  event?: Buffer
}

/**
 * Rows as bytes, put together once for all their readers. A ring and not a weak map: the garbage collector
 * pays for weak keys in every one of its short pauses, and subscribers would see that.
 */
const ring: (Encoded | undefined)[] = Array.from({ length: keptRows })

function encodedOf(row: LogRow): Encoded {
  const place = row.seq % keptRows
  const kept = ring[place]
  if (kept?.row === row) return kept
  const encoded: Encoded = { row }
  ring[place] = encoded
  return encoded
}

/** A row as a socket that never subscribed receives it: the frame alone. */
export function plainBytes(row: LogRow): Buffer {
  const encoded = encodedOf(row)
  return (encoded.plain ??= Buffer.from(row.frame))
}

/** A row as a subscriber receives it: the frame with its place in the log and its contact. */
export function subscriberBytes(row: LogRow): Buffer {
  const encoded = encodedOf(row)
  return (encoded.subscriber ??= Buffer.from(subscriberText(row)))
}

/** A row as a server-sent event of the log with this epoch. */
export function eventBytes(row: LogRow, epoch: string): Buffer {
  const encoded = encodedOf(row)
  return (encoded.event ??= Buffer.from(
    `id: ${formatCursor({ epoch, seq: row.seq })}\ndata: ${subscriberText(row)}\n\n`,
  ))
}

function subscriberText(row: LogRow): string {
  const contact = row.contact === undefined ? '' : `"contact":${JSON.stringify(row.contact)},`
  const begin = row.frame === '{}' ? '{' : `${row.frame.slice(0, -1)},`
  return `${begin}${contact}"seq":${row.seq}}`
}
