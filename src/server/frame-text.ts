import type { LogRow } from '../store/log.ts'

/** Rows are shared by all readers, so what a subscriber receives is put together once per row. */
const subscriberTexts = new WeakMap<LogRow, string>()

/** A row as a subscriber receives it: the frame with its place in the log and its contact. */
export function subscriberText(row: LogRow): string {
  const known = subscriberTexts.get(row)
  if (known !== undefined) return known
  const place = `${row.contact === undefined ? '' : `"contact":${JSON.stringify(row.contact)},`}"seq":${row.seq}}`
  const text = row.frame === '{}' ? `{${place}` : `${row.frame.slice(0, -1)},${place}`
  subscriberTexts.set(row, text)
  return text
}
