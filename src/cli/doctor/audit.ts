import { join } from 'node:path'
import { verifyAudit } from '../../access/audit-verify.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import type { DoctorContext } from './context.ts'
import { countOf } from './words.ts'

const make = checksOf('bridge')

/** Whether every line of the audit still follows from the one before it. */
export async function checkAudit({ home, homeDir, command }: DoctorContext): Promise<Check> {
  const { lines, problem, notes } = await verifyAudit(join(home, 'audit.log'))
  if (problem) {
    return make.problem(
      'audit',
      `The chain of the audit breaks at ${shortPath(problem.file, homeDir)}:${problem.line}: ${problem.message}`,
      command('audit verify'),
    )
  }
  if (notes.length > 0) {
    const finding = `The audit holds, and records ${countOf(notes.length, 'line')} that were torn or lost`
    return make.warning('audit', finding, command('audit verify'))
  }
  return make.ok(
    'audit',
    lines === 0 ? 'Nothing is in the audit yet' : `The audit holds: ${countOf(lines, 'line')}`,
  )
}
