import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  compareSpoolNames,
  parseSpoolFile,
  parseSpoolName,
} from '../../../src/agents/forwarder/spool-file.ts'
import { verifies } from '../../requirements.ts'
import { Home, HookServer, RawServer, token, unusedUrl } from './forwarder.ts'

const plugin = pathToFileURL(join(import.meta.dirname, '../../../bin/opencode-plugin.js')).href

interface Run {
  readonly code: number | null
  readonly output: string
  /** How long the hooks of the plugin held up whoever called them. */
  readonly heldMs: number
}

/** Runs a few lines as OpenCode, in which `hooks` are those of the plugin. */
async function play(home: Home, lines: string, env: Readonly<Record<string, string>> = {}): Promise<Run> {
  const script = `
    const { createHooks } = await import(${JSON.stringify(plugin)})
    const hooks = createHooks({ directory: '/work' })
    const event = (type, properties) => hooks.event({ event: { id: 'evt_1', type, properties } })
    const started = performance.now()
    ${lines}
    console.log(performance.now() - started)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home.path, BRIDGE_HOME: home.path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output, heldMs: Number(output) }
}

const bodies = (server: HookServer) => server.received.map(({ body }) => JSON.parse(body.toString()))
const created = `await event('session.created', { info: { id: 'ses_1' } })`
const many = `for (let n = 0; n < 30; n += 1) await event('session.idle', { sessionID: 'ses_' + n })`
const idsOf = (hooks: readonly { body: Buffer }[]) =>
  hooks.map(({ body }) => JSON.parse(body.toString()).payload.properties.sessionID)
const inOrder = Array.from({ length: 30 }, (_, n) => `ses_${n}`)

describe('the plugin of OpenCode', () => {
  test(
    'posts each event and hook once, in order, to /hooks/opencode' + verifies('A:forwarder.opencode'),
    async () => {
      using home = new Home()
      await using server = await HookServer.open()
      home.writeForward(server.url)
      const run = await play(
        home,
        `${created}
      await hooks['chat.message']({ sessionID: 'ses_1' }, { message: { id: 'msg_1' }, parts: [] })
      await event('message.part.delta', { sessionID: 'ses_1' })
      await event('session.created', { info: { id: 'ses_2', parentID: 'ses_1' } })
      await hooks['tool.execute.before']({ sessionID: 'ses_2', tool: 'bash', callID: 'c' }, { args: { command: 'ls' } })
      await event('message.part.updated', { part: { type: 'tool', sessionID: 'ses_2', state: { status: 'error' } } })
      await event('session.idle', { sessionID: 'ses_2' })`,
        { BRIDGE_CONTACT: 'c_1' },
      )
      expect(run).toMatchObject({ code: 0 })
      expect(bodies(server)).toMatchObject([
        { hook_type: 'session.created', payload: { type: 'session.created', directory: '/work' } },
        { hook_type: 'chat.message', payload: { input: { sessionID: 'ses_1' }, output: { parts: [] } } },
        { hook_type: 'session.created', payload: { properties: { info: { id: 'ses_2' } } } },
        {
          hook_type: 'tool.execute.before',
          payload: { parentSessionID: 'ses_1', output: { args: { command: 'ls' } } },
        },
        { hook_type: 'message.part.updated', payload: { parentSessionID: 'ses_1' } },
        {
          hook_type: 'session.idle',
          payload: { parentSessionID: 'ses_1', properties: { sessionID: 'ses_2' } },
        },
      ])
      expect(bodies(server)[1].payload).not.toHaveProperty('parentSessionID')
      const [first] = server.received
      expect(first).toMatchObject({
        url: '/hooks/opencode',
        headers: { authorization: `Bearer ${token}`, 'x-bridge-contact': 'c_1' },
      })
      expect(new Set(server.received.map(({ headers }) => headers['x-bridge-hook-id'])).size).toBe(6)
      expect(home.spooled()).toEqual([])
    },
  )

  test('never over a proxy, and the token of the file to no other machine', async () => {
    using home = new Home()
    await using server = await HookServer.open()
    await using proxy = await HookServer.open()
    home.writeForward(server.url)
    await play(home, created, { HTTP_PROXY: proxy.url, http_proxy: proxy.url, NODE_USE_ENV_PROXY: '1' })
    expect([server.received.length, proxy.received.length]).toEqual([1, 0])
    await play(home, created, { BRIDGE_URL: 'http://bridge.invalid:80' })
    expect(home.spooled()).toHaveLength(1)
  })

  test('leaves what a bridge that is down did not take in the spool, in order', async () => {
    using home = new Home()
    home.writeForward(await unusedUrl())
    const run = await play(home, many, { BRIDGE_CONTACT: 'c_1' })
    expect(run.code).toBe(0)
    const files = home.spooled()
    expect(files).toHaveLength(30)
    const names = files.flatMap((name) => parseSpoolName(name) ?? []).toSorted(compareSpoolNames)
    const hooks = names.map(({ name }) => parseSpoolFile(readFileSync(join(home.spool, name))))
    expect(hooks[0]).toMatchObject({ agent: 'opencode', truncated: false, source: { contact: 'c_1' } })
    expect(idsOf(hooks.flatMap((hook) => hook ?? []))).toEqual(inOrder)
    expect(statSync(join(home.spool, files[0] ?? '')).mode & 0o777).toBe(0o600)
  })

  test('waits once for a bridge that hangs, and never holds OpenCode up', async () => {
    using home = new Home()
    await using silent = await RawServer.open(() => {})
    home.writeForward(silent.url, { timeout_ms: 300 })
    const run = await play(home, many)
    expect(run.code).toBe(0)
    expect(run.heldMs).toBeLessThan(250)
    expect(silent.connections).toBe(1)
    expect(home.spooled()).toHaveLength(30)
  })

  test('keeps what is on its way when OpenCode ends', async () => {
    using home = new Home()
    await using silent = await RawServer.open(() => {})
    home.writeForward(silent.url)
    await play(home, `${many}\nprocess.exit(0)`)
    expect(new Set(idsOf(home.readSpooled()))).toEqual(new Set(inOrder))
  })

  test('drops what the bridge refuses', async () => {
    using home = new Home()
    await using server = await HookServer.open()
    server.answerWith({ status: 401 })
    home.writeForward(server.url)
    expect((await play(home, created)).code).toBe(0)
    expect([server.received.length, home.spooled().length]).toEqual([1, 0])
  })

  test.each([
    ['a hook that cannot be written down', `const loop = {}; loop.loop = loop; await event('x.y', loop)`],
    ['nothing at all', `await hooks.event({ event: {} }); await hooks['chat.message'](null, undefined)`],
    ['a bridge that was never started', created],
  ])('throws nothing at OpenCode: %s', async (_, lines) => {
    using home = new Home()
    const run = await play(home, lines, { BRIDGE_HOME: join(home.path, 'nowhere') })
    expect(run).toMatchObject({ code: 0, output: expect.stringMatching(/^[\d.]+\n$/) })
  })

  test('bounds what it keeps: of one text, of the spool, and on a disk it may not write', async () => {
    using home = new Home()
    home.writeForward(await unusedUrl())
    const big = `await event('x.y', { text: 'x'.repeat(5_000_000) })`
    await play(home, big)
    expect(home.readSpooled()[0]?.body.length).toBeLessThan(101_000)
    home.fillSpool(10_000, 1)
    await play(home, created)
    expect(home.spooled()).toHaveLength(10_001)
    using blocked = new Home()
    blocked.blockSpool()
    expect((await play(blocked, created)).code).toBe(0)
  })
})
