import { scopes, type Scope } from '../protocol/index.ts'

/** Who is asking, as far as their token says. */
export interface Identity {
  /** `master`, or the id of the token. */
  readonly id: string
  readonly name: string
  readonly scopes: ReadonlySet<Scope>
  /** The contacts it may reach; absent: all. */
  readonly contacts?: ReadonlySet<string>
}

/** Whoever knows the master token: everything is allowed. */
export const masterIdentity: Identity = Object.freeze({
  id: 'master',
  name: 'master',
  scopes: new Set(scopes),
})

/** Whether `identity` may do what `scope` names. Nobody may do nothing. */
export function hasScope(identity: Identity | undefined, scope: Scope): boolean {
  return identity?.scopes.has(scope) ?? false
}

/** Whether `identity` may reach the contact with this id. Nobody reaches none. */
export function mayReach(identity: Identity | undefined, contactId: string): boolean {
  if (identity === undefined) return false
  return identity.contacts === undefined || identity.contacts.has(contactId)
}
