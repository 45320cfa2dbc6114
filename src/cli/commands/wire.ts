import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type {
  AgentWiring,
  WireOptions as PlaceOptions,
  WireOutcome,
} from '../../agents/wiring/agent-wiring.ts'
import { agentPrograms } from '../../agents/find-agent.ts'
import { findProgram } from '../../agents/forwarder/command.ts'
import { agentWirings } from '../../agents/wiring/wirings.ts'
import { BridgeError } from '../../core/errors.ts'
import { homeOf, shortPath } from '../cli-home.ts'
import { ExitCode, reportFailure } from '../failure.ts'
import { safeJson, safeLine } from '../safe-text.ts'

export interface WireOptions {
  readonly project?: boolean
  readonly user?: boolean
  readonly http?: boolean
  readonly json?: boolean
  readonly state?: string
}

/** `src/cli/commands` and `dist/cli/commands` both lie three steps below the package. */
const forwarderDir = resolve(import.meta.dirname, '../../../bin')

/** `bridge wire AGENT…`: needs no daemon; hooks wait in the spool until there is one. */
export async function wire(agents: readonly string[], options: WireOptions): Promise<void> {
  await forEach(agents, options, {
    run: (wiring, place) => wiring.wire(place),
    changed: (title, { events, path }) =>
      `${title} reports ${events.length === 1 ? '' : `${events.length} kinds of hooks `}to the bridge: ${shortPath(path)}`,
    unchanged: (title, { path }) => `${title} is wired already; nothing changed in ${shortPath(path)}`,
    advice: 'Sessions that run already may have to be started again.',
  })
}

/** `bridge unwire AGENT…` */
export async function unwire(agents: readonly string[], options: WireOptions): Promise<void> {
  await forEach(agents, options, {
    run: (wiring, place) => wiring.unwire(place),
    changed: (title, { path }) => `${title} no longer reports to the bridge: ${shortPath(path)}`,
    unchanged: (title, { path }) => `${title} was not wired; nothing changed in ${shortPath(path)}`,
  })
}

interface Job {
  run(wiring: AgentWiring, place: PlaceOptions): Promise<WireOutcome>
  changed(title: string, outcome: WireOutcome): string
  unchanged(title: string, outcome: WireOutcome): string
  readonly advice?: string
}

/** One agent that fails keeps no other from its turn; how many failed is said at the end. */
async function forEach(agents: readonly string[], options: WireOptions, job: Job): Promise<void> {
  const wirings = [...new Set(agents)].map((agent) => ({ agent, wiring: wiringOf(agent) }))
  const place = placeOf(options)
  const done: { agent: string; outcome: WireOutcome }[] = []
  const failures: { agent: string; error: unknown }[] = []
  for (const { agent, wiring } of wirings) {
    try {
      const outcome = await job.run(wiring, place)
      done.push({ agent, outcome })
      if (options.json !== true) report(titleOf(agent), outcome, job)
    } catch (error) {
      if (wirings.length === 1) throw error
      failures.push({ agent, error })
      if (options.json !== true) reportFailure(error)
    }
  }
  if (job.advice !== undefined && options.json !== true && done.some(({ outcome }) => outcome.changed))
    process.stdout.write(`${job.advice}\n`)
  if (options.json === true) {
    const [only] = done
    const several = [
      ...done.map(({ agent, outcome }) => ({ agent, ...outcome })),
      ...failures.map(({ agent, error }) => ({ agent, error: toMessage(error) })),
    ]
    process.stdout.write(`${safeJson(wirings.length === 1 ? only?.outcome : several, 2)}\n`)
  }
  if (failures.length === 0) return
  const names = failures.map(({ agent }) => titleOf(agent)).join(', ')
  process.stderr.write(`bridge: ${failures.length} of ${wirings.length} agents failed: ${names}\n`)
  const [{ error }] = [...failures.slice(0, 1), { error: undefined }]
  throw new ExitCode(error instanceof BridgeError ? error.exit : 1)
}

function wiringOf(agent: string): AgentWiring {
  const wiring = Object.hasOwn(agentWirings, agent) ? agentWirings[agent] : undefined
  if (!wiring) throw new BridgeError('agent_unknown', { agent, known: Object.keys(agentWirings).join(', ') })
  return wiring
}

function titleOf(agent: string): string {
  return agentPrograms.find((program) => program.agent === agent)?.title ?? agent
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function placeOf(options: WireOptions): PlaceOptions {
  return {
    bridgeHome: homeOf(options.state),
    homeDir: homedir(),
    env: process.env,
    scope: options.project === true ? 'project' : 'user',
    ...(options.project === true && { directory: process.cwd() }),
    forwarderDir,
    nodePath: process.execPath,
    perlPath: findProgram('perl', process.env['PATH'], ['/usr/bin', '/bin']),
    http: options.http,
  }
}

function report(title: string, outcome: WireOutcome, job: Job): void {
  const lines = [
    `${outcome.changed ? job.changed(title, outcome) : job.unchanged(title, outcome)}.`,
    ...(outcome.backup === undefined ? [] : [`The file as it was: ${shortPath(outcome.backup)}`]),
    ...outcome.notes.map((note) => `Note: ${note}.`),
  ]
  process.stdout.write(lines.map((line) => `${safeLine(line)}\n`).join(''))
}
