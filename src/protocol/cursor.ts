/** Where a reader stands in the log: a log's `epoch` changes when its database is a new one. */
export interface Cursor {
  epoch: string
  seq: number
}

/** What `subscribed` and the first SSE frame say about the cursor that was asked for. */
export const resumes = ['ok', 'gap'] as const
export type Resume = (typeof resumes)[number]

/** `epoch:seq`, the form a cursor has in SSE ids and in `after`. */
export function formatCursor(cursor: Cursor): string {
  return `${cursor.epoch}:${cursor.seq}`
}

/** Reads {@link formatCursor}'s form; undefined when it is anything else. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^([A-Za-z0-9_-]{1,64}):(\d{1,15})$/.exec(text)
  if (!match?.[1] || !match[2]) return undefined
  return { epoch: match[1], seq: Number(match[2]) }
}
