import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import { ManualClock } from '../core/clock.ts'
import { scopes } from '../protocol/index.ts'
import { masterIdentity } from './identity.ts'
import { hasScope, mayReach, openTokens, tokensSchema, type Tokens } from './tokens.ts'

const masterToken = 'test'
let database: DatabaseSync
let clock: ManualClock
let tokens: Tokens

beforeEach(() => {
  database = new DatabaseSync(':memory:')
  database.exec(tokensSchema)
  clock = new ManualClock()
  tokens = openTokens({ database, masterToken, clock })
})

/** The tokens as the next start finds them. */
const reopen = () => openTokens({ database, masterToken, clock })

describe('verify', () => {
  test('the master token has every scope and reaches every contact', () => {
    const identity = tokens.verify('test')
    expect(identity).toMatchObject({ id: 'master', name: 'master' })
    expect(scopes.filter((scope) => !hasScope(identity, scope))).toEqual([])
    expect(mayReach(identity, 'any')).toBe(true)
  })

  test('B54 another secret is nobody, whatever its length', () => {
    const { secret } = tokens.create({ name: 'a', scopes: ['read'] })
    const wrong = [
      '',
      'tesT',
      'test ',
      ' test',
      'tes',
      'x'.repeat(100_000),
      secret.slice(1),
      `${secret}0`,
      '\0',
    ]
    expect(wrong.filter((guess) => tokens.verify(guess))).toEqual([])
  })

  test('B54 without a master token nothing opens', () => {
    expect(() => openTokens({ database, masterToken: '', clock })).toThrow('No token is set.')
  })

  test('a token has its scopes and contacts, also after a restart', () => {
    const { token, secret } = tokens.create({
      name: 'pane',
      scopes: ['ingest', 'read'],
      contacts: ['c1', 'c2'],
    })
    for (const opened of [tokens, reopen()]) {
      const identity = opened.verify(secret)
      expect(identity).toMatchObject({ id: token.id, name: 'pane' })
      expect(scopes.filter((scope) => hasScope(identity, scope))).toEqual(['ingest', 'read'])
      expect(['c1', 'c2', 'c3'].filter((contact) => mayReach(identity, contact))).toEqual(['c1', 'c2'])
    }
  })

  test('nobody has no scope and reaches no contact', () => {
    expect(scopes.filter((scope) => hasScope(undefined, scope))).toEqual([])
    expect(mayReach(undefined, 'c1')).toBe(false)
  })

  test('expiry is checked each time', () => {
    const { token, secret } = tokens.create({ name: 'a', scopes: ['read'], expiresInSeconds: 60 })
    expect(token.expires_at).toBe(clock.now() + 60_000)
    const identity = tokens.verify(secret) ?? masterIdentity
    clock.advance(59_999)
    expect(tokens.isCurrent(identity)).toBe(true)
    expect(tokens.verify(secret)).toBe(identity)
    clock.advance(1)
    expect(tokens.isCurrent(identity)).toBe(false)
    expect(tokens.verify(secret)).toBeUndefined()
    expect(reopen().verify(secret)).toBeUndefined()
    expect(tokens.list()).toHaveLength(1)
  })

  test('a scope that only a newer version knows is dropped, the rest stays', () => {
    const { token, secret } = tokens.create({ name: 'a', scopes: ['read'] })
    database.prepare('UPDATE tokens SET scopes = ? WHERE id = ?').run('["fly","read"]', token.id)
    expect([...(reopen().verify(secret)?.scopes ?? [])]).toEqual(['read'])
  })
})

describe('create', () => {
  test('the secret is shown once and stored nowhere', () => {
    const { token, secret } = tokens.create({ name: 'phone', scopes: ['read', 'read', 'send'] })
    expect(secret).toMatch(/^brt_[0-9a-f]{64}$/)
    expect(token).toEqual({ id: token.id, name: 'phone', scopes: ['read', 'send'], created_at: clock.now() })
    expect(tokens.list()).toEqual([token])
    const stored = JSON.stringify(database.prepare('SELECT * FROM tokens').all())
    expect(stored).toContain(token.id)
    expect(stored).not.toContain(secret.slice(4))
  })

  test('lists are oldest first, also after a restart', () => {
    const names = ['z', 'a', 'm']
    for (const name of names) tokens.create({ name, scopes: ['read'] })
    expect(tokens.list().map(({ name }) => name)).toEqual(names)
    expect(reopen().list()).toEqual(tokens.list())
  })

  test.each(['master', 'Master ', 'daemon', '-', ' '])('no token is called %j in the audit', (name) => {
    expect(() => tokens.create({ name, scopes: ['read'] })).toThrow("is the bridge's own")
    expect(tokens.list()).toEqual([])
  })

  test('what the database refuses is no token', () => {
    database.exec('PRAGMA query_only = 1')
    expect(() => tokens.create({ name: 'a', scopes: ['read'] })).toThrow('readonly')
    expect(tokens.list()).toEqual([])
  })
})

describe('the end of a token', () => {
  test('revoked, it is nobody at once and after a restart' + verifies('A:security.token-rotation'), () => {
    const { token, secret } = tokens.create({ name: 'a', scopes: ['read'] })
    const identity = tokens.verify(secret) ?? masterIdentity
    const ended: string[] = []
    tokens.onRevoked((id) => ended.push(id))
    tokens.revoke(token.id)
    expect(tokens.verify(secret)).toBeUndefined()
    expect(tokens.isCurrent(identity)).toBe(false)
    expect(ended).toEqual([token.id])
    expect(tokens.list()).toEqual([])
    expect(reopen().verify(secret)).toBeUndefined()
    expect(() => tokens.revoke(token.id)).toThrow(`There is no token with the id "${token.id}".`)
  })

  test(
    'rotated, the new secret is the same token and the old one is nobody' +
      verifies('A:security.token-rotation'),
    () => {
      const { token, secret } = tokens.create({
        name: 'a',
        scopes: ['read'],
        contacts: ['c1'],
        expiresInSeconds: 60,
      })
      const identity = tokens.verify(secret) ?? masterIdentity
      const ended: string[] = []
      tokens.onRevoked((id) => ended.push(id))
      const rotated = tokens.rotate(token.id)
      expect(rotated.secret).not.toBe(secret)
      expect(rotated.token).toEqual({ ...token, last_used_at: clock.now() })
      expect(tokens.isCurrent(identity)).toBe(false)
      expect(ended).toEqual([token.id])
      for (const opened of [tokens, reopen()]) {
        expect(opened.verify(secret)).toBeUndefined()
        expect(opened.verify(rotated.secret)).toEqual(identity)
      }
    },
  )

  test('the others go on', () => {
    const kept = tokens.create({ name: 'a', scopes: ['read'] })
    const identity = tokens.verify(kept.secret) ?? masterIdentity
    tokens.revoke(tokens.create({ name: 'b', scopes: ['read'] }).token.id)
    tokens.rotate(tokens.create({ name: 'c', scopes: ['read'] }).token.id)
    expect(tokens.verify(kept.secret)).toBe(identity)
    expect(tokens.isCurrent(identity)).toBe(true)
    expect(tokens.isCurrent(masterIdentity)).toBe(true)
  })

  test('a listener that is disposed hears nothing more', () => {
    const ended: string[] = []
    const listening = tokens.onRevoked((id) => ended.push(id))
    listening[Symbol.dispose]()
    tokens.revoke(tokens.create({ name: 'a', scopes: ['read'] }).token.id)
    expect(ended).toEqual([])
  })

  test('where the database refuses, revoking still ends it here, and says so', () => {
    const { token, secret } = tokens.create({ name: 'a', scopes: ['read'] })
    const ended: string[] = []
    tokens.onRevoked((id) => ended.push(id))
    database.exec('PRAGMA query_only = 1')
    expect(() => tokens.revoke(token.id)).toThrow('readonly')
    expect(tokens.verify(secret)).toBeUndefined()
    expect(ended).toEqual([token.id])
  })

  test('where the database refuses, rotating leaves the old secret', () => {
    const { token, secret } = tokens.create({ name: 'a', scopes: ['read'] })
    database.exec('PRAGMA query_only = 1')
    expect(() => tokens.rotate(token.id)).toThrow('readonly')
    expect(tokens.verify(secret)).toMatchObject({ id: token.id })
  })

  test.each(['master', 'nonsense', ''])('there is no token %j to rotate or revoke', (id) => {
    expect(() => tokens.rotate(id)).toThrow('There is no token')
    expect(() => tokens.revoke(id)).toThrow('There is no token')
  })
})

describe('the last use', () => {
  const stored = () => database.prepare('SELECT last_used_at FROM tokens').get()?.['last_used_at']

  test('reaches the disk once a minute, and lists at once', async () => {
    const { secret } = tokens.create({ name: 'a', scopes: ['read'] })
    const start = clock.now()
    expect(tokens.list()[0]?.last_used_at).toBeUndefined()
    tokens.verify(secret)
    await nextTurn()
    expect(stored()).toBe(start)
    clock.advance(59_999)
    tokens.verify(secret)
    await nextTurn()
    expect(stored()).toBe(start)
    expect(tokens.list()[0]?.last_used_at).toBe(start + 59_999)
    clock.advance(1)
    tokens.verify(secret)
    await nextTurn()
    expect(stored()).toBe(start + 60_000)
  })

  test('is written when the tokens are closed', () => {
    const { secret } = tokens.create({ name: 'a', scopes: ['read'] })
    tokens.verify(secret)
    tokens[Symbol.dispose]()
    expect(stored()).toBe(clock.now())
  })

  test('a database that refuses it turns no token down', async () => {
    const { secret } = tokens.create({ name: 'a', scopes: ['read'] })
    database.close()
    expect(tokens.verify(secret)).toBeDefined()
    await nextTurn()
    expect(tokens.verify(secret)).toBeDefined()
  })
})
