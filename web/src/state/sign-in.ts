import { signal } from '@preact/signals'
import { ClientError, createClient } from '../../../src/client/index.ts'
import { readStored, writeStored } from './storage.ts'

/** The token of this browser; undefined while nobody is signed in. */
export const token = signal<string | undefined>(undefined)
/** Why the person has to sign in, in one sentence; undefined on a first visit. */
export const signInProblem = signal<string | undefined>(undefined)
/** A link's ticket is being exchanged: nothing can be said yet. */
export const isSigningIn = signal(false)

/**
 * Takes the ticket out of the address, so that neither history nor a shared screen keeps it, and exchanges it for
 * a token. Without a ticket the token of the last visit is used.
 */
export async function signInFromAddress(): Promise<void> {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket')
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  const stored = readStored('bridge.token')
  if (ticket === null) {
    token.value ??= stored
    return
  }
  isSigningIn.value = true
  try {
    const { secret } = await createClient({ url: location.origin }).call('links.redeem', { ticket })
    signIn(secret)
  } catch (error) {
    // A link opened twice in a browser that is signed in already does no harm.
    token.value ??= stored
    if (token.value === undefined) signInProblem.value = problemOf(error)
  } finally {
    isSigningIn.value = false
  }
}

export function signIn(secret: string): void {
  writeStored('bridge.token', secret)
  signInProblem.value = undefined
  token.value = secret
}

export function signOut(problem?: string): void {
  writeStored('bridge.token', undefined)
  signInProblem.value = problem
  token.value = undefined
}

function problemOf(error: unknown): string {
  if (error instanceof ClientError && error.status === 0) return 'The bridge did not answer. Is it running?'
  if (error instanceof ClientError && error.isFinal) return 'This link was used already, or is too old.'
  return 'The link could not be exchanged.'
}
