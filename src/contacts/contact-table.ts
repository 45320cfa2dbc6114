import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { numberOf, optionalTextOf, textOf, type Row } from '../store/columns.ts'
import type { ContactState } from './contact.ts'

/** The DDL of the contacts and of the keys they are found by. */
export const contactsSchema = `
  CREATE TABLE contacts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    agent TEXT NOT NULL,
    directory TEXT NOT NULL,
    real_directory TEXT NOT NULL,
    status TEXT NOT NULL,
    session_id TEXT,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE contact_keys (
    key TEXT PRIMARY KEY,
    contact TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX contact_keys_contact ON contact_keys (contact);
`

/** How stale the stored time of the last hook may be. */
const seenWriteMs = 60 * 1000

/** The contacts as they are stored. What only a running daemon knows, such as an open turn, is not. */
export class ContactTable {
  readonly #database: DatabaseSync
  readonly #seenWritten = new Map<string, number>()
  readonly #statements: Record<'save' | 'drop' | 'seen', StatementSync>

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#statements = {
      save: database.prepare(`INSERT INTO contacts
        (id, name, agent, directory, real_directory, status, session_id, created_at, last_seen_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name,
        directory = excluded.directory, real_directory = excluded.real_directory, status = excluded.status,
        session_id = excluded.session_id, last_seen_at = excluded.last_seen_at`),
      drop: database.prepare('DELETE FROM contacts WHERE id = ?'),
      seen: database.prepare('UPDATE contacts SET last_seen_at = ? WHERE id = ?'),
    }
  }

  /** All contacts, the longest unseen first. */
  load(): ContactState[] {
    return this.#database.prepare('SELECT * FROM contacts ORDER BY last_seen_at').all().map(fromRow)
  }

  save(contact: ContactState): void {
    const { id, name, agent, directory, realDirectory, status, sessionId, createdAt, lastSeenAt } = contact
    this.#statements.save.run(
      id,
      name,
      agent,
      directory,
      realDirectory,
      status,
      sessionId ?? null,
      createdAt,
      lastSeenAt,
    )
  }

  /** Keeps the time of a sign of life, but not of each: there is one with every tool call. */
  saveSeen({ id, lastSeenAt }: ContactState): void {
    if (lastSeenAt - (this.#seenWritten.get(id) ?? 0) < seenWriteMs) return
    this.#seenWritten.set(id, lastSeenAt)
    this.#statements.seen.run(lastSeenAt, id)
  }

  /** Removes a contact; its keys go with it. */
  drop(contactId: string): void {
    this.#seenWritten.delete(contactId)
    this.#statements.drop.run(contactId)
  }
}

function fromRow(row: Row): ContactState {
  const live = textOf(row, 'status') === 'live'
  return {
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    agent: textOf(row, 'agent'),
    directory: textOf(row, 'directory'),
    realDirectory: textOf(row, 'real_directory'),
    status: live ? 'live' : 'offline',
    health: live ? 'ok' : 'unknown',
    reason: 'as it was before the daemon started',
    sessionId: optionalTextOf(row, 'session_id'),
    turnId: undefined,
    openRequests: 0,
    betweenSessions: false,
    createdAt: numberOf(row, 'created_at'),
    lastSeenAt: numberOf(row, 'last_seen_at'),
  }
}
