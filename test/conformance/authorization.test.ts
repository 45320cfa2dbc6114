import { readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  clientFrames,
  operations,
  routes,
  scopes,
  type ClientFrameType,
  type OperationDeclaration,
  type RouteDeclaration,
  type Scope,
} from '../../src/protocol/index.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import type { Frame } from '../fixtures/frames.ts'
import { verifies } from '../requirements.ts'

/** Everything that can be called over HTTP, as it is declared. What is not in here cannot be registered. */
const declared = [
  ...Object.entries<OperationDeclaration>(operations).map(([name, { rest, scope }]) => ({
    name,
    ...rest,
    scope,
  })),
  ...Object.entries<RouteDeclaration>(routes).map(([name, route]) => ({ name, ...route })),
].map(({ name, method, path, scope }) => ({ name, method, path, scope }))

/** A frame of each type that fits; a new type does not compile without one. */
const fittingFrames = {
  send_message: { content: 'x' },
  permission_verdict: { request_id: 'nobody', behavior: 'allow' },
  set_servo_position: { position: 0 },
  setColor: { key: 'x', color: { r: 0, g: 0, b: 0 } },
  config_change: { display_mode: 'face' },
  emit_agent_event: { event: { kind: 'notification' } },
  startVerb: { verb: 'x' },
  clearVerb: {},
  setOverlay: { verb: 'x' },
  'emotion.command': { action: 'x' },
  request_sessions: {},
  ping: {},
  subscribe: {},
} as const satisfies Record<ClientFrameType, Frame>

let bridge: TestDaemon
const tokens = new Map<Scope, string>()
beforeAll(async () => {
  bridge = await openTestDaemon()
  for (const scope of scopes) tokens.set(scope, await bridge.createToken([scope]))
})
afterAll(() => bridge.close())

type Outcome = 'passes' | 'unauthorized' | 'forbidden'

/** Whether an address lets a token through, whatever comes of it; a stream is closed as soon as it has begun. */
async function outcome(
  { method, path }: { method: string; path: string },
  token: string | null,
): Promise<Outcome> {
  const address = path.replaceAll(/\{\w+\}/g, 'nobody')
  if (path.endsWith('/events')) {
    await using stream = await bridge.sse({ path: address, token })
    return outcomes.get(stream.status) ?? 'passes'
  }
  const { status, text } = await bridge.call(address, { method, token })
  // The way in for browsers has a 401 of its own, which says that it let the request through.
  return text.includes('"ticket_invalid"') ? 'passes' : (outcomes.get(status) ?? 'passes')
}

const outcomes: ReadonlyMap<number, Outcome> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
])

describe('every operation and route', () => {
  test.each(declared)(
    '$method $path: without a token, and with a wrong one' + verifies('A:http.auth-required'),
    async (route) => {
      for (const token of [null, '', 'wrong', `${bridge.token}x`, bridge.token.replace('t', 'T')]) {
        const expected = route.scope === null ? 'passes' : 'unauthorized'
        expect([token, await outcome(route, token)]).toEqual([token, expected])
      }
    },
  )

  test.each(declared)('$method $path: with each scope alone, and with the master token', async (route) => {
    for (const [scope, token] of tokens) {
      const expected = route.scope === null || route.scope === scope ? 'passes' : 'forbidden'
      expect([scope, await outcome(route, token)]).toEqual([scope, expected])
    }
    expect(await outcome(route, bridge.token)).toBe('passes')
  })

  test('only liveness, pages and the way in are open to everybody', () => {
    const open = declared.filter(({ scope }) => scope === null).map(({ method, path }) => `${method} ${path}`)
    expect(open.sort()).toEqual([
      'GET /api/health',
      'GET /docs',
      'GET /healthz',
      'GET /openapi.json',
      'POST /api/links/redeem',
    ])
  })

  test('nothing is registered that is not declared, but for the files of the pages', () => {
    const root = resolve(import.meta.dirname, '../..')
    const files = (folder: string, prefix: string) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => prefix + relative(join(root, folder), join(entry.parentPath, entry.name)))
    const known = new Set([
      ...declared.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
      'GET /docs.css',
      ...['/', '/examples/', ...files('examples', '/examples/')].map((path) => `GET ${path}`),
    ])
    const registered = registeredRoutes(bridge).filter(({ method }) => method !== 'HEAD')
    expect(registered.length).toBeGreaterThanOrEqual(declared.length)
    const unknown = registered
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !known.has(route) && !isDashboardFile(root, route))
    expect(unknown).toEqual([])
    for (const { method, path } of declared) {
      const address = path.replaceAll(/\{(\w+)\}/g, ':$1')
      expect(registered).toContainEqual({ method, path: address })
    }
  })

  test(
    'the token is taken from Authorization and X-Bridge-Token' +
      verifies('A:http.auth-bearer', 'A:http.auth-x-bridge-token', 'A:env.bridge-token'),
    async () => {
      const status = async (headers: Record<string, string | string[]>) =>
        (await bridge.call('/api/state', { token: null, headers })).status
      const { token } = bridge
      expect(await status({ authorization: `Bearer ${token}` })).toBe(200)
      expect(await status({ authorization: `bearer ${token}` })).toBe(200)
      expect(await status({ 'x-bridge-token': token })).toBe(200)
      expect(await status({ 'x-bridge-token': token, authorization: `Bearer ${token}` })).toBe(200)
      for (const headers of [
        { authorization: token },
        { authorization: `Basic ${token}` },
        { cookie: `token=${token}` },
        { 'x-bridge-token': token, authorization: 'Bearer wrong' },
        { authorization: [`Bearer ${token}`, `Bearer ${token}`] },
        { 'x-bridge-token': [token, 'wrong'] },
      ])
        expect([headers, await status(headers)]).toEqual([headers, 401])
      expect((await bridge.call(`/api/state?token=${token}`, { token: null })).status).toBe(401)
    },
  )
})

describe('every client frame', () => {
  test.each(Object.entries(clientFrames))('%s', async (type, { scope: needed }) => {
    const fields = Object.entries(fittingFrames).find(([name]) => name === type)?.[1] ?? {}
    for (const [scope, token] of tokens) {
      await using socket = await bridge.ws({ token })
      expect(await socket.frames.next()).toMatchObject({ type: 'hello' })
      socket.send({ type, ...fields })
      socket.send({ type: 'ping' })
      await socket.frames.nextOf('pong')
      const errors = socket.frames.ofType('error').map(({ message }) => message)
      expect([scope, errors]).toEqual([scope, needed === null || needed === scope ? [] : ['forbidden']])
    }
  })

  test('without the scope read a socket is told nothing but the answers to its own frames', async () => {
    for (const [scope, token] of tokens) {
      if (scope === 'read') continue
      await using socket = await bridge.ws({ token })
      await using reader = await bridge.ws()
      await bridge.post('SessionStart', { session_id: `quiet-${scope}`, source: 'startup' })
      await bridge.settle(reader)
      socket.send({ type: 'ping' })
      await socket.frames.nextOf('pong')
      expect(socket.frames.all.map(({ type }) => type)).toEqual(['hello', 'pong'])
      expect(socket.frames.marks.size).toBe(0)
    }
  })
})

/** What the server really has, out of its own printed tree. */
function registeredRoutes({ daemon }: TestDaemon): { method: string; path: string }[] {
  const found: { method: string; path: string }[] = []
  const parents: string[] = []
  for (const line of daemon.server.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line)
    if (!match) continue
    const [, indent = '', segment = '', methods] = match
    const depth = indent.length / 4
    parents.splice(depth, parents.length, segment)
    const path = parents.slice(0, depth + 1).join('')
    for (const method of methods?.split(', ') ?? []) found.push({ method, path })
  }
  return found
}

function isDashboardFile(root: string, route: string): boolean {
  const path = route.replace(/^GET \//, '')
  return readdirSync(join(root, 'dist/web'), { recursive: true }).some((file) => file === path)
}
