import { hash, timingSafeEqual } from 'node:crypto'

/** The SHA-256 of a secret, in lower-case hex. What is kept and looked up is this, never the secret. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Whether two digests of {@link digestOf} are equal, in a time that does not depend on where they differ. */
export function equalDigests(a: string, b: string): boolean {
  const left = Buffer.from(a, 'latin1')
  const right = Buffer.from(b, 'latin1')
  return left.length === right.length && timingSafeEqual(left, right)
}
