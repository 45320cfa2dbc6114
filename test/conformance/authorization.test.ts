import { readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../src/core/clock.ts'
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
import { asFrame, type Frame } from '../fixtures/frames.ts'
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

describe('a token that is bound to a contact', () => {
  let bound: string
  let mine: Frame
  let other: Frame
  beforeAll(async () => {
    for (const session of ['bound-mine', 'bound-other']) {
      await bridge.post('SessionStart', { session_id: session, source: 'startup', cwd: `/work/${session}` })
      await bridge.post('PermissionRequest', {
        session_id: session,
        tool_name: 'Bash',
        tool_input: { command: session },
      })
    }
    const { contacts } = asFrame((await bridge.call('/sessions')).json)
    const list = Array.isArray(contacts) ? contacts.map(asFrame) : []
    mine = list.find((contact) => contact['session_id'] === 'bound-mine') ?? {}
    other = list.find((contact) => contact['session_id'] === 'bound-other') ?? {}
    bound = await bridge.createToken(['ingest', 'read', 'send', 'approve'], [String(mine['id'])])
  })

  /** Whatever the bound token is shown must not name the other contact in any way. */
  function expectOnlyMine(text: string): void {
    expect(text).toContain('bound-mine')
    for (const trace of ['bound-other', String(other['id'])]) expect(text).not.toContain(trace)
  }

  test.each([
    '/status',
    '/sessions',
    '/api/history?limit=1000',
    '/api/sessions',
    '/api/permissions',
    '/api/requests',
    '/api/state',
  ])('GET %s shows only its own', async (path) => {
    expectOnlyMine((await bridge.call(path, { token: bound })).text)
    expect((await bridge.call(path)).text).toContain('bound-other')
  })

  test('the other one does not exist for it, by id or by name', async () => {
    for (const key of ['id', 'name']) {
      const own = await bridge.call(`/sessions/${String(mine[key])}`, { token: bound })
      expect(own.json).toMatchObject({ id: mine['id'] })
      const foreign = await bridge.call(`/sessions/${String(other[key])}`, { token: bound })
      expect([foreign.status, asFrame(foreign.json)['error']]).toEqual([404, 'contact_not_found'])
      const page = await bridge.call(`/api/history?contact=${String(other[key])}`, { token: bound })
      expect(page.status).toBe(404)
    }
  })

  test('streams carry only its own, live, replayed, and in a snapshot', async () => {
    await using plain = await bridge.ws({ token: bound })
    await using subscriber = await bridge.ws({ token: bound, subscribe: { after: 0 } })
    await using asking = await bridge.ws({
      token: bound,
      subscribe: { after: 0, contacts: [String(other['id'])] },
    })
    await using lost = await bridge.ws({ token: bound, subscribe: { after: 'lost:1' } })
    await using sse = await bridge.sse({ token: bound, path: '/events?after=0' })
    await using lostSse = await bridge.sse({ token: bound, lastEventId: 'lost:1' })
    await lost.frames.nextOf('snapshot')
    await lostSse.frames.nextOf('snapshot')
    for (const session of ['bound-other', 'bound-mine'])
      await bridge.post('Notification', {
        session_id: session,
        message: `of ${session}`,
        notification_type: 'other',
      })
    for (const stream of [plain, subscriber, lost, sse, lostSse]) {
      await bridge.settle(stream)
      expectOnlyMine(JSON.stringify(stream.frames.all))
    }
    asking.send({ type: 'ping' })
    await asking.frames.nextOf('pong')
    expect(asking.frames.seqs).toEqual([])
  })

  test('it decides only on its own requests', async () => {
    const requestOf = async (session: string) => {
      const list = (await bridge.call('/api/permissions')).json
      const found = (Array.isArray(list) ? list.map(asFrame) : []).find(
        (request) => asFrame(request['activity'])['summary'] === session,
      )
      return found?.['request_id']
    }
    const foreign = await requestOf('bound-other')
    const verdict = { method: 'POST', token: bound, body: { behavior: 'allow' } }
    const answer = await bridge.call(`/api/permissions/${String(foreign)}`, verdict)
    expect(answer.json).toMatchObject({ applied: false })
    await using socket = await bridge.ws({ token: bound })
    socket.send({ type: 'permission_verdict', request_id: foreign, behavior: 'allow' })
    expect(await socket.frames.nextOf('verdict_refused')).toMatchObject({ request_id: foreign })
    expect(await requestOf('bound-other')).toBe(foreign)
    const own = await bridge.call(`/api/permissions/${String(await requestOf('bound-mine'))}`, verdict)
    expect(own.json).toMatchObject({ applied: true })
  })

  test('its hooks are its own, whatever they claim', async () => {
    const hook = (headers: Record<string, string>, payload: Frame) =>
      bridge.call('/hooks/claude', {
        method: 'POST',
        token: bound,
        headers,
        body: { hook_type: 'Notification', payload: { notification_type: 'other', ...payload } },
      })
    await using socket = await bridge.ws({ subscribe: {} })
    await socket.frames.nextOf('subscribed')
    const claims = [
      hook({}, { session_id: 'bound-other', message: '1' }),
      hook({ 'x-bridge-agent-pid': '1', 'x-bridge-pane': '%1' }, { message: '2' }),
    ]
    for (const { status } of await Promise.all(claims)) expect(status).toBe(204)
    const claimed = await hook({ 'x-bridge-contact': String(other['id']) }, { session_id: 'x', message: '3' })
    expect([claimed.status, asFrame(claimed.json)['error']]).toEqual([404, 'contact_not_found'])
    const raw = { events: [{ session_id: 'bound-other', event: { kind: 'thinking', text: '4' } }] }
    await bridge.call('/hooksRaw/claude', { method: 'POST', token: bound, body: raw })
    await using emitter = await bridge.ws({ token: bound })
    emitter.send({ type: 'emit_agent_event', agent: 'claude', event: { kind: 'thinking', text: '5' } })
    await socket.frames.next(({ event }) => asFrame(event)['text'] === '5')
    const events = socket.frames.ofType('agent_event')
    const texts = events.map(({ event }) => String(asFrame(event)['text']))
    expect(texts.toSorted((a, b) => a.localeCompare(b))).toEqual(['1', '2', '4', '5'])
    for (const event of events) expect(event['contact']).toBe(mine['id'])
  })
})

describe('a token that ends', () => {
  const newToken = async (over: Frame = {}) => {
    const answer = await bridge.call('/api/tokens', {
      method: 'POST',
      body: { name: 'short-lived', scopes: ['read'], ...over },
    })
    const { token, secret } = asFrame(answer.json)
    return { id: String(asFrame(token)['id']), secret: String(secret) }
  }

  test(
    'rotated or revoked, it stops working at once, also for what is open with it' +
      verifies('A:security.token-rotation'),
    async () => {
      for (const [method, path, freshStatus] of [
        ['POST', '/rotate', 200],
        ['DELETE', '', 401],
      ] as const) {
        const { id, secret } = await newToken()
        const socket = await bridge.ws({ token: secret })
        const stream = await bridge.sse({ token: secret })
        const { ticket } = asFrame(
          (await bridge.call('/api/tickets', { method: 'POST', token: secret })).json,
        )
        const answer = await bridge.call(`/api/tokens/${id}${path}`, { method })
        expect(answer.status).toBe(200)
        expect((await socket.closed).code).toBe(4403)
        await stream.closed
        expect((await bridge.call('/status', { token: secret })).status).toBe(401)
        const late = await bridge.ws({ token: null, path: `/ws?ticket=${String(ticket)}` })
        expect((await late.closed).code).toBe(4401)
        const { secret: fresh } = asFrame(answer.json)
        expect((await bridge.call('/status', { token: String(fresh) })).status).toBe(freshStatus)
      }
    },
  )

  test('expired, it can neither ask nor go on listening', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const clock = new ManualClock(Date.now())
      await using own = await openTestDaemon({ clock })
      const answer = await own.call('/api/tokens', {
        method: 'POST',
        body: { name: 'an hour', scopes: ['read'], expires_in_seconds: 3_600 },
      })
      const secret = String(asFrame(answer.json)['secret'])
      const asking = await own.ws({ token: secret })
      const listening = await own.ws({ token: secret })
      const stream = await own.sse({ token: secret })
      await asking.frames.nextOf('active_sessions')
      clock.advance(3_600_000)
      expect((await own.call('/status', { token: secret })).status).toBe(401)
      asking.send({ type: 'request_sessions' })
      expect((await asking.closed).code).toBe(4403)
      expect(asking.frames.ofType('active_sessions').length).toBe(1)
      vi.advanceTimersByTime(15_000)
      expect((await listening.closed).code).toBe(4403)
      await stream.closed
    } finally {
      vi.useRealTimers()
    }
  })

  test('a link opens the dashboard once, and its browser can make no further tokens', async () => {
    const { url } = asFrame((await bridge.call('/api/links', { method: 'POST' })).json)
    const ticket = /#ticket=(.+)$/.exec(String(url))?.[1]
    const redeem = () => bridge.call('/api/links/redeem', { method: 'POST', token: null, body: { ticket } })
    const first = await redeem()
    expect(first.status).toBe(201)
    const { secret, token } = asFrame(first.json)
    expect(asFrame(token)['scopes']).toEqual(scopes.filter((scope) => scope !== 'admin'))
    expect((await bridge.call('/api/tokens', { token: String(secret) })).status).toBe(403)
    const second = await redeem()
    expect([second.status, asFrame(second.json)['error']]).toEqual([401, 'ticket_invalid'])
  })

  test('a ticket of one kind is none of the other', async () => {
    const { ticket } = asFrame((await bridge.call('/api/tickets', { method: 'POST' })).json)
    const answer = await bridge.call('/api/links/redeem', { method: 'POST', token: null, body: { ticket } })
    expect(answer.status).toBe(401)
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
