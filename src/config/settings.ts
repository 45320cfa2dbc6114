import { z } from 'zod'
import { normalizeHost } from './host-name.ts'

/** How much the bridge logs, from almost nothing to everything. */
const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

const text = z.string({ error: 'must be text' }).min(1, 'is empty: give it a value or remove it')
const boolean = z.boolean({ error: 'must be true or false' })
const group = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be a group of settings'),
  })

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

function list<T extends z.ZodType>(item: T) {
  return z.array(item, { error: 'must be a list' }).max(1000, 'has more than 1000 entries')
}

/** A base address without its final slash. */
const httpUrl = text.transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    context.addIssue('must be an address that begins with http:// or https://')
  } else if (url.username || url.password || url.search || url.hash) {
    context.addIssue('must be a plain address, without a user, a password, "?" or "#"')
  } else {
    return url.href.replace(/\/+$/, '')
  }
  return z.NEVER
})

const bindHost = text.transform((value, context) => {
  const host = normalizeHost(value)
  if (host !== undefined) return host
  context.addIssue('must be an IP address or a host name, such as 127.0.0.1, or 0.0.0.0 for all interfaces')
  return z.NEVER
})

const allowedHost = text.transform((value, context) => {
  const host = normalizeHost(value)
  if (host !== undefined) return host
  context.addIssue('must be a host name without scheme and port, such as bridge.example; "*" is not possible')
  return z.NEVER
})

const allowedOrigin = text.transform((value, context) => {
  const plain = value.toLowerCase().replace(/\/$/, '')
  if (/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\*]+$/.test(plain) && URL.canParse(plain)) {
    const { origin } = new URL(plain)
    // Schemes the URL standard does not know (browser extensions, desktop shells) have no origin of their own.
    return origin === 'null' ? plain : origin
  }
  context.addIssue('must be scheme, host and port as a browser sends them, such as https://bridge.example')
  return z.NEVER
})

/** Firebase forbids these in a key. https://firebase.google.com/docs/database/web/structure-data */
const firebaseKey = text.regex(/^[^.$#[\]/\p{Cc}]{1,256}$/u, 'must not hold any of . $ # [ ] /')

/** Everything that can be set, as `bridged.yaml` writes it. The defaults of seed A are its table of variables. */
export const settingsSchema = group({
  host: bindHost.default('127.0.0.1'),
  port: wholeNumber(0, 65_535).default(8787),
  log_file: text.optional(),
  log_level: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
  url: httpUrl.optional(),
  /** Long enough for a busy machine; a hook must not hold an agent up for longer than a minute. */
  hook_timeout_ms: wholeNumber(1, 60_000).default(500),
  firebase: group({ database_url: httpUrl.optional(), agent_id: firebaseKey.optional() }).default({}),
  allowed_hosts: list(allowedHost).default([]),
  allowed_origins: list(allowedOrigin).default([]),
  redact: boolean.default(true),
  retention: group({
    max_events: wholeNumber(1_000, 1_000_000_000).default(1_000_000),
    max_age_days: wholeNumber(1, 36_500).default(30),
  }).prefault({}),
  limits: group({
    /** The original's cap on bodies (seed A's program). */
    body_bytes: wholeNumber(1_000, 100_000_000).default(1_000_000),
    /** What may wait for one slow client before it is dropped. */
    client_buffer_bytes: wholeNumber(65_536, 1_073_741_824).default(4_194_304),
  }).prefault({}),
  agents: group({
    claude: group({ transcript_roots: list(text).optional() }).prefault({}),
  }).prefault({}),
})
export type Settings = z.output<typeof settingsSchema>

/** Where a variable or a flag stands in {@link settingsSchema}. `token` is no setting of the file. */
export interface Binding {
  readonly path: readonly [string, ...string[]]
  /** Text when absent. A path is relative to the working directory, or to the `.env` it stands in. */
  readonly form?: 'integer' | 'path'
}

/** The variables of seed agent-bridge-readme, "Run the bridge", and the one for the log level. */
export const variables: Readonly<Record<string, Binding>> = {
  BRIDGE_PORT: { path: ['port'], form: 'integer' },
  BRIDGE_HOST: { path: ['host'] },
  BRIDGE_LOG_FILE: { path: ['log_file'], form: 'path' },
  BRIDGE_LOG_LEVEL: { path: ['log_level'] },
  BRIDGE_DATABASE_URL: { path: ['firebase', 'database_url'] },
  BRIDGE_AGENT_ID: { path: ['firebase', 'agent_id'] },
  BRIDGE_URL: { path: ['url'] },
  BRIDGE_HOOK_TIMEOUT_MS: { path: ['hook_timeout_ms'], form: 'integer' },
}

/** What the command line can set. Never the token: every user of the machine can read an argv. */
export interface ConfigFlags {
  /** A file whose directory is the home. */
  readonly state?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | number | undefined
  readonly logFile?: string | undefined
  readonly logLevel?: string | undefined
  readonly url?: string | undefined
}

/** The flags, by their name in {@link ConfigFlags}. */
export const flagBindings: readonly (Binding & {
  readonly name: Exclude<keyof ConfigFlags, 'state'>
  readonly flag: string
})[] = [
  { name: 'host', flag: '--host', path: ['host'] },
  { name: 'port', flag: '--port', path: ['port'], form: 'integer' },
  { name: 'logFile', flag: '--log-file', path: ['log_file'], form: 'path' },
  { name: 'logLevel', flag: '--log-level', path: ['log_level'] },
  { name: 'url', flag: '--url', path: ['url'] },
]
