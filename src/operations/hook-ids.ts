/** How many hooks back a repetition is recognised. */
const remembered = 20_000

/**
 * Hooks are sent again when their forwarder got no answer; each carries an id, and the same id is taken once.
 * A repetition that comes while the first is still being stored waits for the first one's outcome.
 */
export class HookIds {
  readonly #done = new Set<string>()
  readonly #underWay = new Map<string, Promise<void>>()

  /** @param known ids that are in the log already, oldest first */
  constructor(known: Iterable<string>) {
    for (const id of known) this.#remember(id)
  }

  /** Runs `store` unless this id was stored already; a failure leaves the id free. */
  async once(id: string, store: () => Promise<void>): Promise<void> {
    if (this.#done.has(id)) return
    const first = this.#underWay.get(id)
    if (first) return first
    const storing = store()
    this.#underWay.set(id, storing)
    try {
      await storing
      this.#remember(id)
    } finally {
      this.#underWay.delete(id)
    }
  }

  #remember(id: string): void {
    this.#done.add(id)
    if (this.#done.size > remembered) {
      const [oldest] = this.#done
      if (oldest !== undefined) this.#done.delete(oldest)
    }
  }
}
