import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '../../src/client/index.ts'
import type { AgentEventEnvelope } from '../../src/protocol/index.ts'
import type { PrivateHome } from './private-home.ts'
import type { EventSource } from './source.ts'

const run = promisify(execFile)

const bridgeCommand = fileURLToPath(new URL('../../bin/bridge.js', import.meta.url))

/** Bound for a start or an end of the bridge, which takes about a second. */
const BRIDGE_BOUND_MS = 20_000

/** A bridge of its own in a private home, as the user of that home would start it, and the events it streams. */
export interface TestBridge extends EventSource<AgentEventEnvelope>, AsyncDisposable {
  /** Runs a command of the bridge in the same home; gives what it printed. */
  command(...args: string[]): Promise<string>
  /** What the daemon printed, for the message of a failed test. */
  output(): string
}

/** Starts `bridge up` on a free port and follows its events from the first on. */
export async function openBridge(home: PrivateHome): Promise<TestBridge> {
  const env = { ...home.env, BRIDGE_PORT: '0' }
  const daemon = spawn(process.execPath, [bridgeCommand, 'up', '--foreground'], {
    cwd: home.home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(daemon, 'exit')
  let printed = ''
  for (const stream of [daemon.stdout, daemon.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const events: AgentEventEnvelope[] = []
  const listeners = new Set<() => void>()
  const stopped = new AbortController()

  async function close(): Promise<void> {
    stopped.abort()
    daemon.kill('SIGTERM')
    const killer = setTimeout(() => daemon.kill('SIGKILL'), BRIDGE_BOUND_MS)
    if (daemon.exitCode === null && daemon.signalCode === null) await exited
    clearTimeout(killer)
  }

  try {
    const state = join(home.home, '.bridge')
    const url = await waitForUrl(join(state, 'daemon.json'))
    const token = (await readFile(join(state, 'token'), 'utf8')).trim()
    const live = Promise.withResolvers<void>()
    const follow = async () => {
      const client = createClient({ url, token })
      for await (const item of client.stream({ after: 0, signal: stopped.signal })) {
        if (item.type === 'subscribed') live.resolve()
        if (!isAgentEvent(item)) continue
        events.push(item)
        for (const listener of listeners) listener()
      }
    }
    follow().catch((cause: unknown) => live.reject(cause))
    await live.promise
  } catch (cause) {
    await close()
    throw new Error(`The bridge did not start. It printed:\n${printed}`, { cause })
  }

  return {
    async command(...args) {
      const { stdout } = await run(process.execPath, [bridgeCommand, ...args], {
        cwd: home.home,
        env,
        timeout: BRIDGE_BOUND_MS,
      })
      return stdout
    },
    output: () => printed,
    collect: () => events,
    nameOf: ({ event }) => event.kind,
    onArrival(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [Symbol.asyncDispose]: close,
  }

  async function waitForUrl(path: string): Promise<string> {
    const deadline = Date.now() + BRIDGE_BOUND_MS
    while (Date.now() < deadline && daemon.exitCode === null) {
      const found = await readFile(path, 'utf8').catch(() => '')
      const url: unknown = found === '' ? undefined : Reflect.get(Object(JSON.parse(found)), 'url')
      if (typeof url === 'string') return url
      await sleep(20)
    }
    throw new Error(`No ${path} came`)
  }
}

function isAgentEvent(item: { type: string }): item is AgentEventEnvelope {
  return item.type === 'agent_event'
}
