import { join, resolve } from 'node:path'
import { readEnvironment, type Environment, type EnvironmentOptions } from './environment.ts'
import { expandTilde, findHome } from './home.ts'
import { hostInUrl } from './host-name.ts'
import { collectOverrides, readSettings, tokenFrom, type Sources } from './layers.ts'
import type { ConfigFlags, LogLevel, Settings } from './settings.ts'

/** Everything that is configured, from all sources. Deeply frozen. */
export interface Config {
  /** The absolute path of the state directory. */
  readonly home: string
  /** The address to bind: an IP address, or a name in lower case. */
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** The master token, when the environment sets it; else see {@link ./master-token.ts}. */
  readonly token?: string
  /** The absolute path of the file that mirrors the log. */
  readonly logFile?: string
  readonly logLevel: LogLevel
  /** Present when Firebase sync is on. */
  readonly firebase?: { readonly databaseUrl: string; readonly agentId: string }
  /** Where forwarders post hooks and commands find the bridge, without a final slash. */
  readonly url: string
  readonly hookTimeoutMs: number
  /** Host names beyond the loopback ones that the bridge answers to. */
  readonly allowedHosts: readonly string[]
  /** Origins of foreign pages that may use the bridge. */
  readonly allowedOrigins: readonly string[]
  /** Whether secrets are taken out of streams, feeds and logs. */
  readonly redact: boolean
  readonly retention: { readonly maxEvents: number; readonly maxAgeDays: number }
  readonly limits: { readonly bodyBytes: number; readonly clientBufferBytes: number }
  /** Per agent, the directories a transcript may be read from. */
  readonly agents: { readonly claude: { readonly transcriptRoots: readonly string[] } }
  /** Where each value came from, by its name in `bridged.yaml` with dots between groups. */
  readonly sources: Sources
}

/** What {@link loadConfig} looks at; it reads nothing of the process itself. */
export interface LoadOptions extends EnvironmentOptions {
  readonly flags?: ConfigFlags
  /** The user's home directory. */
  readonly homeDir: string
}

/**
 * Joins the sources of configuration: flags beat the environment, the environment beats the `.env` beside the
 * checkout, and that beats `<home>/bridged.yaml` (design, "Home"). A variable that is set but empty counts as
 * not set, and still hides the one of `.env`; only an empty `BRIDGE_TOKEN` is an error. Relative paths are
 * relative to the file that names them, else to `cwd`.
 *
 * @throws BridgeError `config_invalid`, which names the file and line (or variable, or flag), and what to do
 */
export function loadConfig(options: LoadOptions): Config {
  const { flags = {}, cwd, homeDir } = options
  const environment = readEnvironment(options)
  const { home, source: homeSource } = findHome({ state: flags.state, cwd, homeDir }, environment)
  const overrides = collectOverrides(flags, environment, { cwd, homeDir })
  const { settings, sources } = readSettings(join(home, 'bridged.yaml'), overrides)
  const token = tokenFrom(environment)

  // Those of flags and variables are absolute already.
  const absolute = (path: string) => resolve(home, expandTilde(path, homeDir))
  const { database_url: databaseUrl, agent_id: agentId } = settings.firebase
  const roots = settings.agents.claude.transcript_roots

  return deepFreeze({
    home,
    host: settings.host,
    port: settings.port,
    ...(token && { token: token.value }),
    ...(settings.log_file !== undefined && { logFile: absolute(settings.log_file) }),
    logLevel: settings.log_level,
    ...(databaseUrl !== undefined && agentId !== undefined && { firebase: { databaseUrl, agentId } }),
    url: settings.url ?? ownUrl(settings),
    hookTimeoutMs: settings.hook_timeout_ms,
    allowedHosts: settings.allowed_hosts,
    allowedOrigins: settings.allowed_origins,
    redact: settings.redact,
    retention: { maxEvents: settings.retention.max_events, maxAgeDays: settings.retention.max_age_days },
    limits: {
      bodyBytes: settings.limits.body_bytes,
      clientBufferBytes: settings.limits.client_buffer_bytes,
    },
    agents: {
      claude: {
        transcriptRoots: roots?.map(absolute) ?? claudeRoots(environment, homeDir),
      },
    },
    sources: {
      ...sources,
      ...(homeSource !== undefined && { home: homeSource }),
      ...(token && { token: token.source }),
    },
  })
}

/** The address of a bridge with these settings, as seen from this machine; nobody can know a port of 0 before. */
function ownUrl({ host, port }: Settings): string {
  return `http://${hostInUrl(loopbackOf.get(host) ?? host)}:${port || 8787}`
}

/** Where a bind to all interfaces is reached from the machine itself. */
const loopbackOf = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** Where Claude Code keeps its transcripts: in its own directory, or in the one its variable names. */
function claudeRoots(environment: Environment, homeDir: string): string[] {
  const roots = [join(homeDir, '.claude', 'projects')]
  const variable = environment.get('CLAUDE_CONFIG_DIR')
  if (variable?.value)
    roots.push(resolve(variable.directory, expandTilde(variable.value, homeDir), 'projects'))
  return [...new Set(roots)]
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null) deepFreeze(child)
  }
  return Object.freeze(value)
}
