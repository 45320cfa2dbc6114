import { agentPrograms } from '../../agents/find-agent.ts'
import { fileProblem } from '../../config/file-problem.ts'
import { BridgeError } from '../../core/errors.ts'
import { shortPath } from '../cli-home.ts'
import { checkAgent } from './agent.ts'
import { checkAudit } from './audit.ts'
import { checksOf, type Check } from './check.ts'
import { checkClock } from './clock.ts'
import { checkConfig } from './config.ts'
import type { DoctorContext } from './context.ts'
import { checkDaemon } from './daemon.ts'
import { checkDatabase } from './database.ts'
import { checkDisk } from './disk.ts'
import { checkBridgeUrl, checkForwardFile } from './forward-file.ts'
import { checkForwarder, findPerl } from './forwarder.ts'
import { checkHome } from './home.ts'
import { checkPort } from './port.ts'
import { checkRuntime } from './runtime.ts'
import { withoutSecrets } from './secrets.ts'
import { checkSpool } from './spool.ts'
import { checkToken } from './token.ts'

/** What `bridge doctor` found. */
export interface DoctorReport {
  /** Whether nothing is a problem. */
  readonly ok: boolean
  readonly checks: readonly Check[]
}

export interface DoctorRunOptions {
  /** The agents to look at; all when absent. */
  readonly agents?: readonly string[] | undefined
  /** Whether hooks are sent on the ways that agents take. */
  readonly probe: boolean
}

type CheckRun = (context: DoctorContext) => Check | Check[] | Promise<Check | Check[]>

interface Checker {
  readonly subject: string
  readonly id: string
  readonly run: CheckRun
  /** Says nothing true where the home cannot be looked into. */
  readonly looksIntoHome?: boolean
}

/** Every check but those of the agents, in the order of the report. */
const checkers: readonly Checker[] = [
  { subject: 'machine', id: 'node', run: checkRuntime },
  { subject: 'machine', id: 'disk', run: checkDisk },
  { subject: 'machine', id: 'clock', run: checkClock, looksIntoHome: true },
  { subject: 'home', id: 'directory', run: checkHome },
  { subject: 'home', id: 'config', run: checkConfig, looksIntoHome: true },
  { subject: 'home', id: 'token', run: checkToken, looksIntoHome: true },
  { subject: 'bridge', id: 'daemon', run: checkDaemon, looksIntoHome: true },
  { subject: 'bridge', id: 'port', run: checkPort },
  { subject: 'bridge', id: 'database', run: checkDatabase, looksIntoHome: true },
  { subject: 'bridge', id: 'audit', run: checkAudit, looksIntoHome: true },
  {
    subject: 'hooks',
    id: 'forwarder',
    run: (context) => checkForwarder(context, findPerl(context.env)),
  },
  { subject: 'hooks', id: 'forward', run: checkForwardFile, looksIntoHome: true },
  { subject: 'hooks', id: 'url', run: checkBridgeUrl },
  { subject: 'hooks', id: 'spool', run: checkSpool, looksIntoHome: true },
]

/**
 * Runs every check side by side. They change nothing, but for the test session of a probe, which they end.
 *
 * @throws BridgeError `agent_unknown`
 */
export async function runDoctor(context: DoctorContext, options: DoctorRunOptions): Promise<DoctorReport> {
  const programs = programsOf(options.agents)
  const isAsked = options.agents !== undefined
  const found = await Promise.all([
    ...checkers.map(({ subject, id, run, looksIntoHome = false }) =>
      looksIntoHome && !context.isHomeOpen
        ? checksOf(subject).skipped(id, 'It lies in the home, which this user cannot look into')
        : guard(subject, id, context, async () => run(context)),
    ),
    ...programs.map((program) =>
      guard(program.agent, 'program', context, () =>
        checkAgent(program, context, { isAsked, probe: options.probe }),
      ),
    ),
  ])
  const all = withoutSecrets(found.flat(), context)
  return { ok: all.every(({ state }) => state !== 'problem'), checks: all }
}

function programsOf(agents: readonly string[] | undefined) {
  const known = agentPrograms.map(({ agent }) => agent)
  const unknown = agents?.find((agent) => !known.includes(agent))
  if (unknown !== undefined)
    throw new BridgeError('agent_unknown', { agent: unknown, known: known.join(', ') })
  return agentPrograms.filter(({ agent }) => agents === undefined || agents.includes(agent))
}

/** One check that cannot be made must not hide what the others found. */
async function guard(
  subject: string,
  id: string,
  { homeDir }: DoctorContext,
  run: () => Promise<Check | Check[]>,
): Promise<Check | Check[]> {
  try {
    return await run()
  } catch (error) {
    const path =
      error instanceof Error && 'path' in error ? `${shortPath(String(error.path), homeDir)}: ` : ''
    return checksOf(subject).problem(id, `This could not be checked: ${path}${fileProblem(error)}`)
  }
}
