import { expect, test } from 'vitest'
import { testContact as contact } from '../../test/fixtures/contact.ts'
import { compareContacts, contactState } from './contact-state.ts'

test('a contact has one state, and who needs a person comes first', () => {
  const contacts = [
    contact('gone', { status: 'offline', health: 'working', open_requests: 1 }),
    contact('older', { health: 'ok', last_seen_at: 1 }),
    contact('newer', { health: 'unknown', last_seen_at: 2 }),
    contact('busy', { health: 'working' }),
    contact('starting', { health: 'starting', last_seen_at: -1 }),
    contact('blocked', { health: 'blocked' }),
    contact('asking', { health: 'working', open_requests: 1, last_seen_at: 1 }),
  ]
  const sorted = contacts.toSorted(compareContacts).map((one) => `${one.name} ${contactState(one)}`)
  expect(sorted).toEqual([
    'asking asks',
    'blocked asks',
    'busy working',
    'starting working',
    'newer idle',
    'older idle',
    'gone offline',
  ])
})
