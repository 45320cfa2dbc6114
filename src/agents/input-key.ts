import { hash } from 'node:crypto'

/** Deeper than any body the bridge takes; what lies below does not tell inputs apart. */
const maxDepth = 70
/** Enough to tell the calls of one turn apart; it is stored with every event of a call. */
const keyLength = 16

/**
 * A short key that is equal for equal values, whatever the order of their fields. It stands for the input in
 * the log, so it tells nothing of what the input was.
 */
export function inputKeyOf(value: unknown): string {
  if (value === undefined) return ''
  return hash('sha1', canonical(value, 0), 'base64url').slice(0, keyLength)
}

function canonical(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth >= maxDepth) return '…'
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field, depth + 1)}`).join()}}`
}

/** A short key that is equal for texts that differ in nothing but white space. */
export function textKeyOf(text: string): string {
  return hash('sha1', text.replace(/\s+/g, ' ').trim(), 'base64url').slice(0, keyLength)
}
