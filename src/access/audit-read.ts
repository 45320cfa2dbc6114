import type { AuditEntry } from '../protocol/index.ts'
import { openAuditFile, openAuditFiles, readLinesBackward } from './audit-files.ts'
import { decodeAuditLine } from './audit-line.ts'

/** Which lines of the audit are wanted; several conditions must all hold. */
export interface AuditFilter {
  /** At most so many, the newest. */
  readonly limit: number
  readonly action?: string
  readonly identity?: string
}

/**
 * The newest lines of the audit at `path` that match, oldest first, also out of files that were rotated away. Needs
 * no daemon. Lines that are damaged are left out; {@link ./audit-verify.ts} reports them.
 */
export async function readAudit(path: string, filter: AuditFilter): Promise<AuditEntry[]> {
  const { limit, action, identity } = filter
  const found: AuditEntry[] = []
  await using files = await openAuditFiles(path)
  for (const next of [files.current, ...files.rotated.toReversed()]) {
    await using file = typeof next === 'string' ? await openAuditFile(next) : next
    if (file === undefined) continue
    for await (const line of readLinesBackward(file)) {
      if (found.length >= limit) break
      const entry = decodeAuditLine(line)
      if (entry === undefined) continue
      if (action !== undefined && entry.action !== action) continue
      if (identity !== undefined && entry.identity !== identity) continue
      found.push(entry)
    }
    if (found.length >= limit) break
  }
  return found.toReversed()
}
