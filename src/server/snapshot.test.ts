import { expect, test } from 'vitest'
import { createTestStore } from '../../test/fixtures/store.ts'
import { masterIdentity, type Identity } from '../access/identity.ts'
import { ContactRegistry } from '../contacts/registry.ts'
import { SessionActivity } from '../contacts/session-activity.ts'
import { ManualClock } from '../core/clock.ts'
import { PendingRequests } from '../requests/pending-requests.ts'
import { createSnapshot } from './snapshot.ts'

function openParts() {
  const clock = new ManualClock()
  const { database } = createTestStore()
  const registry = new ContactRegistry(database, clock)
  const sessions = new SessionActivity(clock)
  const requests = new PendingRequests(database)
  const [mine, other] = ['mine', 'other'].map((sessionId) => {
    const at = clock.now()
    const contact = registry.resolve({ agent: 'claude', source: {}, sessionId, directory: undefined, at })
    sessions.touch(sessionId, at, contact.id)
    return contact
  })
  if (!mine || !other) throw new Error('two contacts were made')
  for (const { id } of [mine, other])
    requests.open({ request_id: `of ${id}`, agent: 'claude', contact: id, opened_at: 1 })
  requests.open({ request_id: 'of nobody', agent: 'claude', opened_at: 2 })
  return { registry, sessions, requests, mine, other }
}

test('B26 a snapshot holds the roster, the sessions and every open request', () => {
  const { mine, other, ...parts } = openParts()
  expect(createSnapshot(parts)(masterIdentity)).toEqual({
    type: 'snapshot',
    contacts: [expect.objectContaining({ id: mine.id }), expect.objectContaining({ id: other.id })],
    session_ids: ['mine', 'other'],
    requests: [
      { request_id: `of ${mine.id}`, opened_at: 1 },
      { request_id: `of ${other.id}`, opened_at: 1 },
      { request_id: 'of nobody', opened_at: 2 },
    ],
  })
})

test('who is bound to a contact sees nothing of the others', () => {
  const { mine, other, ...parts } = openParts()
  const bound: Identity = { ...masterIdentity, id: 'bound', contacts: new Set([mine.id]) }
  const text = JSON.stringify(createSnapshot(parts)(bound))
  expect(text).toContain(mine.id)
  expect(text).not.toContain(other.id)
  expect(text).not.toContain('"other"')
})
