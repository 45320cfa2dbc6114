import { readCredential } from '../access/credentials.ts'
import type { Identity } from '../access/identity.ts'
import type { Tokens } from '../access/tokens.ts'
import { BridgeError } from '../core/errors.ts'
import type { Scope } from '../protocol/index.ts'

/** Who sends these headers; undefined without a token that is valid now. */
export function identify(tokens: Tokens, rawHeaders: readonly string[]): Identity | undefined {
  const credential = readCredential(rawHeaders)
  return credential?.kind === 'token' ? tokens.verify(credential.secret) : undefined
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
