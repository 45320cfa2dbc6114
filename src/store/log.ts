import { performance } from 'node:perf_hooks'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { BridgeError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { numberOf, optionalTextOf, textOf, type Row } from './columns.ts'
import { translateWriteError } from './database.ts'
import { RecentRows } from './recent-rows.ts'

/** A frame on its way into the log. */
export interface LogAppend {
  readonly ts: number
  /** The frame's `type`. */
  readonly type: string
  /** What readers filter by: the event's kind for agent events, the type for the rest. */
  readonly kind: string
  readonly contact?: string | undefined
  /** A private key of the writer's, stored beside the frame and never sent. */
  readonly correlation?: string | undefined
  /** The id of the hook it came from, on the first frame of that hook, so that a hook sent again is known. */
  readonly hook?: string | undefined
  /** The frame as JSON text, redacted already: what a reader receives. */
  readonly frame: string
}

/** A frame in the log. */
export interface LogRow extends LogAppend {
  readonly seq: number
}

/** Which rows a reader wants; an absent list means all. */
export interface LogFilter {
  readonly contacts?: ReadonlySet<string>
  readonly kinds?: ReadonlySet<string>
}

/** How much one transaction may hold, so that a burst never delays everything else for long. */
const maxBatchRows = 4_096
/** How many appends may wait for their commit before new ones are refused; about 100 MB at the usual size. */
const maxPendingRows = 100_000
/** How much is read from the database at once: a reader that takes little at a time must not pay for more. */
const maxReadChars = 512 * 1024
/** Rows removed in one go by retention; about 10 ms of work. */
const retentionChunkRows = 5_000

interface PendingAppend {
  readonly items: readonly LogAppend[]
  readonly resolve: (lastSeq: number) => void
  readonly reject: (error: unknown) => void
}

/**
 * The one log: everything that happens, in order, durable before it is acknowledged. `seq` has no holes, and
 * `epoch` changes only with the database. Appends of one turn of the event loop share a transaction.
 */
export class EventLog {
  readonly epoch: string
  readonly #database: DatabaseSync
  readonly #insert: StatementSync
  readonly #recent = new RecentRows()
  readonly #listeners = new Set<() => void>()
  #pending: PendingAppend[] = []
  #pendingRows = 0
  #flushScheduled = false
  #lastSeq: number
  #oldestSeq: number

  constructor(database: DatabaseSync) {
    this.#database = database
    this.epoch = readEpoch(database)
    const bounds = database
      .prepare('SELECT ifnull(min(seq), 1) AS oldest, ifnull(max(seq), 0) AS last FROM log')
      .get()
    this.#lastSeq = numberOf(bounds, 'last')
    this.#oldestSeq = numberOf(bounds, 'oldest')
    this.#insert = database.prepare(
      'INSERT INTO log (seq, ts, type, kind, contact, correlation, hook, frame) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
  }

  /** The newest committed place; 0 while the log is empty. */
  get lastSeq(): number {
    return this.#lastSeq
  }

  /** The oldest place that retention has left. */
  get oldestSeq(): number {
    return this.#oldestSeq
  }

  /**
   * Appends frames together and in order.
   *
   * @returns the place of the last of them, once they are committed
   * @throws BridgeError `disk_full`, or `unavailable` when too much is waiting already; nothing is stored then
   */
  append(items: readonly LogAppend[]): Promise<number> {
    if (items.length === 0) return Promise.resolve(this.#lastSeq)
    if (this.#pendingRows + items.length > maxPendingRows) {
      return Promise.reject(new BridgeError('unavailable', { what: 'The log' }))
    }
    return new Promise((resolve, reject) => {
      this.#pending.push({ items, resolve, reject })
      this.#pendingRows += items.length
      this.#scheduleFlush()
    })
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    setImmediate(() => {
      this.#flushScheduled = false
      this.flush()
    })
  }

  /** Commits what waits. Called by itself; by hand only when the daemon stops. */
  flush(): void {
    while (this.#pending.length > 0) {
      const batch = this.#takeBatch()
      let seq = this.#lastSeq
      const rows: LogRow[] = []
      try {
        this.#database.exec('BEGIN IMMEDIATE')
        for (const { items } of batch) {
          for (const item of items) {
            seq += 1
            this.#insert.run(
              seq,
              item.ts,
              item.type,
              item.kind,
              item.contact ?? null,
              item.correlation ?? null,
              item.hook ?? null,
              item.frame,
            )
            rows.push({ ...item, seq })
          }
        }
        this.#database.exec('COMMIT')
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
        const reason = translateWriteError(error)
        for (const append of batch) append.reject(reason)
        continue
      }
      this.#lastSeq = seq
      this.#recent.add(rows)
      let last = seq - rows.length
      for (const append of batch) {
        last += append.items.length
        append.resolve(last)
      }
      for (const listener of this.#listeners) listener()
    }
  }

  #takeBatch(): PendingAppend[] {
    let rows = 0
    let count = 0
    for (const append of this.#pending) {
      if (count > 0 && rows + append.items.length > maxBatchRows) break
      rows += append.items.length
      count += 1
    }
    this.#pendingRows -= rows
    return this.#pending.splice(0, count)
  }

  /** Calls `listener` after every commit. It must only take note: work belongs into the next turn of the loop. */
  onCommit(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  /**
   * The rows after `after`, oldest first, at most `limit`, and fewer where they are large; none only at the end.
   * Rows that retention has removed are simply not there: compare `after` with {@link oldestSeq} first.
   */
  readAfter(after: number, limit: number): readonly LogRow[] {
    return this.#recent.after(after, limit) ?? this.#readStored(after, limit)
  }

  #readStored(after: number, limit: number): LogRow[] {
    const rows: LogRow[] = []
    let chars = 0
    for (const row of this.#prepare('seq > ? ORDER BY seq LIMIT ?').iterate(after, limit)) {
      const read = toRow(row)
      rows.push(read)
      chars += read.frame.length
      if (chars >= maxReadChars) break
    }
    return rows
  }

  /** The ids of the hooks among the newest `rows` rows. */
  recentHooks(rows: number): string[] {
    return this.#database
      .prepare('SELECT hook FROM log WHERE seq > ? AND hook IS NOT NULL ORDER BY seq')
      .all(this.#lastSeq - rows)
      .map((row) => textOf(row, 'hook'))
  }

  /** A page for a person: filtered by index, so that it costs the same however long the log is. */
  readPage(page: {
    after?: number | undefined
    before?: number | undefined
    contact?: string | undefined
    /** Beside rows of nobody, only those of these contacts; absent: all. */
    contacts?: Iterable<string> | undefined
    kind?: string | undefined
    limit: number
  }): readonly LogRow[] {
    const conditions: string[] = []
    const values: (string | number)[] = []
    const add = (condition: string, value: string | number | undefined) => {
      if (value === undefined) return
      conditions.push(condition)
      values.push(value)
    }
    add('contact = ?', page.contact)
    add(
      '(contact IS NULL OR contact IN (SELECT value FROM json_each(?)))',
      page.contacts && JSON.stringify([...page.contacts]),
    )
    add('kind = ?', page.kind)
    add('seq > ?', page.after)
    add('seq < ?', page.before)
    const where = conditions.length > 0 ? conditions.join(' AND ') : 'true'
    const forward = page.after !== undefined
    const rows = this.#select(
      `${where} ORDER BY seq ${forward ? 'ASC' : 'DESC'} LIMIT ?`,
      ...values,
      page.limit,
    )
    return forward ? rows : rows.toReversed()
  }

  readonly #statements = new Map<string, StatementSync>()

  #select(tail: string, ...values: (string | number)[]): LogRow[] {
    return this.#prepare(tail)
      .all(...values)
      .map(toRow)
  }

  #prepare(tail: string): StatementSync {
    let statement = this.#statements.get(tail)
    if (!statement) {
      statement = this.#database.prepare(
        `SELECT seq, ts, type, kind, contact, correlation, hook, frame FROM log WHERE ${tail}`,
      )
      this.#statements.set(tail, statement)
    }
    return statement
  }

  /**
   * Forgets the oldest rows beyond `maxEvents` or older than `beforeTs`, for at most `budgetMs`. It always cuts at
   * the front, so what is left has no holes, and it leaves the newest row, which holds the place of the log.
   *
   * @returns true when there is more to remove
   */
  retain(bounds: { maxEvents: number; beforeTs: number; budgetMs: number }): boolean {
    const deadline = performance.now() + bounds.budgetMs
    // Times may go back a little, since spooled hooks bring their own: the newest old row of the chunk decides.
    const lastOld = this.#database.prepare(
      'SELECT ifnull(max(seq), 0) AS seq FROM log WHERE seq BETWEEN ? AND ? AND ts < ?',
    )
    const remove = this.#database.prepare('DELETE FROM log WHERE seq <= ?')
    for (;;) {
      const chunkEnd = Math.min(this.#oldestSeq + retentionChunkRows - 1, this.#lastSeq - 1)
      const byCount = Math.min(this.#lastSeq - bounds.maxEvents, chunkEnd)
      const byAge = numberOf(lastOld.get(this.#oldestSeq, chunkEnd, bounds.beforeTs), 'seq')
      const upTo = Math.max(byCount, byAge)
      if (upTo < this.#oldestSeq) return false
      remove.run(upTo)
      this.#oldestSeq = upTo + 1
      this.#recent.dropThrough(upTo)
      if (performance.now() >= deadline) return true
    }
  }
}

function toRow(row: Row): LogRow {
  return {
    seq: numberOf(row, 'seq'),
    ts: numberOf(row, 'ts'),
    type: textOf(row, 'type'),
    kind: textOf(row, 'kind'),
    contact: optionalTextOf(row, 'contact'),
    correlation: optionalTextOf(row, 'correlation'),
    hook: optionalTextOf(row, 'hook'),
    frame: textOf(row, 'frame'),
  }
}

function readEpoch(database: DatabaseSync): string {
  database.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES ('epoch', ?)").run(newId())
  return textOf(database.prepare("SELECT value FROM meta WHERE key = 'epoch'").get(), 'value')
}

/** Whether a reader with this filter wants the row. */
export function matches(row: LogRow, filter: LogFilter): boolean {
  if (filter.kinds && !filter.kinds.has(row.kind) && !filter.kinds.has(row.type)) return false
  if (filter.contacts && (row.contact === undefined || !filter.contacts.has(row.contact))) return false
  return true
}
