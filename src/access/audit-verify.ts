import { setTimeout as delay } from 'node:timers/promises'
import { openAuditFile, openAuditFiles, readLinesForward } from './audit-files.ts'
import { chainedHash, decodeAuditLine, genesisHash, statedHash } from './audit-line.ts'

/** A place in the audit and what is to be said about it. */
interface AuditPlace {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly message: string
}

export interface AuditVerification {
  readonly ok: boolean
  /** How many lines hold, up to the problem if there is one. */
  readonly lines: number
  /** The first place where the chain breaks. */
  readonly problem?: AuditPlace
  /** Lines in which the audit itself records that a line was torn or could not be written. */
  readonly notes: readonly AuditPlace[]
}

/** A line that is just being written may be seen in part; it is complete long before the next look. */
const maxAttempts = 3
const retryDelayMs = 50

/**
 * Checks the chain of the audit at `path` over all its files, oldest first; no audit at all is fine. Needs no
 * daemon, and one that writes meanwhile does not disturb it.
 *
 * It finds a change of any byte, a line that was removed, added or moved, and a file that is missing. What a chain
 * of hashes cannot show: that the newest lines were removed, up to a line's end; and a forger who wrote all that
 * follows anew with fresh hashes, as no secret is in them. Against both, keep the last hash somewhere else.
 */
export async function verifyAudit(path: string): Promise<AuditVerification> {
  for (let attempt = 1; ; attempt++) {
    const { torn, ...verification } = await walk(path)
    if (!torn || attempt === maxAttempts) return verification
    await delay(retryDelayMs)
  }
}

async function walk(path: string): Promise<AuditVerification & { torn: boolean }> {
  const notes: AuditPlace[] = []
  let previous = genesisHash
  let lines = 0
  await using files = await openAuditFiles(path)
  for (const next of [...files.rotated, files.current]) {
    await using file = typeof next === 'string' ? await openAuditFile(next) : next
    if (file === undefined) continue
    let line = 0
    for await (const { bytes, complete } of readLinesForward(file)) {
      line++
      const stated = statedHash(bytes)
      if (!complete || stated === undefined || stated !== chainedHash(previous, bytes)) {
        const problem = { file: file.path, line, message: describeBreak(complete, stated, line) }
        return { ok: false, lines, problem, notes, torn: !complete }
      }
      previous = stated
      lines++
      const entry = decodeAuditLine(bytes)
      if (entry?.action === 'audit-torn' || entry?.action === 'audit-lost') {
        notes.push({ file: file.path, line, message: entry.detail })
      }
    }
  }
  return { ok: true, lines, notes, torn: false }
}

function describeBreak(complete: boolean, stated: string | undefined, line: number): string {
  if (!complete) return 'the line has no end; a crash cut it off, or it was changed'
  if (stated === undefined) return 'this is no line of the audit'
  return line === 1
    ? 'the line was changed, or the lines or the file before it are missing'
    : 'the line was changed, or lines before it are missing, added or in another order'
}
