/** Random numbers that are the same for the same seed (mulberry32), so that a demo can be played again. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to but not including 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.between(0, 15).toString(16)).join('')
  }

  /** Looks like a random UUID. */
  uuid(): string {
    return [this.hex(8), this.hex(4), `4${this.hex(3)}`, `8${this.hex(3)}`, this.hex(12)].join('-')
  }
}
