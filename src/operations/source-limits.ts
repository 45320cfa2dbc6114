import { BridgeError } from '../core/errors.ts'
import type { Clock } from '../core/clock.ts'

/** Hooks one source may post at once, and per second from then on; no real agent comes near either. */
const burst = 5_000
const perSecond = 1_000
/** Sources remembered; beyond that the longest unseen is forgotten, which only gives it a full burst again. */
const maxSources = 5_000

interface Bucket {
  tokens: number
  at: number
}

/** Keeps one source gone wild from starving all others: a token bucket per source. */
export class SourceLimits {
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Counts one hook of `source`.
   *
   * @throws BridgeError `rate_limited` when it has used up its share
   */
  take(source: string): void {
    const now = this.#clock.monotonic()
    const bucket = this.#buckets.get(source) ?? { tokens: burst, at: now }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    this.#buckets.delete(source)
    this.#buckets.set(source, bucket)
    if (this.#buckets.size > maxSources) {
      const [oldest] = this.#buckets.keys()
      if (oldest !== undefined) this.#buckets.delete(oldest)
    }
    if (bucket.tokens < 1) throw new BridgeError('rate_limited', { retryAfterSeconds: 1 })
    bucket.tokens -= 1
  }
}
