import { randomBytes, randomUUID } from 'node:crypto'

/** A fresh UUIDv4, the form of every id that outlives a process (contacts, turns, messages). */
export function newId(): string {
  return randomUUID()
}

/** A fresh id that says what it names, such as `chat_<uuid>` or `act_<uuid>`. */
export function newPrefixedId(prefix: string): string {
  return `${prefix}_${randomUUID()}`
}

/** A fresh secret of `bytes` random bytes, in hex. */
export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('hex')
}
