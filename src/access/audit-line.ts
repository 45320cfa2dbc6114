import { hash } from 'node:crypto'
import type { AuditEntry } from '../protocol/index.ts'

/** What the first line of an audit is chained to. */
export const genesisHash = '0'.repeat(64)

/** The longest identity, action and detail that are written, in UTF-16 units; longer ones end in `…`. */
const maxIdentityLength = 200
const maxActionLength = 64
const maxDetailLength = 2_000

/** No line is longer: every unit can take three bytes, and time, hash and tabs take less than the rest. */
export const maxLineBytes = (maxIdentityLength + maxActionLength + maxDetailLength) * 3 + 200

/** What an audit line says, before it is part of a chain. */
export interface AuditRecord {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly identity: string
  readonly action: string
  readonly detail: string
}

/**
 * One line of the audit without its LF, `ts TAB identity TAB action TAB detail TAB hash` (the original's line,
 * seed bridge-plugin-runtime, with a hash), and that hash: the SHA-256, in hex, of the hash before and
 * everything up to the last tab. Control characters and line breaks become blanks, so that one action is one
 * line of five columns whatever is in it.
 */
export function encodeAuditLine(previousHash: string, record: AuditRecord): { line: string; hash: string } {
  const columns = [
    new Date(record.at).toISOString(),
    clean(record.identity, maxIdentityLength) || '-',
    clean(record.action, maxActionLength) || '-',
    clean(record.detail, maxDetailLength),
  ]
  const content = `${columns.join('\t')}\t`
  const chained = hash('sha256', previousHash + content, 'hex')
  return { line: content + chained, hash: chained }
}

/** The hash a line states, when it has the form of one; whether it is the right one is not checked. */
export function statedHash(line: Buffer): string | undefined {
  const start = line.length - 64
  const stated = line.toString('latin1', start)
  return start > 0 && line[start - 1] === tab && /^[0-9a-f]{64}$/.test(stated) ? stated : undefined
}

/** The hash a line would have behind `previousHash`, over its very bytes. */
export function chainedHash(previousHash: string, line: Buffer): string {
  const content = line.subarray(0, Math.max(0, line.length - 64))
  return hash('sha256', Buffer.concat([Buffer.from(previousHash, 'latin1'), content]), 'hex')
}

/** What a line says; undefined when it has not the form of one. */
export function decodeAuditLine(line: Buffer): AuditEntry | undefined {
  if (statedHash(line) === undefined) return undefined
  const [ts, identity, action, detail, ...rest] = line.toString('utf8').split('\t')
  if (ts === undefined || identity === undefined || action === undefined || detail === undefined)
    return undefined
  return rest.length === 1 ? { ts, identity, action, detail } : undefined
}

const tab = 0x09

function clean(text: string, maxLength: number): string {
  // Cut before cleaning, which then has little to do; toWellFormed mends a pair that was cut in two.
  const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
  // Besides the control characters, what starts a line or turns its direction in some viewer.
  return cut.toWellFormed().replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ')
}
