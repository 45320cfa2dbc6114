import { expect, test } from 'vitest'
import { testContact } from '../../../test/fixtures/contact.ts'
import type { Contact, Status } from '../../protocol/index.ts'
import { styleFor } from '../style.ts'
import { formatStatus } from './status.ts'

const now = 1_000_000_000
const contact = (name: string, fields: Partial<Contact> = {}) =>
  testContact(name, { directory: '/srv/api', last_seen_at: now - 120_000, ...fields })
const status = (contacts: Contact[], fields: Partial<Status> = {}): Status => ({
  version: '0.1.0',
  pid: 1,
  uptime_seconds: 3_725,
  started_at: 0,
  home: '/home/bridge',
  url: 'http://127.0.0.1:8787',
  agents: ['claude'],
  log: { epoch: 'e', seq: 1_234, oldest_seq: 1, events: 1_234 },
  clients: 0,
  spooled: 0,
  contacts,
  ...fields,
})

test('shows who needs a person first, in aligned columns', () => {
  const contacts = [
    contact('lynx', { status: 'offline', reason: 'its session ended' }),
    contact('otter'),
    contact('codex-2', { agent: 'codex', health: 'working', reason: 'its turn started', last_seen_at: now }),
    contact('vint', { health: 'blocked', open_requests: 1, reason: 'asks Bash' }),
  ]
  expect(formatStatus(status(contacts, { clients: 1, spooled: 2 }), styleFor({}), now).split('\n')).toEqual([
    'Agent Bridge 0.1.0  http://127.0.0.1:8787 · up 1h 2m · 1,234 events · 1 client · 2 hooks waiting in the spool',
    '',
    '◆  vint     asks     claude  /srv/api  asks Bash          2m',
    '⠙  codex-2  working  codex   /srv/api  its turn started   now',
    '●  otter    idle     claude  /srv/api  its turn ended     2m',
    '○  lynx     offline  claude  /srv/api  its session ended  2m',
  ])
})

test('says what to do while there is nobody, and does not list the long gone', () => {
  expect(formatStatus(status([]), styleFor({}), now)).toContain('No agents yet. Connect Claude Code with')
  const gone = Array.from({ length: 13 }, (_, index) => contact(`old-${index}`, { status: 'offline' }))
  const lines = formatStatus(status(gone), styleFor({}), now).split('\n')
  expect(lines).toHaveLength(2 + 10 + 1)
  expect(lines.at(-1)).toBe('  and 3 more that are offline')
})
