import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { simulateSession, type SimulatedHook } from '../../agents/simulator/session.ts'
import { createClient } from '../../client/client.ts'
import { ClientError } from '../../client/client-error.ts'
import { BridgeError } from '../../core/errors.ts'
import { homeOf } from '../cli-home.ts'
import { callDaemon } from '../control-client.ts'
import { formatDuration } from '../amounts.ts'

export interface DemoOptions {
  /** How many times faster than life. */
  readonly speed: number
  readonly seed?: number
  readonly loop?: boolean
  readonly state?: string
}

const agent = 'simulator'
/** How long a hook waits for a bridge that is being restarted. */
const patienceMs = 20_000
const retryMs = 250

/** `bridge demo`: a made-up agent at work, told to the bridge through the hook path real agents use. */
export async function playDemo(options: DemoOptions): Promise<void> {
  const home = homeOf(options.state)
  await callDaemon(home, 'status.get', {})
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  let seed = options.seed ?? randomInt(1, 100_000)
  do {
    const hooks = [...simulateSession({ seed })]
    const lengthMs = hooks.reduce((sum, hook) => sum + hook.delayMs, 0) / options.speed
    process.stdout.write(
      `Playing a session of ${hooks.length} hooks in ${formatDuration(lengthMs)} (--seed ${seed}). ` +
        'Watch it with "bridge tail" or on the dashboard.\n',
    )
    const played = await play(home, hooks, options.speed, interrupted.signal)
    if (interrupted.signal.aborted) {
      await endSession(home, hooks.slice(0, played))
      process.stdout.write(`Ended the session after ${played} hooks.\n`)
      process.exitCode = 130
      return
    }
    process.stdout.write('The session is over.\n')
    seed += 1
  } while (options.loop === true)
}

/** Returns how many were posted. */
async function play(
  home: string,
  hooks: readonly SimulatedHook[],
  speed: number,
  signal: AbortSignal,
): Promise<number> {
  for (const [index, { delayMs, hookType, payload }] of hooks.entries()) {
    try {
      await wait(delayMs / speed, undefined, { signal })
    } catch {
      // Interrupted.
      return index
    }
    showProgress(index + 1, hooks.length)
    await post(home, hookType, payload)
  }
  return hooks.length
}

/** A session that is broken off is ended, so that no agent stays at work for ever. */
async function endSession(home: string, played: readonly SimulatedHook[]): Promise<void> {
  const last = played.at(-1)
  if (last === undefined) return
  const { session_id, cwd } = last.payload
  await post(home, 'SessionEnd', { session_id, cwd, hook_event_name: 'SessionEnd', reason: 'other' })
}

async function post(home: string, hookType: string, payload: SimulatedHook['payload']): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      await createClient(readForwardFile(home)).postHook(agent, hookType, payload)
      return
    } catch (error) {
      const away = error instanceof ClientError && !error.isFinal
      if (!away || Date.now() > deadline) throw away ? new BridgeError('not_running', { home }) : error
      await wait(retryMs)
    }
  }
}

/** Where forwarders post, and with which token: the daemon writes it at every start. */
function readForwardFile(home: string): { url: string; token: string } {
  const text = readFileSync(join(home, 'forward'), 'utf8')
  const url = /^url=(.+)$/m.exec(text)?.[1]
  const token = /^token=(.+)$/m.exec(text)?.[1]
  if (url === undefined || token === undefined) throw new BridgeError('not_running', { home })
  return { url, token }
}

function showProgress(played: number, total: number): void {
  if (!process.stdout.isTTY) return
  process.stdout.write(played === total ? '\r\u001b[K' : `\r  ${played} of ${total} hooks\u001b[K`)
}
