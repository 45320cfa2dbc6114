import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { BridgeError } from '../core/errors.ts'
import { newId, newSecret } from '../core/ids.ts'
import { scopes, type Scope, type TokenInfo } from '../protocol/index.ts'
import { masterIdentity, type Identity } from './identity.ts'
import { digestOf, equalDigests } from './secrets.ts'

export { hasScope, mayReach } from './identity.ts'

/** The table of the tokens; the store runs it as a migration. `scopes` and `contacts` are JSON lists. */
export const tokensSchema = `
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    contacts TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER
  ) STRICT
`

/** `last_used_at` reaches the disk at most this often per token; it is a courtesy, not a fact to be kept. */
const lastUseIntervalMs = 60_000

/** Identities of the audit that are no tokens (the original's, and the master token). */
const reservedNames = new Set(['master', 'daemon', 'local', 'plugin', 'anonymous', '-', ''])

/** What a new token shall be. */
interface NewToken {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Contact ids; absent: all. */
  readonly contacts?: readonly string[]
  readonly expiresInSeconds?: number
}

/** A token and its secret, which is shown only this once. */
interface CreatedToken {
  readonly token: TokenInfo
  readonly secret: string
}

/** All tokens of a bridge, the master token among them but in no list. */
export interface Tokens extends Disposable {
  /** Whose secret this is; undefined when it is unknown, revoked or expired. */
  verify(secret: string): Identity | undefined
  /**
   * Whether an identity that {@link verify} gave still holds: its token is neither revoked, rotated nor expired.
   * What stays open for long (sockets, streams, tickets) asks from time to time.
   */
  isCurrent(identity: Identity): boolean
  /** All tokens but the master token, oldest first, expired ones included. */
  list(): TokenInfo[]
  /**
   * Makes a token.
   *
   * @throws BridgeError `invalid_params` for a name by which the audit calls somebody else
   */
  create(token: NewToken): CreatedToken
  /**
   * Gives a token a new secret and ends the old one at once; scopes, contacts and expiry stay.
   *
   * @throws BridgeError `token_not_found`
   */
  rotate(id: string): CreatedToken
  /**
   * Ends a token at once. Where the database refuses, it is ended until the next start and the error is thrown.
   *
   * @throws BridgeError `token_not_found`
   */
  revoke(id: string): void
  /** Calls `listener` with the id of each token that is revoked or rotated, so that its sockets can be closed. */
  onRevoked(listener: (id: string) => void): Disposable
}

interface Entry {
  readonly digest: string
  readonly identity: Identity
  readonly createdAt: number
  readonly expiresAt?: number
  lastUsedAt?: number
  writtenUseAt?: number
}

const rowSchema = z.object({
  id: z.string(),
  digest: z.string(),
  name: z.string(),
  scopes: z.string(),
  contacts: z.string().nullable(),
  created_at: z.number(),
  expires_at: z.number().nullable(),
  last_used_at: z.number().nullable(),
})
const textListSchema = z.array(z.string())

/**
 * Opens the tokens (design, "Access"). All are held in memory by the digest of their secret, so verifying one
 * costs a hash and a look-up; secrets are kept nowhere.
 *
 * @throws BridgeError `token_required` when `masterToken` is empty
 */
export function openTokens(options: { database: DatabaseSync; masterToken: string; clock: Clock }): Tokens {
  const { database, masterToken, clock } = options
  if (masterToken === '') throw new BridgeError('token_required')

  const insert = database.prepare(
    'INSERT INTO tokens (id, digest, name, scopes, contacts, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const updateDigest = database.prepare('UPDATE tokens SET digest = ? WHERE id = ?')
  const updateUse = database.prepare('UPDATE tokens SET last_used_at = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM tokens WHERE id = ?')

  const master: Entry = { digest: digestOf(masterToken), identity: masterIdentity, createdAt: 0 }
  const byId = new Map<string, Entry>()
  const byDigest = new Map([[master.digest, master]])
  const listeners = new Set<(id: string) => void>()
  const used = new Set<Entry>()
  let flushing: NodeJS.Immediate | undefined

  for (const row of database.prepare('SELECT * FROM tokens ORDER BY created_at, rowid').all()) {
    keep(toEntry(rowSchema.parse(row)))
  }

  function keep(entry: Entry): void {
    byId.set(entry.identity.id, entry)
    byDigest.set(entry.digest, entry)
  }

  function find(id: string): Entry {
    const entry = byId.get(id)
    if (entry === undefined) throw new BridgeError('token_not_found', { token: id })
    return entry
  }

  function isExpired(entry: Entry): boolean {
    return entry.expiresAt !== undefined && clock.now() >= entry.expiresAt
  }

  function noteUse(entry: Entry): void {
    const now = clock.now()
    entry.lastUsedAt = now
    // Absolute: after the clock was set back, the next use is written rather than waited for.
    if (entry.writtenUseAt !== undefined && Math.abs(now - entry.writtenUseAt) < lastUseIntervalMs) return
    entry.writtenUseAt = now
    used.add(entry)
    flushing ??= setImmediate(flushUses).unref()
  }

  function flushUses(): void {
    flushing = undefined
    for (const { identity, lastUsedAt } of used) {
      try {
        updateUse.run(lastUsedAt ?? null, identity.id)
      } catch {
        // A full disk or a closed database must not turn a good token down; the next minute tries again.
      }
    }
    used.clear()
  }

  function announce(id: string): void {
    for (const listener of listeners) listener(id)
  }

  return {
    verify(secret) {
      const digest = digestOf(secret)
      const entry = byDigest.get(digest)
      if (entry === undefined || !equalDigests(digest, entry.digest) || isExpired(entry)) return undefined
      if (entry !== master) noteUse(entry)
      return entry.identity
    },

    isCurrent(identity) {
      if (identity === masterIdentity) return true
      const entry = byId.get(identity.id)
      return entry?.identity === identity && !isExpired(entry)
    },

    list: () => [...byId.values()].map(toInfo),

    create({ name, scopes: wanted, contacts, expiresInSeconds }) {
      if (reservedNames.has(name.trim().toLowerCase())) {
        throw new BridgeError('invalid_params', { field: 'name', problem: `"${name}" is the bridge's own` })
      }
      const secret = newTokenSecret()
      const now = clock.now()
      const entry: Entry = {
        digest: digestOf(secret),
        identity: toIdentity(newId(), name, wanted, contacts),
        createdAt: now,
        ...(expiresInSeconds !== undefined && { expiresAt: now + expiresInSeconds * 1000 }),
      }
      const { id, scopes, contacts: bound } = entry.identity
      const boundJson = bound ? JSON.stringify([...bound]) : null
      insert.run(id, entry.digest, name, JSON.stringify([...scopes]), boundJson, now, entry.expiresAt ?? null)
      keep(entry)
      return { token: toInfo(entry), secret }
    },

    rotate(id) {
      const old = find(id)
      const secret = newTokenSecret()
      const entry: Entry = { ...old, digest: digestOf(secret), identity: { ...old.identity } }
      updateDigest.run(entry.digest, id)
      byDigest.delete(old.digest)
      keep(entry)
      announce(id)
      return { token: toInfo(entry), secret }
    },

    revoke(id) {
      const entry = find(id)
      byId.delete(id)
      byDigest.delete(entry.digest)
      used.delete(entry)
      try {
        remove.run(id)
      } finally {
        announce(id)
      }
    },

    onRevoked(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },

    [Symbol.dispose]() {
      clearImmediate(flushing)
      for (const entry of byId.values()) {
        if (entry.lastUsedAt !== undefined && entry.lastUsedAt !== entry.writtenUseAt) used.add(entry)
      }
      flushUses()
      listeners.clear()
    },
  }
}

/** The prefix lets secret scanners and people recognize a token of the bridge. */
function newTokenSecret(): string {
  return `brt_${newSecret(32)}`
}

function toIdentity(
  id: string,
  name: string,
  scopes: readonly Scope[],
  contacts: readonly string[] | undefined,
): Identity {
  return { id, name, scopes: new Set(scopes), ...(contacts && { contacts: new Set(contacts) }) }
}

function toEntry(row: z.output<typeof rowSchema>): Entry {
  const written = textListSchema.parse(JSON.parse(row.scopes))
  // A newer version may have written a scope this one does not know: the token then simply lacks it.
  const known = scopes.filter((scope) => written.includes(scope))
  const contacts = row.contacts === null ? undefined : textListSchema.parse(JSON.parse(row.contacts))
  return {
    digest: row.digest,
    identity: toIdentity(row.id, row.name, known, contacts),
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at, writtenUseAt: row.last_used_at }),
  }
}

function toInfo({ identity, createdAt, expiresAt, lastUsedAt }: Entry): TokenInfo {
  return {
    id: identity.id,
    name: identity.name,
    scopes: [...identity.scopes],
    ...(identity.contacts && { contacts: [...identity.contacts] }),
    created_at: createdAt,
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(lastUsedAt !== undefined && { last_used_at: lastUsedAt }),
  }
}
