/** Something with a place in a list. */
export interface Keyed {
  readonly key: string
}

/**
 * Where the rows of a long list are: measured heights of rows that were shown, estimates of the others. Heights
 * are in CSS pixels and may be fractions.
 */
export class RowOffsets<R extends Keyed> {
  readonly #estimate: (row: R) => number
  readonly #measured = new Map<string, number>()
  #rows: readonly R[] = []
  /** One more than there are rows: the last is the end of the list. */
  #offsets = new Float64Array(1)
  /** Offsets from this index on are to be computed again. */
  #staleFrom = 0

  constructor(estimate: (row: R) => number) {
    this.#estimate = estimate
  }

  get rows(): readonly R[] {
    return this.#rows
  }

  /** Height of the whole list. */
  get total(): number {
    return this.offsetOf(this.#rows.length)
  }

  setRows(rows: readonly R[]): void {
    if (rows === this.#rows) return
    let same = 0
    const shared = Math.min(rows.length, this.#rows.length)
    while (same < shared && rows[same] === this.#rows[same]) same += 1
    this.#rows = rows
    this.#staleFrom = Math.min(this.#staleFrom, same)
    if (this.#offsets.length <= rows.length) {
      const larger = new Float64Array(Math.max(rows.length + 1, this.#offsets.length * 2))
      larger.set(this.#offsets)
      this.#offsets = larger
    }
    // Rows come and go for hours; what is remembered of those that went must not grow without bound.
    if (this.#measured.size > 2 * rows.length + 1_000) this.#forgetGone()
  }

  /** Notes a row's real height. Returns whether that moved anything. */
  measure(index: number, height: number): boolean {
    const row = this.#rows[index]
    if (!row || Math.abs(this.#heightOf(row) - height) < 0.1) return false
    this.#measured.set(row.key, height)
    this.#staleFrom = Math.min(this.#staleFrom, index)
    return true
  }

  /** Top of a row; of the row after the last: the end of the list. */
  offsetOf(index: number): number {
    this.#refresh()
    return this.#offsets[Math.max(0, Math.min(index, this.#rows.length))] ?? 0
  }

  /** Index of the row at a distance from the top; the nearest row outside of the list; 0 in an empty one. */
  indexAt(y: number): number {
    this.#refresh()
    let low = 0
    let high = this.#rows.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#offsets[middle] ?? 0) <= y) low = middle
      else high = middle - 1
    }
    return Math.max(0, low)
  }

  #heightOf(row: R): number {
    return this.#measured.get(row.key) ?? this.#estimate(row)
  }

  #refresh(): void {
    for (let index = this.#staleFrom; index < this.#rows.length; index += 1) {
      const row = this.#rows[index]
      this.#offsets[index + 1] = (this.#offsets[index] ?? 0) + (row ? this.#heightOf(row) : 0)
    }
    this.#staleFrom = this.#rows.length
  }

  #forgetGone(): void {
    const keys = new Set(this.#rows.map((row) => row.key))
    for (const key of this.#measured.keys()) if (!keys.has(key)) this.#measured.delete(key)
  }
}
