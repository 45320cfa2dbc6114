import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { activityRefSchema, type PendingPermission } from '../protocol/index.ts'
import { numberOf, optionalTextOf, textOf, type Row } from '../store/columns.ts'

/** The DDL of the table of open requests; retention does not touch it. */
export const requestsSchema = `
  CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    contact TEXT,
    agent TEXT NOT NULL,
    session_id TEXT,
    activity TEXT,
    description TEXT,
    opened_at INTEGER NOT NULL
  ) STRICT;
`

/** An open request: what the seed's routes show, and whose it is. */
export interface OpenRequest extends PendingPermission {
  readonly contact?: string
  readonly agent: string
  readonly session_id?: string
}

/** More than this can hardly be answered by anybody; the oldest is dropped. */
const maxRequests = 10_000

/** The requests agents wait on. What closes one is told to everybody by the caller, through the log. */
export class PendingRequests {
  readonly #open = new Map<string, OpenRequest>()
  readonly #insert: StatementSync
  readonly #delete: StatementSync

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare(
      'INSERT OR IGNORE INTO requests (id, contact, agent, session_id, activity, description, opened_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    this.#delete = database.prepare('DELETE FROM requests WHERE id = ?')
    for (const row of database.prepare('SELECT * FROM requests ORDER BY opened_at').all()) {
      const request = fromRow(row)
      this.#open.set(request.request_id, request)
    }
  }

  /** Opens a request; a second one of the same id changes nothing. */
  open(request: OpenRequest): void {
    if (this.#open.has(request.request_id)) return
    this.#open.set(request.request_id, request)
    this.#insert.run(
      request.request_id,
      request.contact ?? null,
      request.agent,
      request.session_id ?? null,
      request.activity ? JSON.stringify(request.activity) : null,
      request.description ?? null,
      request.opened_at,
    )
    if (this.#open.size > maxRequests) {
      const [oldest] = this.#open.keys()
      if (oldest !== undefined) this.close(oldest)
    }
  }

  /** Takes a request off the list; undefined when it was not on it. */
  close(id: string): OpenRequest | undefined {
    const request = this.#open.get(id)
    if (!request) return undefined
    this.#open.delete(id)
    this.#delete.run(id)
    return request
  }

  get(id: string): OpenRequest | undefined {
    return this.#open.get(id)
  }

  /** The open requests, oldest first. */
  list(): OpenRequest[] {
    return [...this.#open.values()]
  }
}

/** A request as the seed's routes and frames show it. */
export function describeRequest(request: OpenRequest): PendingPermission {
  const { request_id, activity, description, opened_at } = request
  return {
    request_id,
    ...(activity && { activity }),
    ...(description !== undefined && { description }),
    opened_at,
  }
}

function fromRow(row: Row): OpenRequest {
  const contact = optionalTextOf(row, 'contact')
  const sessionId = optionalTextOf(row, 'session_id')
  const activity = optionalTextOf(row, 'activity')
  const description = optionalTextOf(row, 'description')
  return {
    request_id: textOf(row, 'id'),
    agent: textOf(row, 'agent'),
    opened_at: numberOf(row, 'opened_at'),
    ...(contact !== undefined && { contact }),
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(activity !== undefined && { activity: activityRefSchema.parse(JSON.parse(activity)) }),
    ...(description !== undefined && { description }),
  }
}
