import type { LogRow } from './log.ts'

/** How much of the log's end is kept in memory for readers that are up to date. */
const maxRows = 8_192
const maxChars = 16 * 1024 * 1024

/**
 * The end of the log in memory, so that forty live readers do not mean forty reads of the database. Rows are in
 * order and without holes.
 */
export class RecentRows {
  #rows: LogRow[] = []
  #start = 0
  #chars = 0

  add(rows: readonly LogRow[]): void {
    for (const row of rows) {
      this.#rows.push(row)
      this.#chars += row.frame.length
    }
    while (this.#size > maxRows || (this.#chars > maxChars && this.#size > 0)) this.#dropFirst()
    if (this.#start > maxRows) {
      this.#rows = this.#rows.slice(this.#start)
      this.#start = 0
    }
  }

  /** Forgets everything up to and including `seq`. */
  dropThrough(seq: number): void {
    while (this.#size > 0 && (this.#first?.seq ?? Infinity) <= seq) this.#dropFirst()
  }

  /** The rows after `after`, or undefined when they are not all in memory. */
  after(after: number, limit: number): readonly LogRow[] | undefined {
    const first = this.#first
    if (!first || after + 1 < first.seq) return undefined
    const from = this.#start + (after + 1 - first.seq)
    return this.#rows.slice(from, from + limit)
  }

  get #first(): LogRow | undefined {
    return this.#rows[this.#start]
  }

  get #size(): number {
    return this.#rows.length - this.#start
  }

  #dropFirst(): void {
    this.#chars -= this.#first?.frame.length ?? 0
    this.#start += 1
  }
}
