import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { textOf } from '../store/columns.ts'

/** Who posted a hook, as far as its forwarder could tell (design, "Contacts"). */
export interface HookSource {
  /** `BRIDGE_CONTACT` of a pane of ours. */
  readonly contact?: string | undefined
  /** The agent's process id. */
  readonly pid?: string | undefined
  /** The terminal or tmux pane the agent runs in. */
  readonly pane?: string | undefined
}

/** What comes before the contact id that a pane of ours names itself by. */
const ownKey = 'contact:'
const pidKey = 'pid:'
const paneKey = 'pane:'
const sessionKey = 'session:'

/** How many sessions one contact is remembered under. */
const maxSessionsPerContact = 50

/** The keys a hook names its contact by, the surest first. */
export function keysOfHook(agent: string, source: HookSource, sessionId: string | undefined): string[] {
  const keys: string[] = []
  if (source.contact) keys.push(ownKey + source.contact)
  if (source.pid) keys.push(pidKey + source.pid)
  if (source.pane) keys.push(paneKey + source.pane)
  if (sessionId !== undefined) keys.push(`${sessionKey}${agent}:${sessionId}`)
  // Nothing tells such hooks apart, so they are one contact's, and not each a new one's.
  return keys.length > 0 ? keys : [`unknown:${agent}`]
}

/** Which contact each key names, across restarts. A key names one contact at a time. */
export class ContactKeys {
  readonly #contactOf = new Map<string, string>()
  readonly #keysOf = new Map<string, string[]>()
  readonly #statements: Record<'save' | 'drop', StatementSync>

  constructor(database: DatabaseSync) {
    this.#statements = {
      save: database.prepare(
        'INSERT INTO contact_keys (key, contact) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET contact = excluded.contact',
      ),
      drop: database.prepare('DELETE FROM contact_keys WHERE key = ?'),
    }
    for (const row of database.prepare('SELECT key, contact FROM contact_keys').all())
      this.#link(textOf(row, 'key'), textOf(row, 'contact'))
  }

  /** The contact a key names; one of a pane of ours names it by its id from the beginning. */
  contactOf(key: string): string | undefined {
    return this.#contactOf.get(key) ?? (key.startsWith(ownKey) ? key.slice(ownKey.length) : undefined)
  }

  /** Lets a key name this contact from now on, and no other. */
  assign(key: string, contactId: string): void {
    const previous = this.#contactOf.get(key)
    if (previous === contactId) return
    if (previous !== undefined) this.#drop(key, previous)
    this.#statements.save.run(key, contactId)
    this.#link(key, contactId)
    const sessions = this.#of(contactId).filter((other) => other.startsWith(sessionKey))
    if (sessions.length > maxSessionsPerContact && sessions[0] !== undefined)
      this.#drop(sessions[0], contactId)
  }

  /** A process id or terminal may be anybody's once its agent has gone; a session can only be resumed by its own. */
  releasePlaces(contactId: string): void {
    for (const key of this.#of(contactId))
      if (key.startsWith(pidKey) || key.startsWith(paneKey)) this.#drop(key, contactId)
  }

  /** The process a contact's agent runs in, where a forwarder could tell. */
  pidOf(contactId: string): string | undefined {
    return this.#of(contactId)
      .findLast((key) => key.startsWith(pidKey))
      ?.slice(pidKey.length)
  }

  /** Forgets the keys of a contact that is removed; its rows go with its own. */
  forget(contactId: string): void {
    for (const key of this.#of(contactId)) this.#contactOf.delete(key)
    this.#keysOf.delete(contactId)
  }

  #of(contactId: string): readonly string[] {
    return this.#keysOf.get(contactId) ?? []
  }

  #link(key: string, contactId: string): void {
    this.#contactOf.set(key, contactId)
    const keys = this.#keysOf.get(contactId)
    if (keys) keys.push(key)
    else this.#keysOf.set(contactId, [key])
  }

  #drop(key: string, contactId: string): void {
    this.#contactOf.delete(key)
    this.#keysOf.set(
      contactId,
      this.#of(contactId).filter((other) => other !== key),
    )
    this.#statements.drop.run(key)
  }
}
