import type { Audit } from '../access/audit.ts'
import type { Identity } from '../access/identity.ts'
import type { Tickets } from '../access/tickets.ts'
import type { Tokens } from '../access/tokens.ts'
import { mayReach } from '../access/tokens.ts'
import { describeContact } from '../contacts/contact.ts'
import type { ContactRegistry } from '../contacts/registry.ts'
import type { Clock } from '../core/clock.ts'
import { BridgeError } from '../core/errors.ts'
import type {
  LogEntry,
  OperationName,
  OperationOutput,
  OperationParams,
  Scope,
  Status,
} from '../protocol/index.ts'
import { scopes } from '../protocol/index.ts'
import { describeRequest, type PendingRequests } from '../requests/pending-requests.ts'
import type { EventLog, LogRow } from '../store/log.ts'

/** What the handlers work on. The daemon puts it together. */
export interface OperationParts {
  readonly log: EventLog
  readonly registry: ContactRegistry
  readonly requests: PendingRequests
  readonly tokens: Tokens
  readonly tickets: Tickets
  readonly audit: Audit
  readonly clock: Clock
  /** What only the running daemon knows of itself. */
  readonly describeDaemon: () => Omit<Status, 'log' | 'contacts'>
}

/** Handles one operation for somebody whose scope was checked. */
export type OperationHandler<N extends OperationName> = (
  params: OperationParams<N>,
  caller: Identity | undefined,
) => OperationOutput<N> | Promise<OperationOutput<N>>

export type OperationHandlers = { readonly [N in OperationName]: OperationHandler<N> }

/** How long a browser that opened a dashboard link stays signed in. */
const browserTokenSeconds = 30 * 24 * 60 * 60
/** Lifetimes of the one-time tickets: one is used at once by a page, the other by a person. */
const streamTicketMs = 30 * 1000
const linkTicketMs = 10 * 60 * 1000

/** The handlers of all operations; each is declared in `protocol/operations.ts`. */
export function createHandlers(parts: OperationParts): OperationHandlers {
  const { log, registry, requests, tokens, tickets, audit, clock } = parts

  const contactsFor = (caller: Identity | undefined) =>
    registry
      .list()
      .filter((contact) => mayReach(caller, contact.id))
      .map(describeContact)

  return {
    'status.get': (_params, caller) => ({
      ...parts.describeDaemon(),
      log: {
        epoch: log.epoch,
        seq: log.lastSeq,
        oldest_seq: log.oldestSeq,
        events: log.lastSeq === 0 ? 0 : log.lastSeq - log.oldestSeq + 1,
      },
      contacts: contactsFor(caller),
    }),

    'contacts.list': ({ status }, caller) => ({
      contacts: contactsFor(caller).filter((contact) => status === undefined || contact.status === status),
    }),

    'contacts.get': ({ contact }, caller) => {
      const found = registry.get(contact)
      if (!found || !mayReach(caller, found.id)) throw new BridgeError('contact_not_found', { contact })
      return describeContact(found)
    },

    'history.page': (params, caller) => {
      const contact = params.contact === undefined ? undefined : registry.get(params.contact)?.id
      if (params.contact !== undefined && (contact === undefined || !mayReach(caller, contact))) {
        throw new BridgeError('contact_not_found', { contact: params.contact })
      }
      return {
        epoch: log.epoch,
        entries: log.readPage({ ...params, contact, contacts: caller?.contacts }).map(toEntry),
        oldest_seq: log.oldestSeq,
        last_seq: log.lastSeq,
      }
    },

    'permissions.list': (_params, caller) => ({
      requests: requests
        .list()
        .filter((request) => request.contact === undefined || mayReach(caller, request.contact))
        .map(describeRequest),
    }),

    'tokens.list': () => ({ tokens: tokens.list() }),

    'tokens.create': ({ name, scopes: wanted, contacts, expires_in_seconds }, caller) => {
      requireNoMore(requireCaller(caller), wanted, contacts)
      const created = tokens.create({
        name,
        scopes: wanted,
        ...(contacts && { contacts }),
        ...(expires_in_seconds !== undefined && { expiresInSeconds: expires_in_seconds }),
      })
      audit.write(nameOf(caller), 'token-created', `${created.token.id} ${name}: ${wanted.join(',')}`)
      return created
    },

    'tokens.rotate': ({ token }, caller) => {
      const rotated = tokens.rotate(token)
      audit.write(nameOf(caller), 'token-rotated', token)
      return rotated
    },

    'tokens.revoke': ({ token }, caller) => {
      tokens.revoke(token)
      audit.write(nameOf(caller), 'token-revoked', token)
      return { revoked: true }
    },

    'tickets.create': (_params, caller) => {
      const identity = requireCaller(caller)
      return {
        ticket: tickets.issue(identity, 'stream', streamTicketMs),
        expires_at: clock.now() + streamTicketMs,
      }
    },

    'links.create': (_params, caller) => {
      const identity = requireCaller(caller)
      const ticket = tickets.issue(identity, 'link', linkTicketMs)
      audit.write(nameOf(caller), 'link-created', '')
      return {
        url: `${parts.describeDaemon().url}/#ticket=${ticket}`,
        expires_at: clock.now() + linkTicketMs,
      }
    },

    'links.redeem': ({ ticket }) => {
      const issuer = tickets.redeem(ticket, 'link')
      if (!issuer) {
        audit.write('-', 'link-refused', '')
        throw new BridgeError('ticket_invalid')
      }
      // A browser gets what its issuer may do, but never the right to make further tokens.
      const created = tokens.create({
        name: 'browser',
        scopes: scopes.filter((scope) => scope !== 'admin' && issuer.scopes.has(scope)),
        expiresInSeconds: browserTokenSeconds,
        ...(issuer.contacts && { contacts: [...issuer.contacts] }),
      })
      audit.write(issuer.name, 'link-redeemed', created.token.id)
      return created
    },

    'audit.read': async ({ action, identity, limit }) => {
      const verification = await audit.verify()
      return {
        entries: await audit.read({
          limit,
          ...(action !== undefined && { action }),
          ...(identity !== undefined && { identity }),
        }),
        verified: verification.ok,
        ...(verification.problem && { problem: verification.problem.message }),
      }
    },
  }
}

/** A row of the log as pages and history show it. */
function toEntry(row: LogRow): LogEntry {
  // The log holds what the bridge wrote, so it is an object with a type.
  const frame: { type: string } = JSON.parse(row.frame)
  return { ...frame, ...(row.contact !== undefined && { contact: row.contact }), seq: row.seq }
}

/** Nobody gives away more than they have themselves. */
function requireNoMore(
  caller: Identity,
  wanted: readonly Scope[],
  contacts: readonly string[] | undefined,
): void {
  const lacking = wanted.find((scope) => !caller.scopes.has(scope))
  if (lacking !== undefined) throw new BridgeError('forbidden', { scope: lacking })
  const { contacts: own } = caller
  if (own === undefined) return
  const foreign = contacts === undefined ? 'all contacts' : contacts.find((contact) => !own.has(contact))
  if (foreign !== undefined) throw new BridgeError('contact_not_found', { contact: foreign })
}

function nameOf(caller: Identity | undefined): string {
  return caller?.name ?? '-'
}

function requireCaller(caller: Identity | undefined): Identity {
  if (!caller) throw new BridgeError('unauthorized')
  return caller
}
