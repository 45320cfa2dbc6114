import { realpathSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Clock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import type { Contact, ContactChange, Health } from '../protocol/index.ts'
import { numberOf, optionalTextOf, textOf, type Row } from '../store/columns.ts'
import { generateName } from './names.ts'

/** Who posted a hook, as far as its forwarder could tell (design, "Contacts"). */
export interface HookSource {
  /** `BRIDGE_CONTACT` of a pane of ours. */
  readonly contact?: string | undefined
  /** The agent's process id. */
  readonly pid?: string | undefined
  /** The terminal or tmux pane the agent runs in. */
  readonly pane?: string | undefined
}

/** The DDL of the registry's tables. */
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

/** What is known of a contact in memory; a superset of what is stored. */
export interface ContactState {
  readonly id: string
  name: string
  readonly agent: string
  directory: string
  realDirectory: string
  status: 'live' | 'offline'
  health: Health
  reason: string
  sessionId: string | undefined
  turnId: string | undefined
  openRequests: number
  /** Its session has ended and its agent goes on with another one, whose first hook is still to come. */
  betweenSessions: boolean
  readonly createdAt: number
  lastSeenAt: number
}

/** A live contact without a sign of life for this long is offline when it is watched only. */
const silentMs = 10 * 60 * 1000
/** In a turn an agent is silent for as long as a build runs or a person does not answer; a night is enough. */
const silentInTurnMs = 12 * 60 * 60 * 1000
/** How stale the stored time of the last hook may be. */
const seenWriteMs = 60 * 1000
/** Offline contacts beyond this are forgotten, the longest unseen first. */
const maxContacts = 5_000
/** How many sessions one contact is remembered under. */
const maxSessionsPerContact = 50

/**
 * All contacts. Agents started outside become contacts by their first hook, found again by the keys their hooks
 * carry: the pane or process where the forwarder can tell, else the session.
 */
export class ContactRegistry {
  readonly #database: DatabaseSync
  readonly #clock: Clock
  readonly #contacts = new Map<string, ContactState>()
  /** The ids of the living by their names. */
  readonly #livingNames = new Map<string, string>()
  readonly #byKey = new Map<string, string>()
  readonly #keysOf = new Map<string, string[]>()
  readonly #seenWritten = new Map<string, number>()
  readonly #statements: Record<'save' | 'saveKey' | 'dropKey' | 'drop' | 'seen', StatementSync>
  readonly #listeners = new Set<(contact: ContactState, change: ContactChange) => void>()

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database
    this.#clock = clock
    this.#statements = {
      save: database.prepare(`INSERT INTO contacts
        (id, name, agent, directory, real_directory, status, session_id, created_at, last_seen_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name,
        directory = excluded.directory, real_directory = excluded.real_directory, status = excluded.status,
        session_id = excluded.session_id, last_seen_at = excluded.last_seen_at`),
      saveKey: database.prepare(
        'INSERT INTO contact_keys (key, contact) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET contact = excluded.contact',
      ),
      dropKey: database.prepare('DELETE FROM contact_keys WHERE key = ?'),
      drop: database.prepare('DELETE FROM contacts WHERE id = ?'),
      seen: database.prepare('UPDATE contacts SET last_seen_at = ? WHERE id = ?'),
    }
    this.#load()
  }

  #load(): void {
    for (const row of this.#database.prepare('SELECT * FROM contacts ORDER BY last_seen_at').all()) {
      const contact = fromRow(row)
      this.#contacts.set(contact.id, contact)
      if (contact.status === 'live') this.#livingNames.set(contact.name, contact.id)
    }
    for (const row of this.#database.prepare('SELECT key, contact FROM contact_keys').all()) {
      this.#linkKey(textOf(row, 'key'), textOf(row, 'contact'))
    }
  }

  /**
   * The contact a hook belongs to. Where no key is known, a new one is made, or an offline one of the same agent and
   * directory taken. An offline one stays so until {@link revive}: the hook may only have been late.
   */
  resolve(hook: {
    agent: string
    source: HookSource
    sessionId: string | undefined
    directory: string | undefined
    at: number
  }): ContactState {
    const keys = keysOf(hook.agent, hook.source, hook.sessionId)
    const known = this.#findByKeys(keys, hook.agent)
    const contact = known ?? this.#findReturning(hook) ?? this.#create(hook)
    for (const key of keys) if (this.#byKey.get(key) !== contact.id) this.#addKey(key, contact.id)
    this.#seen(contact, hook.at)
    const isNewSession = hook.sessionId !== undefined && hook.sessionId !== contact.sessionId
    if (isNewSession) {
      contact.sessionId = hook.sessionId
      contact.betweenSessions = false
    }
    if (isNewSession && contact.status === 'live') {
      this.#save(contact)
      this.#emit(contact, 'session')
    }
    return contact
  }

  #findByKeys(keys: readonly string[], agent: string): ContactState | undefined {
    for (const key of keys) {
      const id = this.#byKey.get(key) ?? (key.startsWith(ownKey) ? key.slice(ownKey.length) : '')
      const contact = this.#contacts.get(id)
      if (contact?.agent === agent) return contact
    }
    return undefined
  }

  /** Who was here before: the latest contact of the same agent and directory that is offline or between sessions. */
  #findReturning(hook: { agent: string; directory: string | undefined }): ContactState | undefined {
    if (hook.directory === undefined) return undefined
    const real = realDirectoryOf(hook.directory)
    let latest: ContactState | undefined
    for (const contact of this.#contacts.values()) {
      const mayReturn = contact.status === 'offline' || contact.betweenSessions
      if (!mayReturn || contact.agent !== hook.agent || contact.realDirectory !== real) continue
      if (!latest || contact.lastSeenAt > latest.lastSeenAt) latest = contact
    }
    return latest
  }

  #create(hook: {
    agent: string
    sessionId: string | undefined
    directory: string | undefined
    at: number
  }): ContactState {
    const id = newId()
    const directory = hook.directory ?? ''
    const contact: ContactState = {
      id,
      name: generateName(id, (name) => this.#livingNames.has(name)),
      agent: hook.agent,
      directory,
      realDirectory: realDirectoryOf(directory),
      status: 'live',
      health: 'ok',
      reason: 'its first hook',
      sessionId: hook.sessionId,
      turnId: undefined,
      openRequests: 0,
      betweenSessions: false,
      createdAt: hook.at,
      lastSeenAt: hook.at,
    }
    // First on the disk: what could not be stored is not there in memory either.
    this.#save(contact)
    this.#contacts.set(id, contact)
    this.#livingNames.set(contact.name, id)
    this.#forgetOldest()
    this.#emit(contact, 'connect')
    return contact
  }

  /** The contact's agent is back; nothing changes where it never went. */
  revive(contact: ContactState): void {
    if (contact.status === 'live') return
    contact.status = 'live'
    if (this.#livingNames.has(contact.name)) {
      contact.name = generateName(contact.id, (name) => this.#livingNames.has(name))
    }
    this.#livingNames.set(contact.name, contact.id)
    this.#save(contact)
    this.#emit(contact, 'revive')
  }

  /** What the tracker found out after a hook. */
  update(
    contact: ContactState,
    state: { health: Health; reason: string; turnId: string | undefined; openRequests: number },
  ): void {
    const changed = contact.health !== state.health || contact.openRequests !== state.openRequests
    contact.health = state.health
    contact.reason = state.reason
    contact.turnId = state.turnId
    contact.openRequests = state.openRequests
    if (changed) this.#emit(contact, 'health')
  }

  /** The contact's agent has gone. */
  markOffline(contact: ContactState, reason: string): void {
    if (contact.status === 'offline') return
    contact.status = 'offline'
    contact.health = 'unknown'
    contact.reason = reason
    contact.turnId = undefined
    contact.openRequests = 0
    contact.betweenSessions = false
    this.#livingNames.delete(contact.name)
    for (const key of this.#keysOf.get(contact.id) ?? []) {
      // A process id or terminal may be anybody's from now on; a session can only be resumed by its own.
      if (/^(?:pid|pane):/.test(key)) this.#dropKey(key, contact.id)
    }
    this.#save(contact)
    this.#emit(contact, 'offline')
  }

  /** Marks watched contacts offline that have been silent for ten minutes, or for twelve hours in a turn. */
  expire(): void {
    const now = this.#clock.now()
    for (const contact of this.#contacts.values()) {
      if (contact.status === 'offline') continue
      const inTurn = contact.health === 'working' || contact.health === 'blocked'
      if (now - contact.lastSeenAt <= (inTurn ? silentInTurnMs : silentMs)) continue
      this.markOffline(contact, inTurn ? 'silent for twelve hours' : 'silent for ten minutes')
    }
  }

  /** The process its agent runs in, where a forwarder could tell. */
  pidOf(contact: ContactState): string | undefined {
    return this.#keysOf
      .get(contact.id)
      ?.findLast((key) => key.startsWith('pid:'))
      ?.slice('pid:'.length)
  }

  /** By id, or by name: the living one, else the one of that name that was seen last. */
  get(idOrName: string): ContactState | undefined {
    const known = this.#contacts.get(idOrName) ?? this.#contacts.get(this.#livingNames.get(idOrName) ?? '')
    if (known) return known
    let offline: ContactState | undefined
    for (const contact of this.#contacts.values()) {
      if (contact.name !== idOrName) continue
      if (!offline || contact.lastSeenAt > offline.lastSeenAt) offline = contact
    }
    return offline
  }

  /** All contacts: live ones first, each group by the last sign of life. */
  list(): ContactState[] {
    return [...this.#contacts.values()].sort(
      (a, b) => Number(b.status === 'live') - Number(a.status === 'live') || b.lastSeenAt - a.lastSeenAt,
    )
  }

  /** Calls `listener` after every change, before anybody else can see it. */
  onChange(listener: (contact: ContactState, change: ContactChange) => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  #emit(contact: ContactState, change: ContactChange): void {
    for (const listener of this.#listeners) listener(contact, change)
  }

  #seen(contact: ContactState, at: number): void {
    contact.lastSeenAt = Math.max(contact.lastSeenAt, at)
    if (contact.lastSeenAt - (this.#seenWritten.get(contact.id) ?? 0) < seenWriteMs) return
    this.#seenWritten.set(contact.id, contact.lastSeenAt)
    this.#statements.seen.run(contact.lastSeenAt, contact.id)
  }

  #save(contact: ContactState): void {
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

  #addKey(key: string, contactId: string): void {
    const previous = this.#byKey.get(key)
    if (previous !== undefined) this.#dropKey(key, previous)
    this.#statements.saveKey.run(key, contactId)
    this.#linkKey(key, contactId)
    const sessions = (this.#keysOf.get(contactId) ?? []).filter(isSessionKey)
    if (sessions.length > maxSessionsPerContact && sessions[0] !== undefined)
      this.#dropKey(sessions[0], contactId)
  }

  #linkKey(key: string, contactId: string): void {
    this.#byKey.set(key, contactId)
    const keys = this.#keysOf.get(contactId)
    if (keys) keys.push(key)
    else this.#keysOf.set(contactId, [key])
  }

  #dropKey(key: string, contactId: string): void {
    this.#byKey.delete(key)
    this.#keysOf.set(
      contactId,
      (this.#keysOf.get(contactId) ?? []).filter((other) => other !== key),
    )
    this.#statements.dropKey.run(key)
  }

  #forgetOldest(): void {
    if (this.#contacts.size <= maxContacts) return
    const offline = this.list().filter((contact) => contact.status === 'offline')
    const oldest = offline.at(-1) ?? this.list().at(-1)
    if (!oldest) return
    for (const key of this.#keysOf.get(oldest.id) ?? []) this.#byKey.delete(key)
    this.#keysOf.delete(oldest.id)
    this.#seenWritten.delete(oldest.id)
    this.#contacts.delete(oldest.id)
    if (this.#livingNames.get(oldest.name) === oldest.id) this.#livingNames.delete(oldest.name)
    this.#statements.drop.run(oldest.id)
  }
}

/** A contact as every surface shows it. */
export function describeContact(contact: ContactState): Contact {
  return {
    id: contact.id,
    name: contact.name,
    agent: contact.agent,
    directory: contact.directory,
    status: contact.status,
    health: contact.health,
    transport: 'none',
    ...(contact.sessionId !== undefined && { session_id: contact.sessionId }),
    ...(contact.turnId !== undefined && { turn_id: contact.turnId }),
    reason: contact.reason,
    open_requests: contact.openRequests,
    created_at: contact.createdAt,
    last_seen_at: contact.lastSeenAt,
  }
}

/** What comes before the contact id that a pane of ours names itself by. */
const ownKey = 'contact:'

/** The keys a hook names its contact by, the surest first. */
function keysOf(agent: string, source: HookSource, sessionId: string | undefined): string[] {
  const keys: string[] = []
  if (source.contact) keys.push(ownKey + source.contact)
  if (source.pid) keys.push(`pid:${source.pid}`)
  if (source.pane) keys.push(`pane:${source.pane}`)
  if (sessionId !== undefined) keys.push(`session:${agent}:${sessionId}`)
  // Nothing tells such hooks apart, so they are one contact's, and not each a new one's.
  return keys.length > 0 ? keys : [`unknown:${agent}`]
}

function isSessionKey(key: string): boolean {
  return key.startsWith('session:')
}

/** The real path where it exists; what is shown keeps its symlinks. */
function realDirectoryOf(directory: string): string {
  if (directory === '' || directory.includes('\0')) return directory
  try {
    return realpathSync.native(directory)
  } catch {
    // The directory may be on another machine or gone; its own spelling still identifies it.
    return directory
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
