import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, connect, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { asFrame } from '../fixtures/frames.ts'
import { request } from '../fixtures/http.ts'
import { openTestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

/** The variables of seed agent-bridge-readme, "Run the bridge", on the strict daemon as a process of its own. */
const program = resolve(import.meta.dirname, '../../src/daemon/main.ts')
const token = 'a-token-long-enough-for-a-wide-bind-0123'
const opened: { child: ChildProcess; home: string }[] = []
afterEach(() => {
  for (const { child, home } of opened.splice(0)) {
    child.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
})

interface Run {
  readonly home: string
  readonly child: ChildProcess
  /** What stderr has had so far. */
  readonly stderr: () => string
  /** The port of `daemon.json`, once it listens; undefined when it ended instead. */
  readonly listening: Promise<number | undefined>
  readonly exited: Promise<number | null>
}

/** Starts the daemon with nothing of our environment but PATH. */
function start(env: Readonly<Record<string, string>>): Run {
  const home = mkdtempSync(join(tmpdir(), 'variables-'))
  const child = spawn(process.execPath, [program], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, BRIDGE_HOME: join(home, '.bridge'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  opened.push({ child, home })
  let stderr = ''
  const exited = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null))
  const listening = new Promise<number | undefined>((resolvePort) => {
    void exited.then(() => resolvePort(undefined))
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
      const port = /listening on http:\/\/\S+:(\d+)/.exec(stderr)?.[1]
      if (port !== undefined) resolvePort(Number(port))
    })
  })
  return { home, child, stderr: () => stderr, listening, exited }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return address.port
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

/** An address of this machine that is not loopback, if it has one. */
const lanAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

function canConnect(port: number, host: string): Promise<boolean> {
  return new Promise((resolveAnswer) => {
    const socket = connect({ port, host, timeout: 1_000 })
    for (const [event, answer] of [
      ['connect', true],
      ['error', false],
      ['timeout', false],
    ] as const)
      socket.once(event, () => {
        socket.destroy()
        resolveAnswer(answer)
      })
  })
}

describe('BRIDGE_TOKEN', () => {
  test(
    'the strict daemon does not start without one, and says what to do' +
      verifies('A:run.token-required', 'B54'),
    async () => {
      const port = await freePort()
      const runs = [{}, { BRIDGE_TOKEN: '' }].map((env) => start({ BRIDGE_PORT: String(port), ...env }))
      for (const run of runs) {
        expect(await run.exited).toBe(78)
        expect(run.stderr()).toMatch(/BRIDGE_TOKEN/)
        expect(await run.listening).toBeUndefined()
      }
      expect(await canConnect(port, '127.0.0.1')).toBe(false)
    },
  )
})

describe('BRIDGE_PORT, BRIDGE_HOST, BRIDGE_LOG_FILE', () => {
  test(
    'one port serves HTTP and WebSocket, on loopback alone, and the log is mirrored' +
      verifies(
        'A:env.bridge-port',
        'A:env.bridge-token',
        'A:env.bridge-log-file',
        'A:security.loopback-default',
      ),
    async () => {
      const port = await freePort()
      const run = start({ BRIDGE_TOKEN: token, BRIDGE_PORT: String(port), BRIDGE_LOG_FILE: 'mirror.log' })
      expect(await run.listening).toBe(port)
      const url = `http://127.0.0.1:${port}`
      expect((await request(url, '/api/health')).status).toBe(200)
      const headers = { authorization: `Bearer ${token}` }
      expect((await request(url, '/api/state', { headers })).status).toBe(200)
      expect((await request(url, '/api/state')).status).toBe(401)
      const socket = await openTestSocket(url, { token })
      expect(await socket.frames.next()).toMatchObject({ type: 'hello' })
      await socket.close()
      expect(lanAddress !== undefined && (await canConnect(port, lanAddress))).toBe(false)

      const body = '{"hook_type":"Stop","payload":{"session_id":"s"}}'
      await request(url, '/hooks/claude', { method: 'POST', headers, body })
      run.child.kill('SIGTERM')
      expect(await run.exited).toBe(0)
      const mirrored = readFileSync(join(run.home, 'mirror.log'), 'utf8')
      const lines = run
        .stderr()
        .split('\n')
        .filter((line) => line !== '')
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) expect(mirrored).toContain(line)
      expect(mirrored).toContain('"hook":"Stop"')
    },
  )

  test(
    '0.0.0.0 answers on the address of the network' + verifies('A:env.bridge-host', 'A:run.lan-bind'),
    async () => {
      const run = start({ BRIDGE_TOKEN: token, BRIDGE_PORT: '0', BRIDGE_HOST: '0.0.0.0' })
      const port = await run.listening
      const url = `http://${lanAddress ?? '127.0.0.2'}:${port}`
      expect((await request(url, '/api/health')).json).toMatchObject({ ok: true })
      const socket = await openTestSocket(url, { token })
      expect(await socket.frames.next()).toMatchObject({ type: 'hello' })
      await socket.close()
    },
  )

  test(
    'a wide bind is refused without a token of some length' + verifies('A:security.wide-bind-needs-token'),
    async () => {
      const runs = [
        start({ BRIDGE_TOKEN: 'test', BRIDGE_PORT: '0', BRIDGE_HOST: '0.0.0.0' }),
        start({ BRIDGE_TOKEN: 'test', BRIDGE_PORT: '0', BRIDGE_HOST: lanAddress ?? '::' }),
        start({ BRIDGE_PORT: '0', BRIDGE_HOST: '0.0.0.0' }),
      ]
      for (const run of runs) {
        expect(await run.exited).toBe(78)
        expect(run.stderr()).toContain('BRIDGE_TOKEN')
      }
    },
  )

  test('a port that is taken is named', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = portOf(taken)
    const run = start({ BRIDGE_TOKEN: token, BRIDGE_PORT: String(port) })
    expect(await run.exited).toBe(1)
    expect(run.stderr()).toContain(String(port))
    taken.close()
  })

  test('a value that cannot be is refused by its name', async () => {
    const wrong = { BRIDGE_PORT: '99999', BRIDGE_DATABASE_URL: 'no url', BRIDGE_HOOK_TIMEOUT_MS: 'soon' }
    const runs = Object.entries(wrong).map(([name, value]) => {
      return { name, run: start({ BRIDGE_TOKEN: token, BRIDGE_PORT: '0', [name]: value }) }
    })
    for (const { name, run } of runs) {
      expect([name, await run.exited]).toEqual([name, 78])
      expect(run.stderr()).toContain(name)
    }
  })
})

describe('a second daemon', () => {
  test('on the same home is refused and told who runs; the first goes on', async () => {
    const first = start({ BRIDGE_TOKEN: token, BRIDGE_PORT: '0' })
    const port = await first.listening
    const home = join(first.home, '.bridge')
    const second = start({ BRIDGE_TOKEN: token, BRIDGE_PORT: '0', BRIDGE_HOME: home })
    expect(await second.exited).toBe(1)
    expect(second.stderr()).toContain(String(first.child.pid))
    expect((await request(`http://127.0.0.1:${port}`, '/api/health')).status).toBe(200)
    expect(asFrame(JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8')))['pid']).toBe(first.child.pid)
  })
})
