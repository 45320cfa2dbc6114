import { join } from 'node:path'
import { findAgent, readAgentVersion, type AgentProgram, type FoundAgent } from '../../agents/find-agent.ts'
import { agentWirings } from '../../agents/wiring/wirings.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import { isUp, type DoctorContext } from './context.ts'
import { findPerl } from './forwarder.ts'
import { checkProbe } from './probe.ts'
import { checkWiring } from './wiring.ts'

export interface AgentCheckOptions {
  /** The user named it, so that it ought to be there. */
  readonly isAsked: boolean
  readonly probe: boolean
}

/** Where an agent is, how it is wired, and whether its hooks arrive. */
export async function checkAgent(
  program: AgentProgram,
  context: DoctorContext,
  options: AgentCheckOptions,
): Promise<Check[]> {
  const { agent } = program
  const { home, homeDir, env, cwd, packageRoot } = context
  const found = findAgent(program, { path: env['PATH'], homeDir })
  const wiring = agentWirings[agent]
  const report = wiring?.inspect({
    homeDir,
    env,
    bridgeHome: home,
    forwarderDir: join(packageRoot, 'bin'),
    nodePath: process.execPath,
    perlPath: findPerl(env),
    directory: cwd,
  })
  const isWired = (report?.hooks.length ?? 0) > 0
  const checks = [await checkProgram(program, found, { ...options, isWired }, context)]
  if (agent === 'cursor') checks.push(unverifiedCursor())
  if (!wiring || !report) {
    if (found) checks.push(checksOf(agent).skipped('wiring', 'This version of the bridge cannot wire it'))
    return checks
  }
  if (found || isWired || options.isAsked || report.files.some(({ problem }) => problem !== undefined)) {
    checks.push(...checkWiring({ agent, isInstalled: found !== undefined }, report, context))
  }
  if (!isWired) return checks
  const { daemon } = context
  if (!options.probe) return [...checks, checksOf(agent).skipped('probe', 'Its hooks were not tried')]
  if (!isUp(daemon)) {
    return [...checks, checksOf(agent).skipped('probe', 'Its hooks can be tried only while the bridge runs')]
  }
  return [...checks, ...(await checkProbe(agent, wiring, report, { ...context, daemon }))]
}

async function checkProgram(
  { agent, programs }: AgentProgram,
  found: FoundAgent | undefined,
  { isAsked, isWired }: { isAsked: boolean; isWired: boolean },
  { env, homeDir }: DoctorContext,
): Promise<Check> {
  const make = checksOf(agent)
  if (!found) {
    const finding = `It is not found: there is no "${programs.join('" or "')}" in PATH`
    if (isAsked) return make.problem('program', finding, 'Install it, or put its directory into PATH')
    return isWired
      ? make.warning('program', `${finding}, although it is wired`, 'Put its directory into PATH')
      : make.skipped('program', finding)
  }
  const shown = `${shortPath(found.path, homeDir)}${found.inPath ? '' : ' (which is not in PATH)'}`
  const answer = await readAgentVersion(found.path, { path: env['PATH'] })
  return 'version' in answer
    ? make.ok('program', `Version ${answer.version}, ${shown}`)
    : make.warning('program', `${shown} ${answer.problem}`, `${found.path} --version`)
}

/** The program comes from no package registry, so nothing of it was ever run against the bridge. */
function unverifiedCursor(): Check {
  return checksOf('cursor').unverified(
    'support',
    'Its hooks are known from its documentation only; nothing of it was tried with the program',
  )
}
