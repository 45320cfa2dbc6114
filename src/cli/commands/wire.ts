import { homedir } from 'node:os'
import { resolve } from 'node:path'
import {
  unwireClaude,
  wireClaude,
  type UnwireClaudeOptions,
  type WireResult,
} from '../../agents/claude/wire.ts'
import { findProgram } from '../../agents/forwarder/command.ts'
import { BridgeError } from '../../core/errors.ts'
import { homeOf, shortPath } from '../cli-home.ts'
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

/** `bridge wire AGENT`: needs no daemon; hooks wait in the spool until there is one. */
export async function wire(agent: string, options: WireOptions): Promise<void> {
  checkAgent(agent)
  const perlPath = findProgram('perl', process.env['PATH'], ['/usr/bin', '/bin'])
  const result = await wireClaude({
    ...placeOf(options),
    forwarderDir,
    nodePath: process.execPath,
    perlPath,
    http: options.http,
  })
  report(result, options, {
    changed: `Claude Code reports ${result.events.length} kinds of hooks to the bridge: ${shortPath(result.path)}`,
    unchanged: `Claude Code is wired already; nothing changed in ${shortPath(result.path)}`,
    advice: 'Sessions that run already may have to be started again.',
  })
}

/** `bridge unwire AGENT` */
export async function unwire(agent: string, options: WireOptions): Promise<void> {
  checkAgent(agent)
  const result = await unwireClaude(placeOf(options))
  report(result, options, {
    changed: `Claude Code no longer reports to the bridge: ${shortPath(result.path)}`,
    unchanged: `Claude Code was not wired; nothing changed in ${shortPath(result.path)}`,
  })
}

function checkAgent(agent: string): void {
  if (agent !== 'claude') throw new BridgeError('agent_unknown', { agent, known: 'claude' })
}

function placeOf(options: WireOptions): UnwireClaudeOptions {
  return {
    bridgeHome: homeOf(options.state),
    homeDir: homedir(),
    env: process.env,
    scope: options.project === true ? 'project' : 'user',
    ...(options.project === true && { directory: process.cwd() }),
  }
}

function report(
  result: WireResult,
  options: WireOptions,
  words: { readonly changed: string; readonly unchanged: string; readonly advice?: string },
): void {
  if (options.json === true) {
    process.stdout.write(`${safeJson(result, 2)}\n`)
    return
  }
  const lines = [
    `${result.changed ? words.changed : words.unchanged}.`,
    ...(result.backup === undefined ? [] : [`The file as it was: ${shortPath(result.backup)}`]),
    ...result.notes.map((note) => `Note: ${note}.`),
    ...(result.changed && words.advice !== undefined ? [words.advice] : []),
  ]
  process.stdout.write(lines.map((line) => `${safeLine(line)}\n`).join(''))
}
