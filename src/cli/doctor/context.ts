import { accessSync, constants, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ClientError } from '../../client/client-error.ts'
import { loadConfig, type Config } from '../../config/config.ts'
import { errorCode } from '../../config/file-problem.ts'
import { findHome, resolveHome } from '../../config/home.ts'
import { BridgeError } from '../../core/errors.ts'
import { quoteWord } from '../../agents/forwarder/shell-words.ts'
import type { Status } from '../../protocol/index.ts'
import { callDaemon } from '../control-client.ts'
import { commandLine } from '../invocation.ts'

/** What all checks look at; read once, so that they agree. */
export interface DoctorContext {
  readonly home: string
  /** Whether this user can look into it; also where there is none yet. */
  readonly isHomeOpen: boolean
  readonly homeDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The package that this command belongs to. */
  readonly packageRoot: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The configuration, or why there is none. */
  readonly config: Config | BridgeError
  /** What the daemon says of itself, or why it says nothing. */
  readonly daemon: Status | BridgeError | ClientError
  /** The master token as the daemon would read it; undefined when there is none to read. */
  readonly token: string | undefined
  /** What the forwarders are told; undefined when there is no such file to read. */
  readonly forward: ForwardFile | undefined
  /** A command of the bridge, as this user calls it for this home. */
  readonly command: (args: string) => string
}

/** `<home>/forward`, as far as it can be read. */
export interface ForwardFile {
  readonly url: string | undefined
  readonly token: string | undefined
}

export interface ContextOptions {
  readonly state?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly homeDir?: string
}

/** The daemon of a machine that is not too busy answers in milliseconds. */
const daemonTimeoutMs = 2_000
/** `src/cli/doctor` and `dist/cli/doctor` both lie three steps below the package. */
const packageRoot = resolve(import.meta.dirname, '../../..')

/**
 * Reads what the checks look at. What is broken is kept as the error it gave.
 *
 * @throws BridgeError `config_invalid` when `state` is empty
 */
export async function readContext(options: ContextOptions): Promise<DoctorContext> {
  const { state, env, cwd, homeDir = homedir() } = options
  const home = homeFor({ state, env, cwd, homeDir })
  const config = attempt(() => loadConfig({ flags: { state }, env, cwd, homeDir }))
  const forwardText = readText(join(home, 'forward'))
  const configured = config instanceof BridgeError ? env['BRIDGE_TOKEN'] : config.token
  const suffix = state === undefined ? '' : ` --state ${quoteWord(state)}`
  return {
    home,
    isHomeOpen: isOpen(home),
    homeDir,
    env,
    cwd,
    packageRoot,
    now: Date.now(),
    config,
    daemon: await askDaemon(home),
    token: configured ?? (readText(join(home, 'token'))?.trim() || undefined),
    forward:
      forwardText === undefined
        ? undefined
        : { url: fieldOf(forwardText, 'url'), token: fieldOf(forwardText, 'token') },
    command: (args) => commandLine(`${args}${suffix}`, env),
  }
}

/** The home also where `.env` cannot be read: then without what it says. */
function homeFor(options: {
  state: string | undefined
  env: ContextOptions['env']
  cwd: string
  homeDir: string
}): string {
  try {
    return resolveHome(options)
  } catch (error) {
    if (!(error instanceof BridgeError) || options.state === '') throw error
    const { env, cwd } = options
    const exported = (name: string) => {
      const value = env[name]
      return value === undefined ? undefined : { value, source: name, place: 'environment', directory: cwd }
    }
    return findHome(options, { get: exported }).home
  }
}

async function askDaemon(home: string): Promise<DoctorContext['daemon']> {
  try {
    return await callDaemon(home, 'status.get', {}, daemonTimeoutMs)
  } catch (error) {
    if (error instanceof BridgeError || error instanceof ClientError) return error
    throw error
  }
}

function attempt<T>(run: () => T): T | BridgeError {
  try {
    return run()
  } catch (error) {
    if (error instanceof BridgeError) return error
    throw error
  }
}

function isOpen(home: string): boolean {
  try {
    accessSync(home, constants.R_OK | constants.X_OK)
    return true
  } catch (error) {
    return errorCode(error) === 'ENOENT'
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The check of this file says why.
    return undefined
  }
}

function fieldOf(text: string, name: string): string | undefined {
  return new RegExp(`^${name}=(.+?)\\r?$`, 'm').exec(text)?.[1]
}

/** Whether the daemon answered. */
export function isUp(daemon: DoctorContext['daemon']): daemon is Status {
  return !(daemon instanceof Error)
}
