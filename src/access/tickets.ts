import type { Clock } from '../core/clock.ts'
import { newSecret } from '../core/ids.ts'
import type { Identity } from './identity.ts'
import { digestOf } from './secrets.ts'
import type { Tokens } from './tokens.ts'

/** What a ticket opens: one WebSocket or SSE of a browser, or the dashboard. */
export type TicketPurpose = 'stream' | 'link'

/** How long a ticket waits: a page uses its own at once, a person opens a link when they get to it. */
export const ticketLifetimeMs = { stream: 30_000, link: 600_000 } as const satisfies Record<
  TicketPurpose,
  number
>

/** Tickets waiting per purpose; beyond that the oldest is dropped, so that nobody can fill the memory. */
const maxWaiting = 1_000

/** One-time tickets, which may stand in an address where a token must not. They end with the process. */
export interface Tickets {
  /** A ticket with the rights of `identity`; `ttlMs` is the {@link ticketLifetimeMs} of the purpose when absent. */
  issue(identity: Identity, purpose: TicketPurpose, ttlMs?: number): string
  /**
   * Whose ticket this is, once. Undefined when it was used, dropped, has expired, is for something else, or its
   * token does not hold any more.
   */
  redeem(ticket: string, purpose: TicketPurpose): Identity | undefined
}

interface Waiting {
  readonly identity: Identity
  readonly expiresAt: number
  readonly deadline: number
}

/** Tickets in memory, which outlive neither the process nor the token they were issued with. */
export function createTickets(options: { clock: Clock; tokens: Pick<Tokens, 'isCurrent'> }): Tickets {
  const { clock, tokens } = options
  const waiting: Record<TicketPurpose, Map<string, Waiting>> = { stream: new Map(), link: new Map() }

  return {
    issue(identity, purpose, ttlMs = ticketLifetimeMs[purpose]) {
      const ticket = newSecret(32)
      const tickets = waiting[purpose]
      // Two clocks, since the wall clock can be set back and the other one stands still in a suspended machine.
      tickets.set(digestOf(ticket), {
        identity,
        expiresAt: clock.now() + ttlMs,
        deadline: clock.monotonic() + ttlMs,
      })
      const [oldest] = tickets.keys()
      if (tickets.size > maxWaiting && oldest !== undefined) tickets.delete(oldest)
      return ticket
    },

    redeem(ticket, purpose) {
      const digest = digestOf(ticket)
      const found = waiting[purpose].get(digest)
      waiting[purpose].delete(digest)
      if (found === undefined) return undefined
      if (clock.now() >= found.expiresAt || clock.monotonic() >= found.deadline) return undefined
      return tokens.isCurrent(found.identity) ? found.identity : undefined
    },
  }
}
