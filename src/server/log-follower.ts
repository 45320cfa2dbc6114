import { matches, type EventLog, type LogFilter, type LogRow } from '../store/log.ts'

/** Where a follower writes to. */
export interface FrameSink {
  /** Whether more may be written now; a sink that is not ready calls {@link LogFollower.pump} when it is again. */
  readonly ready: boolean
  write(row: LogRow): void
  /** Rows before the reader's place are gone; it goes on after `after`. */
  gap(after: number): void
  /** A run of writes begins or ends: the sink may hand them over together. */
  begin(): void
  end(): void
}

/** Rows handled before others get their turn. */
const rowsPerTurn = 1_000

/** Filters of one reader: what it asked for, and what it may see. */
export interface FollowerFilter extends LogFilter {
  readonly accepts: (row: LogRow) => boolean
}

/**
 * One reader of the log: from its cursor to the end and on, at the pace of its sink. It holds nothing but its
 * place, so a slow reader costs no memory and never slows the writer.
 */
export class LogFollower implements Disposable {
  readonly #log: EventLog
  readonly #sink: FrameSink
  readonly #filter: FollowerFilter
  readonly #subscription: Disposable
  #after: number
  #scheduled = false
  #closed = false

  constructor(log: EventLog, sink: FrameSink, start: { after: number; filter: FollowerFilter }) {
    this.#log = log
    this.#sink = sink
    this.#after = start.after
    this.#filter = start.filter
    this.#subscription = log.onCommit(() => this.#schedule())
    this.#schedule()
  }

  /** The place of the last row it is done with. */
  get after(): number {
    return this.#after
  }

  /** How many rows it is behind. */
  get lag(): number {
    return this.#log.lastSeq - this.#after
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.pump()
    })
  }

  /** Writes what there is, as far as the sink takes it. */
  pump(): void {
    if (this.#closed || !this.#sink.ready || this.lag <= 0) return
    this.#sink.begin()
    try {
      this.#writeTurn()
    } finally {
      this.#sink.end()
    }
    if (!this.#closed && this.#sink.ready && this.lag > 0) this.#schedule()
  }

  #writeTurn(): void {
    if (this.#after + 1 < this.#log.oldestSeq) {
      this.#after = this.#log.lastSeq
      this.#sink.gap(this.#after)
      return
    }
    for (const row of this.#log.readAfter(this.#after, rowsPerTurn)) {
      if (this.#closed || !this.#sink.ready) return
      this.#after = row.seq
      if (matches(row, this.#filter) && this.#filter.accepts(row)) this.#sink.write(row)
    }
  }

  [Symbol.dispose](): void {
    this.#closed = true
    this.#subscription[Symbol.dispose]()
  }
}
