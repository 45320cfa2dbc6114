import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import type {
  AgentWiring,
  CommandHook,
  HttpHook,
  ProbeHook,
  WiredHook,
  WiringReport,
} from '../../agents/wiring/agent-wiring.ts'
import { ClientError } from '../../client/client-error.ts'
import { BridgeError } from '../../core/errors.ts'
import type { Status } from '../../protocol/index.ts'
import { shortPath } from '../cli-home.ts'
import { callDaemon } from '../control-client.ts'
import { safeLine } from '../safe-text.ts'
import { checksOf, type Check } from './check.ts'
import type { DoctorContext } from './context.ts'
import { exchange, fieldOf } from './http.ts'
import { hideAll, secretsIn } from './secrets.ts'

/** How long after the hook its event may be on its way, and how long where the sender has seen it fail. */
const arrivalMs = 2_000
const failedMs = 500
/** The forwarder gives up after half a second where nothing else is configured. */
const commandMs = 10_000
const pollMs = 5
/** What tells whose a hook is: with them the test would be the work of a contact that is alive. */
const identities = ['CLAUDE_PID', 'BRIDGE_CONTACT', 'TMUX', 'TMUX_PANE']

/** What became of a hook on the agent's side; `complaint` is empty when it found nothing wrong. */
interface Sent {
  readonly complaint: string
}

/**
 * Sends a hook on each way that the agent's hooks take, as the agent itself would, and looks for its event in the
 * log. The session it belongs to is ended on the same way.
 */
export async function checkProbe(
  agent: string,
  wiring: AgentWiring,
  report: WiringReport,
  context: DoctorContext & { readonly daemon: Status },
): Promise<Check[]> {
  const checks: Check[] = []
  for (const [index, hooks] of waysOf(report.hooks).entries()) {
    checks.push(...(await probeWay(agent, index === 0 ? 'probe' : `probe-${index + 1}`, hooks)))
  }
  return checks

  async function probeWay(name: string, id: string, hooks: readonly WiredHook[]): Promise<Check[]> {
    const make = checksOf(name)
    const [first] = hooks
    if (!first) return []
    const through = describeWay(first, context.homeDir)
    const sessionId = `bridge-doctor-${randomUUID()}`
    // One directory for all tests, so that they are one contact, and no agent of anybody works there.
    const { begin, end } = wiring.probeHooks({ id: sessionId, directory: join(context.home, 'doctor') })
    const hook = begin.find(({ event }) => hooks.some((wired) => wired.event === event))
    if (!hook) return [make.unverified(id, `No hook ${through} is harmless enough to be tried`)]
    if (first.hook.type === 'http' && context.env['BRIDGE_CONTACT'] !== undefined) {
      return [make.unverified(id, `Hooks ${through} cannot be tried from a pane of the bridge`)]
    }
    const env = { ...environmentOf(context.env), ...report.env }
    const watch = new LogWatch(context.home, context.daemon.log.seq, sessionId)
    const begun = performance.now()
    const { sent, arrivedAt } = await watch.during(send(first.hook, hook, env, context.cwd), () => true)
    if (arrivedAt === undefined) {
      await send(first.hook, end, env, context.cwd)
      // What the command said may hold what it was given.
      const complaint = hideAll(sent.complaint, secretsIn(report.env))
      return [failure(name, id, through, { complaint }, first, context)]
    }
    const tookMs = Math.max(1, Math.round(arrivedAt - begun))
    const ended = await watch.during(
      send(first.hook, end, env, context.cwd),
      (entry) => fieldOf(entry['event'], 'kind') === 'session.ended',
    )
    return [
      make.ok(id, `A hook ${through} arrived after ${tookMs} ms`),
      ...(ended.arrivedAt === undefined
        ? [make.warning(`${id}-end`, 'The end of the test did not arrive: its contact stays for ten minutes')]
        : []),
    ]
  }
}

/** Hooks that run the same command or go to the same address take the same way. */
function waysOf(hooks: readonly WiredHook[]): WiredHook[][] {
  const ways = new Map<string, WiredHook[]>()
  for (const wired of hooks) {
    const { hook } = wired
    const key = hook.type === 'http' ? hook.url : JSON.stringify([hook.command, hook.args])
    ways.set(key, [...(ways.get(key) ?? []), wired])
  }
  return [...ways.values()]
}

function describeWay({ hook, path }: WiredHook, homeDir: string): string {
  const place = shortPath(path, homeDir)
  if (hook.type === 'command') return `through the command in ${place}`
  return `posted to ${URL.canParse(hook.url) ? new URL(hook.url).host : 'the address'}, as ${place} says,`
}

/** What the agent has; in a pane of the bridge the token is that of the pane's contact. */
function environmentOf(env: DoctorContext['env']): Record<string, string> {
  const inPane = env['BRIDGE_CONTACT'] !== undefined
  const left: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const isLeftOut = identities.includes(name) || (inPane && name === 'BRIDGE_TOKEN')
    if (value !== undefined && !isLeftOut) left[name] = value
  }
  return left
}

function failure(
  agent: string,
  id: string,
  through: string,
  { complaint }: Sent,
  { hook, path }: WiredHook,
  { command }: DoctorContext,
): Check {
  const make = checksOf(agent)
  const what = `A hook ${through} did not arrive`
  if (hook.type === 'http' && /\b401\b/.test(complaint)) {
    return make.problem(
      id,
      `${what}: ${complaint}`,
      `Give it BRIDGE_TOKEN (${command(`token create ${agent} --scope ingest`)}), or run ${command(`wire ${agent}`)}`,
    )
  }
  if (complaint !== '') return make.problem(id, `${what}: ${complaint}`, command('logs'))
  const finding = `${what} within ${arrivalMs / 1000} s, and nothing was said about it: it may have gone to another bridge`
  return make.problem(id, finding, `Compare BRIDGE_HOME and BRIDGE_URL with what ${path} says`)
}

function send(
  hook: CommandHook | HttpHook,
  probe: ProbeHook,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Sent> {
  const body = JSON.stringify(probe.payload)
  return hook.type === 'http' ? post(hook, body, env) : run(hook, body, env, cwd)
}

async function post(hook: HttpHook, body: string, env: Readonly<Record<string, string>>): Promise<Sent> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  for (const [name, value] of Object.entries(hook.headers)) {
    const filled = value.replaceAll(/\$\{?(\w+)\}?/g, (_, variable: string) => {
      return hook.allowedVariables.includes(variable) ? (env[variable] ?? '') : ''
    })
    // An empty header says what a missing one says.
    if (filled !== '') headers[name] = filled
  }
  try {
    const { status } = await exchange(hook.url, { method: 'POST', headers, body, timeoutMs: arrivalMs })
    return { complaint: status < 300 ? '' : `it was answered with ${status}` }
  } catch (error) {
    return { complaint: error instanceof Error ? error.message : String(error) }
  }
}

/** Runs the command as agents do: by `sh`, with the hook on stdin. */
function run(
  hook: CommandHook,
  body: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Sent> {
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const [program, args] =
    hook.args === undefined ? ['sh', ['-c', hook.command]] : [hook.command, [...hook.args]]
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  const timer = setTimeout(() => {
    resolve({ complaint: `its command did not end within ${commandMs / 1000} s` })
    killGroup(child.pid)
  }, commandMs)
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 10_000) stderr += chunk.toString()
  })
  // A command that does not read its stdin ends before it is written.
  child.stdin.on('error', () => {})
  child.stdin.end(body)
  child.on('error', (error) => resolve({ complaint: `its command cannot be run: ${error.message}` }))
  child.on('close', (code, signal) => {
    const [line = ''] = stderr.trim().split('\n')
    const said = safeLine(line.replace(/^agent-bridge: /, ''), 300)
    if (code === 0) return resolve({ complaint: said })
    const how = signal === null ? `with ${code}` : `by ${signal}`
    resolve({ complaint: `its command ended ${how}${said === '' ? '' : `: ${said}`}` })
  })
  return promise.finally(() => clearTimeout(timer))
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

/** Reads on in the log for events of one session. */
class LogWatch {
  readonly #home: string
  readonly #sessionId: string
  #after: number

  constructor(home: string, after: number, sessionId: string) {
    this.#home = home
    this.#after = after
    this.#sessionId = sessionId
  }

  /** Looks while something is sent, and for as long afterwards as an event may take. */
  async during(
    sending: Promise<Sent>,
    fits: (entry: Readonly<Record<string, unknown>>) => boolean,
  ): Promise<{ sent: Sent; arrivedAt: number | undefined }> {
    let deadline = Number.POSITIVE_INFINITY
    const limited = sending.then((sent) => {
      deadline = performance.now() + (sent.complaint === '' ? arrivalMs : failedMs)
      return sent
    })
    let arrivedAt: number | undefined
    while (arrivedAt === undefined && performance.now() < deadline) {
      if (await this.#look(fits)) arrivedAt = performance.now()
      else await wait(pollMs)
    }
    return { sent: await limited, arrivedAt }
  }

  async #look(fits: (entry: Readonly<Record<string, unknown>>) => boolean): Promise<boolean> {
    for (const entry of await this.#nextEntries()) {
      this.#after = Math.max(this.#after, entry.seq)
      if (entry['session_id'] === this.#sessionId && fits(entry)) return true
    }
    return false
  }

  async #nextEntries() {
    try {
      return (await callDaemon(this.#home, 'history.page', { after: this.#after, limit: 500 })).entries
    } catch (error) {
      if (error instanceof BridgeError || error instanceof ClientError) return []
      throw error
    }
  }
}
