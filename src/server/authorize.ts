import type { IncomingMessage } from 'node:http'
import { readCredential } from '../access/credentials.ts'
import type { Identity } from '../access/identity.ts'
import type { Tickets } from '../access/tickets.ts'
import type { Tokens } from '../access/tokens.ts'
import { BridgeError } from '../core/errors.ts'
import type { Scope } from '../protocol/index.ts'

/**
 * Who sends a request; undefined without a token that is valid now. A stream of a browser, which cannot send
 * headers, may show a one-time ticket in its address instead; a ticket is used up by looking at it.
 */
export function identify(
  parts: { readonly tokens: Tokens; readonly tickets: Tickets },
  request: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
  allowed: { readonly takesTicket?: boolean; readonly takesQueryToken?: boolean } = {},
): Identity | undefined {
  const credential = readCredential(request.rawHeaders, {
    url: request.url ?? '',
    accept: [
      ...(allowed.takesTicket ? (['ticket'] as const) : []),
      ...(allowed.takesQueryToken ? (['token'] as const) : []),
    ],
  })
  if (!credential) return undefined
  return credential.kind === 'token'
    ? parts.tokens.verify(credential.secret)
    : parts.tickets.redeem(credential.ticket, 'stream')
}

/**
 * Lets through who holds `scope`; null lets everybody through.
 *
 * @throws BridgeError `unauthorized` or `forbidden`
 */
export function requireScope(identity: Identity | undefined, scope: Scope | null): void {
  if (scope === null) return
  if (!identity) throw new BridgeError('unauthorized')
  if (!identity.scopes.has(scope)) throw new BridgeError('forbidden', { scope })
}
