import type { Config } from './config.ts'
import { defaultSource } from './layers.ts'

/** One line of `bridge config check`. */
export interface DescribedValue {
  /** The name in `bridged.yaml`, with dots between groups; `home` and `token` are set elsewhere. */
  readonly name: string
  /** What it is; for the token only whether it is set. */
  readonly value: string | number | boolean | null | readonly string[]
  /** A flag, a variable, `file:line`, or `default`. */
  readonly source: string
}

/** Every value of the configuration with where it came from. Holds no secret. */
export function describeConfig(config: Config): DescribedValue[] {
  const values: Record<string, DescribedValue['value']> = {
    home: config.home,
    host: config.host,
    port: config.port,
    token: config.token === undefined ? null : 'set',
    log_file: config.logFile ?? null,
    log_level: config.logLevel,
    url: config.url,
    hook_timeout_ms: config.hookTimeoutMs,
    'firebase.database_url': config.firebase?.databaseUrl ?? null,
    'firebase.agent_id': config.firebase?.agentId ?? null,
    allowed_hosts: config.allowedHosts,
    allowed_origins: config.allowedOrigins,
    redact: config.redact,
    'retention.max_events': config.retention.maxEvents,
    'retention.max_age_days': config.retention.maxAgeDays,
    'limits.body_bytes': config.limits.bodyBytes,
    'limits.client_buffer_bytes': config.limits.clientBufferBytes,
    'agents.claude.transcript_roots': config.agents.claude.transcriptRoots,
  }
  return Object.entries(values).map(([name, value]) => ({
    name,
    value,
    source: config.sources[name] ?? defaultSource,
  }))
}
