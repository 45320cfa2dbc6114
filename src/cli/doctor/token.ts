import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { BridgeError } from '../../core/errors.ts'
import { errorCode, fileProblem } from '../../config/file-problem.ts'
import { tokenProblem } from '../../config/token-problem.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import { isUp, type DoctorContext } from './context.ts'
import { exchange, fieldOf } from './http.ts'
import { shellPath } from './words.ts'

const make = checksOf('home')

/** Whether there is a master token, only its owner can read it, and the running daemon takes it. */
export async function checkToken(context: DoctorContext): Promise<Check> {
  const { home, homeDir, token, config, daemon, command } = context
  const isConfigured = !(config instanceof BridgeError) && config.token !== undefined
  const source = isConfigured ? (config.sources['token'] ?? 'BRIDGE_TOKEN') : undefined
  if (source === undefined) {
    const unreadable = lookAtFile(join(home, 'token'), context)
    if (unreadable) return unreadable
  }
  const problem = tokenProblem(token ?? '')
  const shown = shortPath(source ?? join(home, 'token'), homeDir)
  if (token === undefined || problem !== undefined) {
    return make.problem('token', `The token of ${shown} ${problem ?? 'is missing'}`, command('config check'))
  }
  if (!isUp(daemon)) return make.ok('token', `There is a token, from ${shown}`)
  if ((await acceptance(daemon.url, token, daemon.pid)) === 'refused') {
    return make.problem(
      'token',
      `The running bridge does not take the token of ${shown}: one of them has changed since it started`,
      `${command('down')} && ${command('up')}`,
    )
  }
  return make.ok('token', `The running bridge takes the token of ${shown}`)
}

/** What is wrong with the file itself. */
function lookAtFile(path: string, { homeDir, command }: DoctorContext): Check | undefined {
  const shown = shortPath(path, homeDir)
  const remedy = `chmod 600 ${shellPath(path, homeDir)}`
  try {
    const { mode } = statSync(path)
    accessSync(path, constants.R_OK)
    if ((mode & 0o077) === 0) return undefined
    return make.problem(
      'token',
      `${shown} can be read by other users (mode ${(mode & 0o777).toString(8)})`,
      remedy,
    )
  } catch (error) {
    return errorCode(error) === 'ENOENT'
      ? make.warning('token', 'There is no token yet; the first start makes one', command('up'))
      : make.problem('token', `${shown} cannot be read: ${fileProblem(error)}`, remedy)
  }
}

/** Whether the daemon with this process id takes a token as its master's. */
async function acceptance(
  url: string,
  token: string,
  pid: number,
): Promise<'accepted' | 'refused' | 'unknown'> {
  try {
    const { status, json } = await exchange(`${url}/status`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (status === 200 && fieldOf(json, 'pid') === pid) return 'accepted'
    return status === 401 || status === 403 ? 'refused' : 'unknown'
  } catch {
    // The check of the port says that nothing answers.
    return 'unknown'
  }
}
