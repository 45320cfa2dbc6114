import { mkdirSync, statSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../requirements.ts'
import { forwarders, Home, HookServer, runForwarder, token, unusedUrl } from './forwarder.ts'

const body =
  '{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo \\"}{\\" ü 👋"}}'

describe.each(forwarders)('$name posts a hook', (forwarder) => {
  let home: Home
  let server: HookServer
  const run = (options: Parameters<typeof runForwarder>[2] = {}) =>
    runForwarder(forwarder, home.path, { stdin: body, ...options })

  beforeEach(async () => {
    home = new Home()
    server = await HookServer.open()
    home.writeForward(server.url)
  })
  afterEach(async () => {
    await server[Symbol.asyncDispose]()
    home[Symbol.dispose]()
  })

  test('as it is, with who asks and when, and is silent' + verifies('A:forwarder.claude'), async () => {
    const before = Date.now()
    const result = await run({
      env: {
        BRIDGE_CONTACT: '7d1e9a52-9a0b-4d0a-8d0c-6a6f4f1d2b3c',
        CLAUDE_PID: '4242',
        TMUX: '/tmp/tmux-1000/default,3313,0',
        TMUX_PANE: '%3',
      },
    })
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(server.received).toHaveLength(1)
    const [hook] = server.received
    expect(hook?.url).toBe('/hooks/claude')
    expect(hook?.body.toString()).toBe(body)
    expect(hook?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      host: server.url.slice('http://'.length),
      'x-bridge-contact': '7d1e9a52-9a0b-4d0a-8d0c-6a6f4f1d2b3c',
      'x-bridge-agent-pid': '4242',
      'x-bridge-pane': '/tmp/tmux-1000/default,%3',
    })
    expect(hook?.headers).not.toHaveProperty('x-bridge-hook-type')
    const at = Number(hook?.headers['x-bridge-hook-time'])
    expect(at).toBeGreaterThanOrEqual(before - 20)
    expect(at).toBeLessThanOrEqual(Date.now())
    expect(home.spooled()).toEqual([])
  })

  test('with an id of its own each time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => run()))
    const ids = server.received.map(({ headers }) => headers['x-bridge-hook-id'])
    expect(ids).toHaveLength(8)
    expect(new Set(ids).size).toBe(8)
  })

  test('with the type it was called with, or `unknown` where neither says one', async () => {
    await run({ args: ['claude', 'Stop'] })
    await run({ stdin: '{"session_id":"s1"}' })
    expect(server.received.map(({ headers }) => headers['x-bridge-hook-type'])).toEqual(['Stop', 'unknown'])
  })

  test(
    'to the agent it was called with, below the path of the address' + verifies('A:forwarder.codex'),
    async () => {
      await run({ args: ['codex'], env: { BRIDGE_URL: `${server.url}/prefix/` } })
      expect(server.received[0]?.url).toBe('/prefix/hooks/codex')
    },
  )

  test('where and as the environment says, rather than the file' + verifies('A:env.bridge-url'), async () => {
    home.writeForward(await unusedUrl())
    await run({ env: { BRIDGE_URL: server.url, BRIDGE_TOKEN: 'from-the-environment' } })
    expect(server.received[0]?.headers.authorization).toBe('Bearer from-the-environment')
  })

  test(
    'to port 8787 of this machine where nothing says otherwise' + verifies('A:env.bridge-url'),
    async () => {
      const empty = `${home.path}/nothing-said`
      mkdirSync(empty)
      const result = await run({ env: { BRIDGE_HOME: empty } })
      expect(result.stderr).toBe(
        'agent-bridge: no token is set; start the bridge or set BRIDGE_TOKEN; the hook waits in the spool\n',
      )
      // Whether somebody listens there is not ours to decide; with a token the address shows in what is said.
      const refused = await run({
        env: { BRIDGE_HOME: empty, BRIDGE_TOKEN: 'no-token-of-any-bridge', BRIDGE_HOOK_TIMEOUT_MS: '100' },
      })
      expect(refused.stderr).toContain('http://127.0.0.1:8787 ')
    },
  )

  test('to a host name too', async () => {
    await run({ env: { BRIDGE_URL: server.url.replace('127.0.0.1', 'localhost') } })
    expect(server.received).toHaveLength(1)
  })

  test('without a byte order mark and the space before the value', async () => {
    await run({ stdin: `\uFEFF \n${body}\n` })
    expect(server.received[0]?.body.toString()).toBe(`${body}\n`)
  })

  test('and keeps control characters out of the headers', async () => {
    await run({ env: { BRIDGE_CONTACT: 'a\r\nX-Evil: 1', BRIDGE_TOKEN: 't\r\nX-Evil: 2' } })
    expect(server.received[0]?.headers).toMatchObject({
      'x-bridge-contact': 'a??X-Evil: 1',
      authorization: 'Bearer t??X-Evil: 2',
    })
    expect(server.received[0]?.headers).not.toHaveProperty('x-evil')
  })

  test('that is not JSON as its beginning', async () => {
    const long = `{"prompt":"${'ü'.repeat(10_000)}`
    await run({ stdin: long })
    await run({ stdin: Buffer.from([0x7b, 0xff, 0x00, 0x22, 0x5c, 0x0a]) })
    await run({ stdin: '[1]' })
    const raws = server.received.map(({ body: sent }) => JSON.parse(sent.toString()).raw)
    expect(raws[0]).toBe(Buffer.from(long).subarray(0, 10_239).toString())
    expect(raws.slice(1)).toEqual(['{\u00ff\u0000"\\\n', '[1]'])
    expect(server.received.map(({ headers }) => headers['x-bridge-hook-type'])).toEqual(
      Array(3).fill('unknown'),
    )
  })

  test('and prints what the bridge decided, only that', async () => {
    const verdict = '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'
    server.answerWith({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: verdict,
    })
    expect(await run()).toMatchObject({ code: 0, stdout: verdict, stderr: '' })
    server.answerWith({ status: 200, headers: { 'content-type': 'application/json' }, body: '' })
    expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })

  test('and gives the token of the file to no other machine', async () => {
    // 192.0.2.1 is an address for documents (RFC 5737): if it is asked at all, it does not answer.
    const result = await run({ env: { BRIDGE_URL: 'http://192.0.2.1:8787', BRIDGE_HOOK_TIMEOUT_MS: '9000' } })
    expect(result).toMatchObject({ code: 0, stdout: '' })
    expect(result.stderr).toContain('no token is set')
    expect(result.durationMs).toBeLessThan(4_000)
  })

  test('and is called wrongly without harm', async () => {
    for (const args of [[], ['../x'], ['Claude Code']]) {
      const result = await run({ args })
      expect(result).toMatchObject({ code: 0, stdout: '' })
      expect(result.stderr).toMatch(/^agent-bridge: usage: .*\n$/)
    }
    expect(server.received).toEqual([])
  })

  test(
    'and keeps what it could not deliver, for its owner only' + verifies('A:trouble.forwarder-stderr'),
    async () => {
      home.writeForward(await unusedUrl())
      const result = await run({ env: { CLAUDE_PID: '77', BRIDGE_CONTACT: 'c1' } })
      expect(result).toMatchObject({ code: 0, stdout: '' })
      expect(result.stderr).toMatch(/^agent-bridge: http:.*; the hook waits in the spool\n$/)
      const [kept] = home.readSpooled()
      expect(kept?.body.toString()).toBe(body)
      expect(kept?.head).toMatchObject({
        Agent: 'claude',
        Contact: 'c1',
        Pid: '77',
        Length: String(Buffer.byteLength(body)),
      })
      const [name = ''] = home.spooled()
      expect(name).toBe(`${kept?.head['Id']}.${statSync(`${home.spool}/${name}`).size}.hook`)
      expect(statSync(`${home.spool}/${name}`).mode & 0o777).toBe(0o600)
      expect(statSync(home.spool).mode & 0o777).toBe(0o700)
    },
  )

  test('and fills the spool only so far', async () => {
    home.writeForward(await unusedUrl())
    home.fillSpool(1, 64 << 20)
    expect((await run()).stderr).toMatch(/^agent-bridge: .*the spool is full, so the hook was dropped\n$/)
    expect(home.spooled()).toHaveLength(1)
    home.fillSpool(10_000, 0)
    expect((await run()).stderr).toMatch(/the spool is full/)
    expect(home.spooled()).toHaveLength(10_001)
  })

  test('and makes no home for a bridge that is not there', async () => {
    const result = await run({ env: { BRIDGE_HOME: `${home.path}/none`, BRIDGE_URL: await unusedUrl() } })
    expect(result.code).toBe(0)
    expect(result.stderr).toMatch(/^agent-bridge: .*dropped: there is no .*none\n$/)
  })

  test('and saves it when it is told to end while it waits', async () => {
    server.answerWith({ status: 204, afterMs: 4_000 })
    const result = await run({
      onSpawn: (pid) => {
        const timer = setInterval(() => {
          if (server.received.length === 0) return
          clearInterval(timer)
          process.kill(pid, 'SIGTERM')
        }, 2)
      },
    })
    expect(result).toMatchObject({ code: 0, signal: null, stdout: '' })
    expect(result.durationMs).toBeLessThan(3_000)
    expect(home.readSpooled().map((kept) => kept.head['Id'])).toEqual([
      server.received[0]?.headers['x-bridge-hook-id'],
    ])
  })

  test('and has it on disk before a kill that nothing can catch', async () => {
    server.answerWith({ status: 204, afterMs: 4_000 })
    const result = await run({
      onSpawn: (pid) => {
        const timer = setInterval(() => {
          if (home.spooled().length === 0) return
          clearInterval(timer)
          process.kill(pid, 'SIGKILL')
        }, 2)
      },
    })
    expect(result.signal).toBe('SIGKILL')
    expect(home.spooled()).toEqual([expect.stringMatching(/\.tmp$/)])
  })

  test('and leaves nothing behind when the answer was only slow', async () => {
    server.answerWith({ status: 204, afterMs: 200 })
    expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(home.spooled()).toEqual([])
  })
})
