import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestStore } from '../../test/fixtures/store.ts'
import { ManualClock } from '../core/clock.ts'
import type { ContactChange } from '../protocol/index.ts'
import { describeContact, type ContactState } from './contact.ts'
import type { HookSource } from './contact-keys.ts'
import { ContactRegistry } from './registry.ts'

const root = mkdtempSync(join(tmpdir(), 'registry-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Given {
  readonly source?: HookSource
  readonly session?: string
  readonly directory?: string
  readonly agent?: string
}

function openRegistry(database: DatabaseSync = createTestStore().database, clock = new ManualClock()) {
  const registry = new ContactRegistry(database, clock)
  const changes: string[] = []
  registry.onChange((contact, change) => changes.push(`${change} ${contact.id}`))
  const hook = ({ source = {}, session, directory, agent = 'claude' }: Given): ContactState => {
    const contact = registry.resolve({ agent, source, sessionId: session, directory, at: clock.now() })
    registry.revive(contact)
    return contact
  }
  return { registry, clock, changes, hook, database }
}

const working = { health: 'working', reason: 'its turn started', turnId: 't', openRequests: 0 } as const

describe('who a hook belongs to', () => {
  test('the first hook makes a contact, and says so once', () => {
    const { registry, changes, hook } = openRegistry()
    const contact = hook({ session: 's1', directory: '/work/a' })
    expect(hook({ session: 's1' })).toBe(contact)
    expect(changes).toEqual([`connect ${contact.id}`])
    expect(describeContact(contact)).toMatchObject({
      agent: 'claude',
      directory: '/work/a',
      status: 'live',
      session_id: 's1',
      transport: 'none',
    })
    expect(registry.list()).toEqual([contact])
  })

  test.each([
    ['process', { pid: '41' }],
    ['pane', { pane: '%3' }],
    ['own contact', { contact: 'from-our-pane' }],
  ])('the same %s is the same contact, whatever session it reports', (_name, source) => {
    const { hook, changes } = openRegistry()
    const contact = hook({ source, session: 's1' })
    expect(hook({ source, session: 's2' })).toBe(contact)
    expect(contact.sessionId).toBe('s2')
    expect(changes).toEqual([`connect ${contact.id}`, `session ${contact.id}`])
  })

  test('a pane of ours names its contact by id, also after that went away', () => {
    const { hook, registry } = openRegistry()
    const contact = hook({ session: 's1' })
    const source = { contact: contact.id }
    expect(hook({ source, session: 's2' })).toBe(contact)
    registry.markOffline(contact, 'gone')
    expect(hook({ source, session: 's3' })).toBe(contact)
  })

  test('the surest sign wins: what forwarder and session say may differ', () => {
    const { hook } = openRegistry()
    const one = hook({ source: { pid: '1' }, session: 's1' })
    const two = hook({ source: { pid: '2' }, session: 's2' })
    expect(hook({ source: { pid: '2' }, session: 's1' })).toBe(two)
    expect(hook({ source: { pid: '1' } })).toBe(one)
  })

  test('another agent with the same process, pane or session is another contact', () => {
    const { hook } = openRegistry()
    const source = { pid: '1', pane: '%1' }
    const claude = hook({ source, session: 's', directory: '/work/a' })
    const other = hook({ source, session: 's', directory: '/work/a', agent: 'simulator' })
    expect(other).not.toBe(claude)
  })

  test('hooks that say nothing of their origin share one contact per agent', () => {
    const { hook, registry } = openRegistry()
    const first = hook({})
    for (let n = 0; n < 20; n += 1) expect(hook({})).toBe(first)
    registry.markOffline(first, 'silent for ten minutes')
    expect(hook({})).toBe(first)
    hook({ agent: 'simulator' })
    expect(registry.list().length).toBe(2)
  })
})

describe('B16 sessions of one pane', () => {
  const source = { pid: '77', pane: 'tmux:%4' }
  const orders = [
    ['S2', 'S1'],
    ['S1', 'S2'],
  ] as const

  test.each(orders)('B16 two starts, %s then %s, are one live contact', (first, second) => {
    const { hook, registry, clock, changes } = openRegistry()
    const contact = hook({ source, session: first, directory: '/work/a' })
    clock.advance(3)
    expect(hook({ source, session: second, directory: '/work/a' })).toBe(contact)
    // A prompt of the resumed session, and tools and an end that still carry an older id.
    for (const session of ['S1', 'S0', 'S0']) expect(hook({ source, session })).toBe(contact)
    expect(registry.list()).toEqual([contact])
    expect(changes.filter((change) => !change.startsWith('session'))).toEqual([`connect ${contact.id}`])
    expect(contact.sessionId).toBe('S0')
  })

  test('B16 clear and compact keep the contact', () => {
    const { hook, registry } = openRegistry()
    const contact = hook({ source, session: 'S1' })
    contact.betweenSessions = true
    expect(hook({ source, session: 'S3' })).toBe(contact)
    expect(contact.betweenSessions).toBe(false)
    expect(hook({ source, session: 'S3' })).toBe(contact)
    expect(registry.list()).toEqual([contact])
  })

  test('B16 without pane or process, a session that follows a clear in its directory is the same contact', () => {
    const { hook } = openRegistry()
    const contact = hook({ session: 'S1', directory: '/work/a' })
    contact.betweenSessions = true
    expect(hook({ session: 'S2', directory: '/work/b' })).not.toBe(contact)
    expect(hook({ session: 'S3', directory: '/work/a' })).toBe(contact)
    expect(hook({ session: 'S4', directory: '/work/a' })).not.toBe(contact)
  })
})

describe('names', () => {
  test('are unique among the living and found by', () => {
    const { hook, registry } = openRegistry()
    const contacts = Array.from({ length: 150 }, (_, n) => hook({ session: `s${n}` }))
    expect(new Set(contacts.map(({ name }) => name)).size).toBe(150)
    for (const contact of contacts) {
      expect(registry.get(contact.name)).toBe(contact)
      expect(registry.get(contact.id)).toBe(contact)
    }
    expect(registry.get('nobody')).toBeUndefined()
  })

  test('a revived contact keeps its name unless somebody living took it', () => {
    const { hook, registry } = openRegistry()
    const contact = hook({ session: 's1', directory: '/work/a' })
    const { name } = contact
    registry.markOffline(contact, 'gone')
    expect(hook({ session: 's1' }).name).toBe(name)
  })

  test('of two with the same name the living one is found, and the other gets a new name when it returns', () => {
    const { hook, registry, database, clock } = openRegistry()
    const dead = hook({ session: 'dead' })
    registry.markOffline(dead, 'gone')
    clock.advance(1)
    const living = hook({ session: 'living' })
    // Names are chosen by the id, so two of the same name are made by hand.
    database.prepare('UPDATE contacts SET name = ?').run('vint')

    const later = openRegistry(database, clock)
    expect(later.registry.get('vint')?.id).toBe(living.id)
    const returned = later.hook({ session: 'dead' })
    expect(returned.id).toBe(dead.id)
    expect(returned.name).not.toBe('vint')
    for (const { id } of [living, returned]) {
      const contact = later.registry.get(id)
      if (contact) later.registry.markOffline(contact, 'gone')
    }
    expect(later.registry.get('vint')?.id).toBe(living.id)
  })
})

describe('going and coming back', () => {
  test('a contact that went away is revived by its session, and by its directory', () => {
    const { hook, registry, changes } = openRegistry()
    const contact = hook({ session: 's1', directory: '/work/a' })
    registry.markOffline(contact, 'its session ended')
    expect(describeContact(contact)).toMatchObject({ status: 'offline', health: 'unknown', open_requests: 0 })
    expect(hook({ session: 's1' })).toBe(contact)
    registry.markOffline(contact, 'its session ended')
    expect(hook({ session: 's2', directory: '/work/a' })).toBe(contact)
    expect(changes.map((change) => change.split(' ')[0])).toEqual([
      'connect',
      'offline',
      'revive',
      'offline',
      'revive',
    ])
  })

  test('a living contact of the same directory is not taken over', () => {
    const { hook } = openRegistry()
    const one = hook({ session: 's1', directory: '/work/a' })
    expect(hook({ session: 's2', directory: '/work/a' })).not.toBe(one)
  })

  test('a process id or pane of somebody who left is nobody', () => {
    const { hook, registry } = openRegistry()
    const source = { pid: '9', pane: '%9' }
    const contact = hook({ source, session: 's1', directory: '/work/a' })
    registry.markOffline(contact, 'gone')
    expect(hook({ source, session: 'other', directory: '/work/b' })).not.toBe(contact)
    expect(hook({ session: 's1' })).toBe(contact)
  })

  test('directories are compared by their real path, and shown as they were given', () => {
    const real = join(root, 'real')
    const link = join(root, 'link')
    mkdirSync(real)
    symlinkSync(real, link)
    const { hook, registry } = openRegistry()
    const contact = hook({ session: 's1', directory: link })
    expect(contact.directory).toBe(link)
    registry.markOffline(contact, 'gone')
    expect(hook({ session: 's2', directory: real })).toBe(contact)
    expect(contact.directory).toBe(link)
  })

  test('B56 a directory is only a text: newlines, control bytes and lies are kept and harm nothing', () => {
    const { hook } = openRegistry()
    for (const directory of ['/work/a\nb', '/no/such/place', '$(touch /tmp/PWN)', '\0', '', '../..']) {
      expect(hook({ session: `in ${directory}`, directory }).directory).toBe(directory)
    }
  })

  test('silent for ten minutes outside a turn is offline', () => {
    const { hook, registry, clock, changes } = openRegistry()
    const contact = hook({ session: 's1' })
    clock.advance(10 * 60_000)
    registry.expire()
    expect(contact.status).toBe('live')
    clock.advance(1)
    registry.expire()
    registry.expire()
    expect(contact.status).toBe('offline')
    expect(changes.filter((change) => change.startsWith('offline')).length).toBe(1)
  })

  test('a long build or a question that waits for its answer is no silence', () => {
    const { hook, registry, clock } = openRegistry()
    const building = hook({ session: 's1' })
    const asking = hook({ session: 's2' })
    registry.update(building, working)
    registry.update(asking, { ...working, health: 'blocked', openRequests: 1 })
    clock.advance(6 * 3_600_000)
    registry.expire()
    expect([building.status, asking.status]).toEqual(['live', 'live'])
    clock.advance(20 * 3_600_000)
    registry.expire()
    expect([building.status, asking.status]).toEqual(['offline', 'offline'])
  })
})

describe('changes', () => {
  test('whoever hears of a contact or of its return hears its session with it', () => {
    const { hook, registry } = openRegistry()
    const heard: [ContactChange, string | undefined][] = []
    registry.onChange((contact, change) => heard.push([change, contact.sessionId]))
    const contact = hook({ session: 's1', directory: '/work/a' })
    registry.markOffline(contact, 'gone')
    hook({ session: 's2', directory: '/work/a' })
    expect(heard).toEqual([
      ['connect', 's1'],
      ['offline', 's1'],
      ['revive', 's2'],
    ])
  })

  test('only a change of health or of open requests is news', () => {
    const { hook, registry, changes } = openRegistry()
    const contact = hook({ session: 's1' })
    registry.update(contact, working)
    registry.update(contact, { ...working, reason: 'still' })
    registry.update(contact, { ...working, openRequests: 1 })
    expect(changes.slice(1)).toEqual([`health ${contact.id}`, `health ${contact.id}`])
    expect(describeContact(contact)).toMatchObject({ health: 'working', turn_id: 't', open_requests: 1 })
  })

  test('nobody who stopped listening is told', () => {
    const { registry, hook } = openRegistry()
    const changes: ContactChange[] = []
    const subscription = registry.onChange((_contact, change) => changes.push(change))
    subscription[Symbol.dispose]()
    hook({ session: 's1' })
    expect(changes).toEqual([])
  })
})

describe('across a restart', () => {
  test('contacts and the keys they are found by are kept', () => {
    const before = openRegistry()
    const live = before.hook({ source: { pid: '5' }, session: 's1', directory: '/work/a' })
    const gone = before.hook({ session: 's2', directory: '/work/b' })
    before.registry.markOffline(gone, 'gone')

    const { hook, registry } = openRegistry(before.database, before.clock)
    expect(registry.list().map(({ id, status }) => [id, status])).toEqual([
      [live.id, 'live'],
      [gone.id, 'offline'],
    ])
    expect(hook({ source: { pid: '5' } }).id).toBe(live.id)
    expect(hook({ session: 's1' }).name).toBe(live.name)
    expect(hook({ session: 's2' }).id).toBe(gone.id)
  })

  test('the time of the last hook is never more than a minute stale', () => {
    const before = openRegistry()
    const contact = before.hook({ session: 's1' })
    for (let n = 0; n < 10; n += 1) {
      before.clock.advance(20_000)
      before.hook({ session: 's1' })
    }
    const { registry } = openRegistry(before.database)
    const seen = registry.get(contact.id)?.lastSeenAt ?? 0
    expect(before.clock.now() - seen).toBeLessThanOrEqual(60_000)
  })
})

describe('bounds', () => {
  test('a contact is remembered under fifty sessions, the newest', () => {
    const { hook, registry } = openRegistry()
    const source = { pid: '1' }
    const contact = hook({ source, session: 's0', directory: '/work/a' })
    for (let n = 1; n <= 80; n += 1) hook({ source, session: `s${n}` })
    expect(hook({ session: 's80' })).toBe(contact)
    expect(hook({ session: 's40' })).toBe(contact)
    expect(hook({ session: 's0' })).not.toBe(contact)
    expect(hook({ source })).toBe(contact)
    expect(registry.list().length).toBe(2)
  })

  test('beyond five thousand the longest unseen offline contact is forgotten, keys and all', () => {
    const { hook, registry, database, clock } = openRegistry()
    database.exec('BEGIN')
    const first = hook({ session: 'first' })
    registry.markOffline(first, 'gone')
    for (let n = 0; n < 5_000; n += 1) {
      clock.advance(1)
      hook({ session: `s${n}` })
    }
    database.exec('COMMIT')
    expect(registry.list().length).toBe(5_000)
    expect(registry.get(first.id)).toBeUndefined()
    const keys = database.prepare('SELECT count(*) AS keys FROM contact_keys').get()
    expect(keys).toEqual({ keys: 5_000 })
  })
})
