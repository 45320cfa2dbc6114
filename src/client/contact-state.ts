import type { Contact } from '../protocol/index.ts'

/** How a contact is, in the one word every surface uses. */
export type ContactState = 'asks' | 'failed' | 'done' | 'working' | 'idle' | 'offline'

/** How a state looks without colour; what is first needs a person most. */
export const contactStates: Readonly<
  Record<ContactState, { readonly glyph: string; readonly word: string }>
> = {
  asks: { glyph: '◆', word: 'asks' },
  failed: { glyph: '▲', word: 'needs a look' },
  done: { glyph: '●', word: 'done' },
  working: { glyph: '⠙', word: 'working' },
  idle: { glyph: '●', word: 'idle' },
  offline: { glyph: '○', word: 'offline' },
}

const rank = new Map(Object.keys(contactStates).map((state, index) => [state, index]))

/** The state of a contact; a blocked one asks, and one that starts is at work. */
export function contactState(contact: Pick<Contact, 'status' | 'health' | 'open_requests'>): ContactState {
  if (contact.status === 'offline') return 'offline'
  if (contact.open_requests > 0 || contact.health === 'blocked') return 'asks'
  return contact.health === 'working' || contact.health === 'starting' ? 'working' : 'idle'
}

/** Orders contacts by how much they need a person, then the one seen last first. */
export function compareContacts(a: Contact, b: Contact): number {
  const byState = (rank.get(contactState(a)) ?? 0) - (rank.get(contactState(b)) ?? 0)
  return byState || b.last_seen_at - a.last_seen_at || a.name.localeCompare(b.name)
}
