import { mayReach, type Identity } from '../access/identity.ts'
import type { Clock } from '../core/clock.ts'

/** A session without a hook for this long is no longer listed (seed agent-bridge-readme, "HTTP API"). */
export const sessionStaleMs = 10 * 60 * 1000
/** More sessions than this at once are not agents but noise; the oldest is forgotten. */
const maxSessions = 5_000

interface Activity {
  readonly at: number
  readonly contact: string | undefined
}

/** The session ids that had a hook in the last ten minutes and have not ended. */
export class SessionActivity {
  readonly #clock: Clock
  readonly #lastSeen = new Map<string, Activity>()
  readonly #listeners = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A hook of this session happened at `at`; one from a spool may be older than what came before it. */
  touch(sessionId: string, at: number, contact?: string): void {
    const seen = this.#lastSeen.get(sessionId)
    // Deleting first keeps the map in order of activity, so that the first entry is the oldest.
    this.#lastSeen.delete(sessionId)
    this.#lastSeen.set(sessionId, {
      at: Math.max(at, seen?.at ?? 0),
      contact: contact ?? seen?.contact,
    })
    if (this.#lastSeen.size > maxSessions) {
      const [oldest] = this.#lastSeen.keys()
      if (oldest !== undefined) this.#lastSeen.delete(oldest)
    }
    if (seen === undefined) this.#changed()
  }

  end(sessionId: string): void {
    if (this.#lastSeen.delete(sessionId)) this.#changed()
  }

  /** Forgets what has gone stale; the daemon calls it once a minute, and every reader sees the result. */
  expire(): void {
    const staleBefore = this.#clock.now() - sessionStaleMs
    let changed = false
    for (const [id, { at }] of this.#lastSeen) {
      if (at < staleBefore) changed = this.#lastSeen.delete(id) || changed
    }
    if (changed) this.#changed()
  }

  /** The sessions that `identity` may know of: who is bound to contacts sees only theirs. */
  idsFor(identity: Identity): string[] {
    const staleBefore = this.#clock.now() - sessionStaleMs
    return [...this.#lastSeen]
      .filter(([, { at, contact }]) => at >= staleBefore && mayReach(identity, contact ?? ''))
      .map(([id]) => id)
  }

  /** Calls `listener` whenever the list has changed. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
