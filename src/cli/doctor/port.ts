import { createConnection } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from '../../config/config.ts'
import { hostInUrl, isLoopback } from '../../config/host-name.ts'
import { loadMasterToken } from '../../config/master-token.ts'
import { BridgeError } from '../../core/errors.ts'
import { checksOf, type Check } from './check.ts'
import { isUp, type DoctorContext } from './context.ts'
import { exchange, fieldOf } from './http.ts'

const make = checksOf('bridge')

/** On this machine a connection is made or refused at once. */
const connectMs = 500

/** Whether the bridge can be reached where it should be, and who else can reach it. */
export async function checkPort(context: DoctorContext): Promise<Check[]> {
  const { config, daemon } = context
  if (isUp(daemon)) {
    const [port, bind] = await Promise.all([checkOwnPort(daemon.url, context), checkRunningBind(daemon.url)])
    return [port, bind, ...checkWideToken(context)]
  }
  if (config instanceof BridgeError) return [make.skipped('port', 'Which port to look at is not known')]
  return [await checkFreePort(config), checkConfiguredBind(config), ...checkWideToken(context)]
}

async function checkOwnPort(url: string, { command }: DoctorContext): Promise<Check> {
  if (await looksLikeBridge(url)) return make.ok('port', `${url} answers`)
  return make.problem(
    'port',
    `${url} does not answer like a bridge: another program may have taken the port`,
    `${command('down')} && ${command('up')}; ${ownerOf(url)}`,
  )
}

async function checkFreePort(config: Config): Promise<Check> {
  const { port, host } = config
  if (port === 0) return make.skipped('port', 'Any free port will be taken')
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  if (!(await isTaken(address, port))) return make.ok('port', `Port ${port} is free`)
  const url = `http://${hostInUrl(address)}:${port}`
  const who = (await looksLikeBridge(url)) ? 'another bridge, with a home of its own' : 'another program'
  return make.problem(
    'port',
    `Port ${port} on ${host} is taken by ${who}`,
    `Choose one with BRIDGE_PORT, or end the other: ${ownerOf(url)}`,
  )
}

function ownerOf(url: string): string {
  return `lsof -nP -iTCP:${new URL(url).port || 80} -sTCP:LISTEN names it`
}

/** What is open is seen from outside: the daemon may have been started with another address than is set now. */
async function checkRunningBind(url: string): Promise<Check> {
  const { port } = new URL(url)
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address !== undefined && !address.internal && address.family === 'IPv4')
  if (!outside) return make.ok('bind', 'The machine has no other address that could reach it')
  const { address } = outside
  return (await looksLikeBridge(`http://${address}:${port}`))
    ? wide(`Other machines can reach it, at ${address}:${port}`)
    : make.ok('bind', 'Only this machine can reach it')
}

function checkConfiguredBind({ host }: Config): Check {
  return isLoopback(host)
    ? make.ok('bind', `Only this machine will reach it, at ${host}`)
    : wide(`Other machines will reach it, at ${host}`)
}

function wide(finding: string): Check {
  return make.warning('bind', finding, 'Set "host: 127.0.0.1" in bridged.yaml, unless that is wanted')
}

/** A bridge that is open to the network needs a token that cannot be guessed. */
function checkWideToken({ config, token, command }: DoctorContext): Check[] {
  if (config instanceof BridgeError || !token) return []
  try {
    loadMasterToken({ ...config, token }, { create: false })
    return []
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error
    return [make.problem('wide-token', error.message.replace(/\.$/, ''), command('config check'))]
  }
}

/** Whether a bridge of whatever home answers at an address. */
export async function looksLikeBridge(url: string): Promise<boolean> {
  try {
    const { status, json } = await exchange(`${url}/api/health`)
    return (
      status === 200 && fieldOf(json, 'ok') === true && typeof fieldOf(json, 'uptime_seconds') === 'number'
    )
  } catch {
    // Nothing, or something that does not speak HTTP.
    return false
  }
}

function isTaken(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createConnection({ host, port, timeout: connectMs })
  socket.on('connect', () => resolve(true))
  for (const event of ['error', 'timeout'] as const) socket.on(event, () => resolve(false))
  return promise.finally(() => socket.destroy())
}
