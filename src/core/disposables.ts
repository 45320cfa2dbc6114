/** Something that must be closed; closing twice is harmless. */
export type Closable = (() => void | Promise<void>) | Disposable | AsyncDisposable

/**
 * Everything one owner opened, closed in reverse order. One failing close does not keep the others from
 * closing; the failures are thrown together at the end.
 */
export class DisposableStore implements AsyncDisposable {
  readonly #closables: Closable[] = []
  #closed = false

  /** Takes over `closable` and hands it back, so that opening and owning are one expression. */
  use<T extends Closable>(closable: T): T {
    if (this.#closed) throw new Error('this store is closed already')
    this.#closables.push(closable)
    return closable
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Hands everything over to a new store, so that this one closes nothing: for building up step by step. */
  move(): DisposableStore {
    const store = new DisposableStore()
    for (const closable of this.#closables.splice(0)) store.use(closable)
    return store
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const failures: unknown[] = []
    for (const closable of this.#closables.toReversed()) {
      try {
        await close(closable)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1) throw new AggregateError(failures, 'several parts failed to close')
  }
}

async function close(closable: Closable): Promise<void> {
  if (typeof closable === 'function') await closable()
  else if (Symbol.asyncDispose in closable) await closable[Symbol.asyncDispose]()
  else closable[Symbol.dispose]()
}
