import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { streamEvents } from '../../src/client/event-stream.ts'
import { createClient, type LogFrame } from '../../src/client/index.ts'

/**
 * `kill -9` at random moments: what the daemon acknowledged is in the stream, what the forwarder took while it was
 * down is too, each once, and a client with a cursor goes on without a gap.
 */
const kills = 100
const packageRoot = resolve(import.meta.dirname, '../..')
const home = mkdtempSync(join(tmpdir(), 'bridge-faults-'))
const token = 'faults-token-0123456789'
const started = new Set<ChildProcess>()

afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

test(
  `loses no acknowledged hook over ${kills} kills, and a cursor never meets a gap`,
  { timeout: 300_000 },
  async () => {
    const port = await freePort()
    const acknowledged = new Set<string>()
    const stop = new AbortController()
    let daemon = await startDaemonProcess(port)

    const received = new Map<string, number>()
    const seqs: number[] = []
    const resumes: string[] = []
    const url = `http://127.0.0.1:${port}`
    const reading = (async () => {
      for await (const item of followImpatiently(url, stop.signal)) {
        if (item.type === 'subscribed') resumes.push(item.resume)
        else if (item.type !== 'snapshot') count(item, seqs, received)
      }
    })()

    const posting = postUntil(url, stop.signal, acknowledged)
    const forwarding = forwardUntil(stop.signal, acknowledged)
    for (let kill = 0; kill < kills; kill += 1) {
      await delay(Math.random() * 120)
      daemon.kill('SIGKILL')
      await once(daemon, 'exit')
      const resumed = resumes.length
      daemon = await startDaemonProcess(port)
      await until(() => resumes.length > resumed, 'the client did not resume')
    }
    await until(async () => (seqs.at(-1) ?? 0) >= (await lastSeq(url)), 'the client did not catch up')
    stop.abort()
    await Promise.all([posting, forwarding, reading.catch(ignoreAbort)])

    // One more start takes in what the last forwarders have spooled; then everything is read from the beginning.
    await until(async () => (await statusOf(url)).spooled === 0, 'the spool was not emptied')
    const again = new AbortController()
    const whole = new Map<string, number>()
    const wholeSeqs: number[] = []
    const last = await lastSeq(url)
    for await (const item of createClient({ url, token }).stream({ after: 0, signal: again.signal })) {
      if (item.type === 'subscribed' || item.type === 'snapshot') continue
      count(item, wholeSeqs, whole)
      if (item.seq >= last) break
    }
    again.abort()

    expect(acknowledged.size).toBeGreaterThan(kills)
    expect([...acknowledged].filter((id) => whole.get(id) !== 1)).toEqual([])
    expect(wholeSeqs).toEqual(Array.from({ length: wholeSeqs.length }, (_, index) => index + 1))
    expect(resumes.length).toBeGreaterThanOrEqual(kills)
    expect(new Set(resumes)).toEqual(new Set(['ok']))
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1))
    expect([...received.values()].every((count) => count === 1)).toBe(true)
  },
)

/** The client library's stream, but without its patience: a bridge that dies this often is not its usual case. */
function followImpatiently(url: string, signal: AbortSignal) {
  return streamEvents({
    openUrl: () => Promise.resolve(`${url.replace('http', 'ws')}/ws?token=${token}`),
    after: 0,
    signal,
    timing: { backoff: { minMs: 20, maxMs: 100 } },
  })
}

async function postUntil(url: string, signal: AbortSignal, acknowledged: Set<string>): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    const id = `posted-${n}`
    try {
      const response = await fetch(`${url}/hooks/claude`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(hookOf(id)),
      })
      if (response.status === 204) acknowledged.add(id)
    } catch {
      // The daemon is down: this one was not acknowledged.
      await delay(5)
    }
  }
}

/** The forwarder acknowledges by exiting 0: from then on the hook must not be lost, bridge up or down. */
async function forwardUntil(signal: AbortSignal, acknowledged: Set<string>): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    const id = `forwarded-${n}`
    const forwarder = spawn(join(packageRoot, 'bin/hook.pl'), ['claude'], {
      env: { PATH: process.env['PATH'], HOME: home, BRIDGE_HOME: home },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    forwarder.stdin.end(JSON.stringify(hookOf(id)))
    const [code] = await once(forwarder, 'exit')
    if (code === 0) acknowledged.add(id)
    await delay(20)
  }
}

function hookOf(id: string) {
  return { hook_event_name: 'Notification', session_id: 'faults', cwd: '/home/dev/project', message: id }
}

/** Notes a frame's place, and which hook it came from. */
function count(frame: LogFrame, seqs: number[], counts: Map<string, number>): void {
  seqs.push(frame.seq)
  if (frame.type !== 'agent_event' || frame.event.kind !== 'notification') return
  const { text = '' } = frame.event
  counts.set(text, (counts.get(text) ?? 0) + 1)
}

async function startDaemonProcess(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(packageRoot, 'bin/bridged.js')], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      BRIDGE_HOME: home,
      BRIDGE_TOKEN: token,
      BRIDGE_PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  started.add(child)
  child.once('exit', () => started.delete(child))
  for (let tries = 0; tries < 2_000; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}: ${lastLogLine()}`)
    if (await isUp(port)) return child
    await delay(10)
  }
  throw new Error('the daemon did not come up')
}

async function isUp(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/health`)).ok
  } catch {
    return false
  }
}

function lastLogLine(): string {
  return readFileSync(join(home, 'daemon.log'), 'utf8').trimEnd().split('\n').at(-1) ?? ''
}

async function statusOf(url: string): Promise<{ spooled: number; log: { seq: number } }> {
  const response = await fetch(`${url}/status`, { headers: { authorization: `Bearer ${token}` } })
  return JSON.parse(await response.text())
}

async function until(isSo: () => boolean | Promise<boolean>, problem: string): Promise<void> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    if (await isSo()) return
    await delay(10)
  }
  throw new Error(problem)
}

async function lastSeq(url: string): Promise<number> {
  return (await statusOf(url)).log.seq
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error
}
