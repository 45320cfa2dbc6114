import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../agents/forwarder/command.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import type { DoctorContext } from './context.ts'

const make = checksOf('hooks')

/** Perl as `bridge wire` looks for it; undefined where the forwarder runs on Node. */
export function findPerl(env: DoctorContext['env']): string | undefined {
  return findProgram('perl', env['PATH'], ['/usr/bin', '/bin'])
}

/** Which forwarder this machine uses with the Perl it has, and whether it is there. */
export function checkForwarder(context: DoctorContext, perl: string | undefined): Check {
  const { packageRoot, homeDir, command } = context
  const script = join(packageRoot, 'bin', perl === undefined ? 'hook.js' : 'hook.pl')
  const shown = shortPath(script, homeDir)
  try {
    accessSync(script, constants.R_OK)
  } catch {
    return make.problem('forwarder', `The forwarder ${shown} is missing`, 'Install the bridge again')
  }
  if (perl !== undefined) return make.ok('forwarder', `Hooks are forwarded by ${shown} with ${perl}`)
  return make.warning(
    'forwarder',
    `There is no Perl, so hooks are forwarded by ${shown} with Node, at ten times the cost`,
    `Install Perl, then run ${command('wire claude')} again`,
  )
}
