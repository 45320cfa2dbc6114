import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../core/clock.ts'
import type { Identity } from './identity.ts'
import { createTickets, ticketLifetimeMs, type Tickets } from './tickets.ts'

const ada: Identity = { id: 't1', name: 'ada', scopes: new Set(['read']) }
let clock: ManualClock
let revoked: Set<Identity>
let tickets: Tickets

beforeEach(() => {
  clock = new ManualClock()
  revoked = new Set()
  tickets = createTickets({ clock, tokens: { isCurrent: (identity) => !revoked.has(identity) } })
})

test('a ticket is good once, for whom it was issued', () => {
  const ticket = tickets.issue(ada, 'stream')
  expect(ticket).toMatch(/^[0-9a-f]{64}$/)
  expect(tickets.redeem(ticket, 'stream')).toBe(ada)
  expect(tickets.redeem(ticket, 'stream')).toBeUndefined()
})

test.each(['', 'nonsense', '0'.repeat(64)])('%j is no ticket', (ticket) => {
  expect(tickets.redeem(ticket, 'link')).toBeUndefined()
})

test('a ticket is good for its purpose only', () => {
  const ticket = tickets.issue(ada, 'stream')
  expect(tickets.redeem(ticket, 'link')).toBeUndefined()
  expect(tickets.redeem(ticket, 'stream')).toBe(ada)
})

test.each(['stream', 'link'] as const)('a %s ticket ends with its time', (purpose) => {
  const early = tickets.issue(ada, purpose)
  const late = tickets.issue(ada, purpose)
  clock.advance(ticketLifetimeMs[purpose] - 1)
  expect(tickets.redeem(early, purpose)).toBe(ada)
  clock.advance(1)
  expect(tickets.redeem(late, purpose)).toBeUndefined()
})

test('a lifetime can be given', () => {
  const ticket = tickets.issue(ada, 'link', 5)
  clock.advance(5)
  expect(tickets.redeem(ticket, 'link')).toBeUndefined()
})

test('a clock that is set back, or stands still, prolongs nothing', () => {
  let wall = 1_000_000
  let monotonic = 0
  const own = createTickets({
    clock: { now: () => wall, monotonic: () => monotonic },
    tokens: { isCurrent: () => true },
  })
  const first = own.issue(ada, 'stream')
  wall -= 500_000
  monotonic += 30_000
  expect(own.redeem(first, 'stream')).toBeUndefined()
  const second = own.issue(ada, 'stream')
  wall += 30_000
  expect(own.redeem(second, 'stream')).toBeUndefined()
})

test('a ticket ends with the token it was issued for', () => {
  const ticket = tickets.issue(ada, 'stream')
  revoked.add(ada)
  expect(tickets.redeem(ticket, 'stream')).toBeUndefined()
})

test('beyond a thousand of a purpose the oldest is dropped', () => {
  const link = tickets.issue(ada, 'link')
  const issued = Array.from({ length: 1001 }, () => tickets.issue(ada, 'stream'))
  expect(issued.map((ticket) => tickets.redeem(ticket, 'stream') !== undefined).indexOf(true)).toBe(1)
  expect(tickets.redeem(link, 'link')).toBe(ada)
})
