import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame } from '../fixtures/frames.ts'
import { parseAnswer, rawExchange } from '../fixtures/http.ts'
import { verifies } from '../requirements.ts'

/** B54 (2): web pages of others reach nothing, by HTTP or WebSocket, and nothing happens before that is checked. */
let bridge: TestDaemon
beforeAll(async () => {
  bridge = await openTestDaemon({
    env: {},
    file: 'allowed_hosts: [bridge.lan]\nallowed_origins: ["https://dashboard.example"]\n',
  })
})
afterAll(() => bridge.close())

/** Header lines; a list is a header that comes twice. */
type Headers = Readonly<Record<string, string | readonly string[]>>

/** A request whose head holds exactly these headers, beside our own Host where they name none. */
async function exchange(method: string, path: string, headers: Headers, body = '') {
  const all: Headers = {
    host: '127.0.0.1',
    connection: 'close',
    'content-length': String(body.length),
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((each) => `${name}: ${each}`),
  )
  const text = await rawExchange(
    bridge.url,
    `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  )
  return { ...parseAnswer(text), text }
}

const refused: [string, Headers, string][] = [
  ['a foreign Host', { host: 'evil.example:8787' }, 'host_not_allowed'],
  ['a foreign Host without a port', { host: 'evil.example' }, 'host_not_allowed'],
  ['a Host that begins like ours', { host: 'localhost.evil.example' }, 'host_not_allowed'],
  ['a Host that ends like ours', { host: 'evil-bridge.lan' }, 'host_not_allowed'],
  ['a Host with an account', { host: 'localhost@evil.example' }, 'host_not_allowed'],
  ['an empty Host', { host: '' }, 'host_not_allowed'],
  ['two Hosts', { host: ['localhost', 'evil.example'] }, 'host_not_allowed'],
  ['a foreign Origin', { origin: 'http://evil.example' }, 'origin_not_allowed'],
  ['the Origin null', { origin: 'null' }, 'origin_not_allowed'],
  ['an empty Origin', { origin: '' }, 'origin_not_allowed'],
  ['another port of this machine', { origin: 'http://127.0.0.1:1' }, 'origin_not_allowed'],
  ['two Origins', { origin: ['https://dashboard.example', 'http://evil.example'] }, 'origin_not_allowed'],
  [
    'a rebound name with its own Origin',
    { host: 'evil.example', origin: 'http://evil.example' },
    'host_not_allowed',
  ],
]
const allowed: [string, Record<string, string>][] = [
  ['no Origin', {}],
  ['localhost', { host: 'localhost:8787' }],
  ['an address', { host: '127.0.0.1:8787' }],
  ['an address of IPv6', { host: '[::1]:8787' }],
  ['an address of the network', { host: '192.168.1.20' }],
  ['a configured name', { host: 'bridge.lan' }],
  ['its own page', { host: 'bridge.lan:8787', origin: 'http://bridge.lan:8787' }],
  ['its own page behind TLS', { host: 'bridge.lan', origin: 'https://bridge.lan' }],
  ['a configured page', { origin: 'https://dashboard.example' }],
]

async function seqNow(): Promise<unknown> {
  return asFrame((await bridge.call('/api/history')).json)['last_seq']
}

describe('B54 over HTTP', () => {
  test.each(refused)('%s is 403 before anything happens' + verifies('B54'), async (_name, headers, code) => {
    const before = await seqNow()
    for (const token of [bridge.token, null]) {
      for (const [method, path, body] of [
        ['POST', '/hooks/claude', '{"hook_type":"Stop","payload":{"session_id":"evil"}}'],
        ['POST', '/api/messages', '{"content":"evil"}'],
        ['POST', '/api/permissions/x', '{"behavior":"allow"}'],
        ['GET', '/api/health', undefined],
        ['GET', '/', undefined],
        ['GET', '/nothing', undefined],
        ['OPTIONS', '/api/messages', undefined],
      ] as const) {
        const own = token === null ? {} : { authorization: `Bearer ${token}` }
        const answer = await exchange(method, path, { ...own, ...headers }, body)
        expect([method, path, answer.status]).toEqual([method, path, 403])
        expect(JSON.parse(answer.body)).toMatchObject({ error: code })
        expect(answer.text.toLowerCase()).not.toContain('access-control-allow')
      }
    }
    expect(await seqNow()).toBe(before)
  })

  test.each(allowed)('%s passes', async (_name, headers) => {
    expect((await bridge.call('/api/state', { headers })).status).toBe(200)
  })

  test('a page that posts a hook as plain text, which needs no preflight, has no token', async () => {
    const before = await seqNow()
    const answer = await bridge.call('/hooks/claude', {
      method: 'POST',
      token: null,
      headers: { 'content-type': 'text/plain' },
      body: '{"hook_type":"Stop","payload":{"session_id":"evil"}}',
    })
    expect(answer.status).toBe(401)
    expect(await seqNow()).toBe(before)
  })

  test('a configured page is told that it may read, and no other; cookies are never allowed', async () => {
    const origin = 'https://dashboard.example'
    for (const path of ['/api/state', '/nothing', '/status']) {
      const { headers } = await bridge.call(path, { headers: { origin } })
      expect(headers['access-control-allow-origin']).toBe(origin)
      expect(headers['vary']).toMatch(/origin/i)
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
    const preflight = await bridge.call('/api/messages', {
      method: 'OPTIONS',
      token: null,
      headers: { origin },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringMatching(/authorization/i),
    })
    await using stream = await bridge.sse({ headers: { origin } })
    expect(stream.response.headers['access-control-allow-origin']).toBe(origin)
    const own = await bridge.call('/api/state', {
      headers: { host: 'bridge.lan', origin: 'http://bridge.lan' },
    })
    expect(own.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('B54 over WebSocket', () => {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }

  test.each(refused)('%s is 403, and no socket is opened' + verifies('B54'), async (_name, headers, code) => {
    const answer = await exchange('GET', `/ws?token=${bridge.token}`, { ...upgrade, ...headers })
    expect(answer.status).toBe(403)
    expect(JSON.parse(answer.body)).toMatchObject({ error: code })
    expect((await bridge.call('/status')).json).toMatchObject({ clients: 0 })
  })

  test.each(allowed)('%s passes', async (_name, headers) => {
    await using socket = await bridge.ws({ headers })
    expect(await socket.frames.next()).toMatchObject({ type: 'hello' })
  })
})

test(
  'behind a proxy that ends TLS, HTTP and WebSocket work under the configured name' +
    verifies('A:security.reverse-proxy'),
  async () => {
    const headers = {
      host: 'bridge.lan',
      origin: 'https://bridge.lan',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'bridge.lan',
    }
    expect((await bridge.call('/api/state', { headers })).status).toBe(200)
    await using socket = await bridge.ws({ headers })
    await bridge.post('Notification', { session_id: 'proxied', message: 'x', notification_type: 'other' })
    expect(await socket.frames.nextOf('agent_event')).toMatchObject({ session_id: 'proxied' })
    await using stream = await bridge.sse({ headers })
    expect(await stream.frames.nextOf('subscribed')).toMatchObject({ resume: 'ok' })
  },
)
