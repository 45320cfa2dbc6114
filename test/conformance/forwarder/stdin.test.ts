import { readFileSync, readdirSync } from 'node:fs'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../requirements.ts'
import {
  forwarders,
  Home,
  HookServer,
  inParallel,
  nodeForwarder,
  perlForwarder,
  RawServer,
  runForwarder,
} from './forwarder.ts'

const hook =
  '{"session_id":"S1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}'

/** One second (bug case B21), three on a busy machine; well below the five of the timeout in these tests. */
const busyBoundMs = 3_000

describe.each(forwarders)('$name reads stdin', { timeout: 60_000 }, (forwarder) => {
  let home: Home
  let server: HookServer

  beforeEach(async () => {
    home = new Home()
    server = await HookServer.open()
    home.writeForward(server.url)
  })
  afterEach(async () => {
    await server[Symbol.asyncDispose]()
    home[Symbol.dispose]()
  })

  test('(a) that is never closed only to the end of the value' + verifies('B21'), async () => {
    const result = await runForwarder(forwarder, home.path, { stdin: (stdin) => void stdin.write(hook) })
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(result.durationMs).toBeLessThan(busyBoundMs)
    expect(server.received.map(({ body }) => body.toString())).toEqual([hook])
  })

  test('(b) that never says anything no longer than its timeout' + verifies('B21'), async () => {
    const result = await runForwarder(forwarder, home.path, {
      stdin: () => {},
      env: { BRIDGE_HOOK_TIMEOUT_MS: '2500' },
    })
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(result.durationMs).toBeLessThan(2_500)
    expect(server.received).toEqual([])
  })

  test('(c) that arrives in pieces, cut inside a character' + verifies('B21'), async () => {
    const bytes = Buffer.from('{"hook_event_name":"UserPromptSubmit","prompt":"a } and a \\" and 👋"}')
    const cuts = [0, 30, bytes.indexOf(Buffer.from('👋')) + 2, bytes.length]
    let completeAt = 0
    const result = await runForwarder(forwarder, home.path, {
      stdin: (stdin) => {
        let piece = 0
        const timer = setInterval(() => {
          stdin.write(bytes.subarray(cuts[piece], cuts[piece + 1]))
          piece += 1
          if (piece < 3) return
          completeAt = performance.now()
          clearInterval(timer)
        }, 200)
      },
    })
    expect(performance.now() - completeAt).toBeLessThan(busyBoundMs)
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(server.received.map(({ body }) => body.toString())).toEqual([bytes.toString()])
  })

  test('(d) that is empty, and posts nothing' + verifies('B21'), async () => {
    for (const stdin of [null, '', ' \n', '\uFEFF']) {
      expect(await runForwarder(forwarder, home.path, { stdin })).toMatchObject({
        code: 0,
        stdout: '',
        stderr: '',
      })
    }
    expect(server.received).toEqual([])
  })

  test('(e) of a terminal not at all' + verifies('B21'), async () => {
    const [program, ...args] = forwarder.command
    const terminal = spawnInTerminal(program, [...args, 'claude'], {
      cwd: home.path,
      env: { PATH: process.env['PATH'], BRIDGE_HOME: home.path, BRIDGE_HOOK_TIMEOUT_MS: '8000' },
    })
    let output = ''
    terminal.onData((text) => (output += text))
    const startedAt = performance.now()
    const code = await new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)))
    expect([code, output]).toEqual([0, ''])
    expect(performance.now() - startedAt).toBeLessThan(busyBoundMs)
    expect(server.received).toEqual([])
  })

  test('(f) two hundred times at once, and none stays' + verifies('B21'), async () => {
    const pids: number[] = []
    const count = forwarder === perlForwarder ? 200 : 24
    const jobs = Array.from({ length: count }, () => async () => {
      const result = await runForwarder(forwarder, home.path, {
        stdin: (stdin) => void stdin.write(hook),
        onSpawn: (pid) => pids.push(pid),
      })
      expect(result).toMatchObject({ code: 0, stdout: '' })
    })
    const startedAt = performance.now()
    await inParallel(count, jobs)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    // On a busy machine some give up; then their hooks wait. None is lost.
    const posted = server.received.map(({ headers }) => headers['x-bridge-hook-id'])
    const spooled = home.readSpooled().map(({ head }) => head['Id'])
    expect(new Set([...posted, ...spooled]).size).toBe(count)
    const running = new Set(readdirSync('/proc'))
    expect(pids.filter((pid) => running.has(String(pid)))).toEqual([])
  })
})

const sizes = [
  ['131,071 bytes', 131_071],
  ['131,072 bytes', 131_072],
  ['1 MiB', 1 << 20],
  ['20 MiB', 20 << 20],
] as const

describe.each(forwarders)('$name carries a large hook', (forwarder) => {
  const secret = 'not-for-other-users'

  test.each(sizes)('of %s, out of sight of other users' + verifies('B20'), async (_, size) => {
    using home = new Home()
    await using server = await HookServer.open()
    home.writeForward(server.url)
    const body = largeHook(size, secret)
    const seen: string[] = []
    const result = await runForwarder(forwarder, home.path, {
      stdin: body,
      onSpawn: (pid) => watchProcess(pid, seen),
    })
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(server.received.map(({ body: { length } }) => length)).toEqual([size])
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.join('')).not.toContain(secret)
  })

  test('nested 5,000 levels deep' + verifies('B20'), async () => {
    using home = new Home()
    await using server = await HookServer.open()
    home.writeForward(server.url)
    const body = `{"hook_event_name":"PostToolUse","tool_response":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    const result = await runForwarder(forwarder, home.path, { stdin: (stdin) => void stdin.write(body) })
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(server.received.map((received) => received.body.toString())).toEqual([body])
  })

  test('that the bridge has had enough of before it has all' + verifies('B20'), async () => {
    using home = new Home()
    await using server = await RawServer.open((socket) => {
      socket.once('data', () => {
        socket.end('HTTP/1.1 413 Payload Too Large\r\nContent-Length: 0\r\n\r\n')
        // What is still to come meets a closed connection.
        socket.destroySoon()
      })
    })
    home.writeForward(server.url)
    const result = await runForwarder(forwarder, home.path, { stdin: largeHook(20 << 20, secret) })
    expect(result).toMatchObject({ code: 0, stdout: '' })
    // Where the closed connection takes the answer with it, the forwarder knows nothing and loses nothing.
    expect(result.stderr).toMatch(
      /^agent-bridge: .* (?:refused the hook with 413|the hook waits in the spool)\n$/,
    )
    expect(home.spooled()).toHaveLength(result.stderr.includes('spool') ? 1 : 0)
  })

  test('into the spool as its beginning when nobody listens' + verifies('B20'), async () => {
    using home = new Home()
    home.writeForward('http://127.0.0.1:9')
    const result = await runForwarder(forwarder, home.path, { stdin: largeHook(20 << 20, secret) })
    expect(result).toMatchObject({ code: 0, stdout: '' })
    const [kept] = home.readSpooled()
    expect(kept?.head).toMatchObject({ 'Hook-Type': 'PostToolUse', Truncated: 'true', Length: '65536' })
    expect(kept?.body.toString()).toBe(largeHook(20 << 20, secret).slice(0, 65_536))
  })
})

/** A hook of exactly `size` bytes. */
function largeHook(size: number, secret: string): string {
  const start = `{"session_id":"S1","hook_event_name":"PostToolUse","tool_name":"Read","tool_response":"${secret}`
  return `${start}${'A'.repeat(size - start.length - 2)}"}`
}

/** Collects what every user of the machine (`cmdline`) or this one (`environ`) can read of a process. */
function watchProcess(pid: number, seen: string[]): void {
  const timer = setInterval(look, 1)
  timer.unref()
  look()
  function look(): void {
    try {
      seen.push(
        readFileSync(`/proc/${pid}/cmdline`, 'latin1'),
        readFileSync(`/proc/${pid}/environ`, 'latin1'),
      )
    } catch {
      // The process has ended.
      clearInterval(timer)
    }
  }
}

test('the forwarders agree on their numbers', () => {
  const [perl = {}, node = {}] = [perlForwarder, nodeForwarder].map(({ command }) => {
    const source = readFileSync(command.at(-1) ?? '', 'utf8')
    const lines = source.matchAll(/^(?:my \$|const )([A-Z_]{6,})\s*=\s*([\d_ <]+)/gm)
    return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value.trim()]))
  })
  // Only Node writes in pieces.
  const { PIECE_BYTES, ...shared } = node
  expect(PIECE_BYTES).toBeDefined()
  expect(Object.keys(shared).length).toBeGreaterThan(9)
  expect(perl).toMatchObject(shared)
})
