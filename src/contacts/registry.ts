import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import type { ContactChange, Health } from '../protocol/index.ts'
import { realDirectoryOf, type ContactState } from './contact.ts'
import { ContactKeys, keysOfHook, type HookSource } from './contact-keys.ts'
import { ContactTable } from './contact-table.ts'
import { generateName } from './names.ts'

/** A live contact without a sign of life for this long is offline when it is watched only. */
const silentMs = 10 * 60 * 1000
/** In a turn an agent is silent for as long as a build runs or a person does not answer; a night is enough. */
const silentInTurnMs = 12 * 60 * 60 * 1000
/** Offline contacts beyond this are forgotten, the longest unseen first. */
const maxContacts = 5_000

/**
 * All contacts. Agents started outside become contacts by their first hook, found again by the keys their hooks
 * carry: the pane or process where the forwarder can tell, else the session.
 */
export class ContactRegistry {
  readonly #clock: Clock
  readonly #table: ContactTable
  readonly #keys: ContactKeys
  readonly #contacts = new Map<string, ContactState>()
  /** The ids of the living by their names. */
  readonly #livingNames = new Map<string, string>()
  readonly #listeners = new Set<(contact: ContactState, change: ContactChange) => void>()

  constructor(database: DatabaseSync, clock: Clock) {
    this.#clock = clock
    this.#table = new ContactTable(database)
    this.#keys = new ContactKeys(database)
    for (const contact of this.#table.load()) {
      this.#contacts.set(contact.id, contact)
      if (contact.status === 'live') this.#livingNames.set(contact.name, contact.id)
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
    const keys = keysOfHook(hook.agent, hook.source, hook.sessionId)
    const known = this.#findByKeys(keys, hook.agent)
    const contact = known ?? this.#findReturning(hook) ?? this.#create(hook)
    for (const key of keys) this.#keys.assign(key, contact.id)
    contact.lastSeenAt = Math.max(contact.lastSeenAt, hook.at)
    this.#table.saveSeen(contact)
    const isNewSession = hook.sessionId !== undefined && hook.sessionId !== contact.sessionId
    if (isNewSession) {
      contact.sessionId = hook.sessionId
      contact.betweenSessions = false
    }
    if (isNewSession && contact.status === 'live') {
      this.#table.save(contact)
      this.#emit(contact, 'session')
    }
    return contact
  }

  #findByKeys(keys: readonly string[], agent: string): ContactState | undefined {
    for (const key of keys) {
      const contact = this.#contacts.get(this.#keys.contactOf(key) ?? '')
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
    this.#table.save(contact)
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
    this.#table.save(contact)
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
    this.#keys.releasePlaces(contact.id)
    this.#table.save(contact)
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
    return this.#keys.pidOf(contact.id)
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

  #forgetOldest(): void {
    if (this.#contacts.size <= maxContacts) return
    const offline = this.list().filter((contact) => contact.status === 'offline')
    const oldest = offline.at(-1) ?? this.list().at(-1)
    if (!oldest) return
    this.#keys.forget(oldest.id)
    this.#contacts.delete(oldest.id)
    if (this.#livingNames.get(oldest.name) === oldest.id) this.#livingNames.delete(oldest.name)
    this.#table.drop(oldest.id)
  }
}
