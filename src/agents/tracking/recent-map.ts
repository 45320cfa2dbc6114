/** A map that forgets its oldest entries: what an agent repeats, it repeats soon. */
export class RecentMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #maxSize: number

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  /** The key of the oldest entry with such a value. */
  find(matches: (value: V) => boolean): K | undefined {
    for (const [key, value] of this.#entries) if (matches(value)) return key
    return undefined
  }

  /** Sets an entry and makes it the newest. */
  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#maxSize) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
