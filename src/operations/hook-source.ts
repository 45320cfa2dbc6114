import type { Identity } from '../access/identity.ts'
import type { HookSource } from '../contacts/contact-keys.ts'
import { BridgeError } from '../core/errors.ts'

/**
 * Whose a hook is, given who posts it. A token that is bound to contacts speaks for those and nobody else,
 * whatever its headers claim (design, "Access").
 *
 * @throws BridgeError `contact_not_found` when it names another one, or none although it has several
 */
export function boundSource(identity: Identity, claimed: HookSource): HookSource {
  if (identity.contacts === undefined) return claimed
  const [only] = identity.contacts.size === 1 ? identity.contacts : []
  const contact = claimed.contact ?? only
  if (contact === undefined || !identity.contacts.has(contact))
    throw new BridgeError('contact_not_found', { contact: contact ?? '' })
  return { contact }
}
