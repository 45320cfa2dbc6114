/** Bounds of the pauses between attempts to connect. */
export interface BackoffBounds {
  readonly minMs: number
  readonly maxMs: number
}

/**
 * The pause before attempt `attempt` (from 0): doubles from `minMs` up to `maxMs`. Half of it is by chance, so
 * that the clients of a bridge that was away do not come back all at once.
 */
export function backoffMs(attempt: number, { minMs, maxMs }: BackoffBounds, random = Math.random): number {
  const full = Math.min(maxMs, minMs * 2 ** Math.min(attempt, 30))
  return Math.max(minMs, full / 2 + (full / 2) * random())
}
