/** The source of time, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch, as a wall clock shows them. */
  now(): number
  /** Milliseconds that never go backwards; only differences mean something. */
  monotonic(): number
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #nowMs: number

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs
  }

  now(): number {
    return this.#nowMs
  }

  monotonic(): number {
    return this.#nowMs
  }

  /** Moves the clock forward by `ms`. */
  advance(ms: number): void {
    this.#nowMs += ms
  }
}
