import { statSync } from 'node:fs'
import { join } from 'node:path'
import { tokenProblem } from '../../config/token-problem.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import { isUp, type DoctorContext } from './context.ts'
import { exchange } from './http.ts'
import { looksLikeBridge } from './port.ts'
import { shellPath } from './words.ts'

const make = checksOf('hooks')

/** Whether forwarders are told the right address and a token that holds, and nobody else can read it. */
export async function checkForwardFile(context: DoctorContext): Promise<Check> {
  const { home, homeDir, daemon, forward, command } = context
  const path = join(home, 'forward')
  const shown = shortPath(path, homeDir)
  const stats = statSync(path, { throwIfNoEntry: false })
  const restart = `${command('down')} && ${command('up')}`
  if (stats && (stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8)
    const remedy = `chmod 600 ${shellPath(path, homeDir)}`
    return make.problem('forward', `${shown} can be read by other users (mode ${mode})`, remedy)
  }
  if (!isUp(daemon)) {
    return stats
      ? make.skipped('forward', `Whether the token of ${shown} holds can be seen only while the bridge runs`)
      : make.skipped('forward', `${shown} is written when the bridge starts`)
  }
  if (!forward) {
    return make.problem(
      'forward',
      `${shown} ${stats ? 'cannot be read' : 'is missing'}, so hooks find no way`,
      restart,
    )
  }
  const { url, token } = forward
  if (url !== daemon.url) {
    const says = url === undefined ? 'names no address' : `names ${url}`
    return make.problem('forward', `${shown} ${says}, and the bridge is at ${daemon.url}`, restart)
  }
  if (token === undefined || tokenProblem(token) !== undefined) {
    return make.problem('forward', `${shown} has no token`, restart)
  }
  return judgeToken(await statusWith(daemon.url, token), shown, restart)
}

/** A token that may only bring hooks in is known, and refused everything else. */
function judgeToken(status: number | undefined, shown: string, restart: string): Check {
  if (status === 403)
    return make.ok('forward', `${shown} names the address of the bridge and a token that holds`)
  if (status === 401)
    return make.problem('forward', `The bridge does not take the token of ${shown}`, restart)
  if (status === 200) {
    return make.warning('forward', `The token of ${shown} may do more than bring hooks in`, restart)
  }
  return make.skipped('forward', `Whether the token of ${shown} holds cannot be asked`)
}

async function statusWith(url: string, token: string): Promise<number | undefined> {
  try {
    return (await exchange(`${url}/status`, { headers: { authorization: `Bearer ${token}` } })).status
  } catch {
    // The check of the port says that nothing answers.
    return undefined
  }
}

/** Whether `BRIDGE_URL`, which wins over the file for agents started from here, leads to a bridge. */
export async function checkBridgeUrl({ env, daemon }: DoctorContext): Promise<Check[]> {
  const url = env['BRIDGE_URL']
  if (!url || !isUp(daemon) || url.replace(/\/+$/, '') === daemon.url) return []
  const shown = URL.canParse(url) ? new URL(url).origin : 'no address'
  if (await looksLikeBridge(url.replace(/\/+$/, ''))) {
    return [
      make.ok('url', `BRIDGE_URL leads hooks of agents started here to ${shown}, where a bridge answers`),
    ]
  }
  return [
    make.warning(
      'url',
      `BRIDGE_URL leads hooks of agents started here to ${shown}, where no bridge answers; this one is at ${daemon.url}`,
      'unset BRIDGE_URL',
    ),
  ]
}
