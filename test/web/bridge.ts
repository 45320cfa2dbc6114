import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type BridgeClient } from '../../src/client/index.ts'
import { loadConfig } from '../../src/config/config.ts'
import { startDaemon, type Daemon } from '../../src/daemon/daemon.ts'
import type { AgentEvent } from '../../src/protocol/index.ts'
import { ensureBuilt } from './built.ts'

/** The master token of every bridge in these tests, as in the smoke test of seed agent-bridge-readme. */
const masterToken = 'test'

/** A real daemon on a home of its own, serving the page as it is now. */
export interface TestBridge extends AsyncDisposable {
  readonly url: string
  readonly home: string
  readonly client: BridgeClient
  /** A one-time link to the dashboard. */
  link(): Promise<string>
  /** Posts a Claude Code hook of one session, as its forwarder does. */
  hook(session: TestSession, hookType: string, fields?: Readonly<Record<string, unknown>>): Promise<void>
  /** Appends classified events, up to 1,000 at once. */
  events(events: readonly ClassifiedEvent[]): Promise<void>
  stop(): Promise<void>
  /** Starts it again on the same home and port. */
  start(): Promise<void>
}

export interface ClassifiedEvent {
  readonly session_id: string
  readonly turn_id?: string
  readonly event: AgentEvent
}

export interface TestSession {
  readonly id: string
  readonly directory: string
}

/** Starts a daemon with a temporary home on a free port. */
export async function openBridge(env: Readonly<Record<string, string>> = {}): Promise<TestBridge> {
  await ensureBuilt()
  const home = await mkdtemp(join(tmpdir(), 'bridge-web-test-'))
  const start = (port: number) =>
    startDaemon(
      loadConfig({
        cwd: home,
        homeDir: home,
        packageRoot: home,
        env: { BRIDGE_HOME: home, BRIDGE_TOKEN: masterToken, BRIDGE_PORT: String(port), ...env },
      }),
    )
  let daemon: Daemon | undefined = await start(0)
  const { port, url } = daemon
  const client = createClient({ url, token: masterToken })
  const stop = async () => {
    await daemon?.[Symbol.asyncDispose]()
    daemon = undefined
  }
  return {
    url,
    home,
    client,
    link: async () => (await client.call('links.create', {})).url,
    hook: ({ id, directory }, hookType, fields = {}) =>
      client.postHook('claude', hookType, {
        session_id: id,
        cwd: directory,
        hook_event_name: hookType,
        ...fields,
      }),
    events: async (events) => {
      const response = await fetch(`${url}/hooksRaw/claude`, {
        method: 'POST',
        headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ events }),
      })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    },
    stop,
    start: async () => {
      daemon ??= await start(port)
      await forgetOldConnections(url)
    },
    [Symbol.asyncDispose]: async () => {
      await stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Requests may still be sent over connections to the daemon that was stopped, and fail once each. */
async function forgetOldConnections(url: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await fetch(`${url}/api/health`).catch(() => undefined)
    if (answer?.ok) return
  }
  throw new Error('the bridge does not answer')
}
