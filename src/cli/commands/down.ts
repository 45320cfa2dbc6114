import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { BridgeError } from '../../core/errors.ts'
import { homeOf, shortPath } from '../cli-home.ts'
import { callDaemon } from '../control-client.ts'

/** The daemon ends itself by force a little earlier. */
const stopTimeoutMs = 10_000
const pollMs = 25

/**
 * `bridge down`: stops the daemon and waits until it is gone. The process is the one that answers on the socket of
 * this home, so no other program can be meant. That nothing runs is fine: it is what was wanted.
 *
 * @throws BridgeError `timeout` when it does not stop
 */
export async function down(options: { state?: string; json?: boolean }): Promise<void> {
  const home = homeOf(options.state)
  const pid = await runningPid(home)
  if (pid !== undefined) {
    process.kill(pid, 'SIGTERM')
    await untilGone(pid)
  }
  if (options.json === true) process.stdout.write(`${JSON.stringify({ stopped: pid ?? null })}\n`)
  else if (pid === undefined) process.stdout.write(`No bridge runs on ${shortPath(home)}.\n`)
  else process.stdout.write(`Stopped the bridge on ${shortPath(home)} (process ${pid}).\n`)
}

async function runningPid(home: string): Promise<number | undefined> {
  try {
    return (await callDaemon(home, 'status.get', {})).pid
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'not_running') return undefined
    throw error
  }
}

async function untilGone(pid: number): Promise<void> {
  const deadline = Date.now() + stopTimeoutMs
  while (isAlive(pid)) {
    if (Date.now() > deadline)
      throw new BridgeError('timeout', { what: `Stopping process ${pid}`, timeoutMs: stopTimeoutMs })
    await wait(pollMs)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    // No such process.
    return false
  }
  return !isZombie(pid)
}

/** In a container without an init process nobody takes note of the end of a detached process. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // There is no /proc on macOS, which has an init process.
    return false
  }
}
