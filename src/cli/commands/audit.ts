import { join } from 'node:path'
import { readAudit } from '../../access/audit-read.ts'
import { verifyAudit } from '../../access/audit-verify.ts'
import { BridgeError } from '../../core/errors.ts'
import { homeOf } from '../cli-home.ts'
import { safeJson, safeLine } from '../safe-text.ts'
import { styleFor } from '../style.ts'
import { formatTable } from '../table.ts'
import { formatCount } from '../amounts.ts'

export interface AuditOptions {
  readonly action?: string
  readonly identity?: string
  readonly limit: number
  readonly json?: boolean
  readonly state?: string
}

/** `bridge audit`: the newest lines, oldest first. Reads the files themselves, so it needs no daemon. */
export async function showAudit(options: AuditOptions): Promise<void> {
  const { action, identity, limit } = options
  const entries = await readAudit(auditPath(options), {
    limit,
    ...(action !== undefined && { action }),
    ...(identity !== undefined && { identity }),
  })
  if (options.json === true) {
    process.stdout.write(entries.map((entry) => `${safeJson(entry)}\n`).join(''))
    return
  }
  if (entries.length === 0) {
    process.stdout.write('Nothing is recorded that fits.\n')
    return
  }
  const rows = entries.map((entry) => [
    { text: safeLine(entry.ts), hue: 'grey' as const },
    { text: safeLine(entry.identity) },
    { text: safeLine(entry.action) },
    { text: safeLine(entry.detail), hue: 'grey' as const },
  ])
  process.stdout.write(`${formatTable(rows, styleFor(process.stdout)).join('\n')}\n`)
}

/**
 * `bridge audit verify`: whether every line still follows from the one before it.
 *
 * @throws BridgeError `audit_broken` at the first that does not
 */
export async function checkAudit(options: Pick<AuditOptions, 'json' | 'state'>): Promise<void> {
  const { ok, lines, problem, notes } = await verifyAudit(auditPath(options))
  if (options.json === true) process.stdout.write(`${safeJson({ ok, lines, problem, notes }, 2)}\n`)
  if (problem) {
    throw new BridgeError('audit_broken', {
      path: problem.file,
      line: problem.line,
      problem: problem.message,
    })
  }
  if (options.json === true) return
  for (const note of notes) {
    process.stdout.write(`${safeLine(`${note.file}:${note.line}: ${note.message}`)}\n`)
  }
  process.stdout.write(`The audit holds: ${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}.\n`)
}

function auditPath(options: Pick<AuditOptions, 'state'>): string {
  return join(homeOf(options.state), 'audit.log')
}
