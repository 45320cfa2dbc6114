import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../src/core/clock.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame } from '../fixtures/frames.ts'

/** The HTTP server beside its rows: what is not there, what does not fit, what comes late or twice. */
let bridge: TestDaemon
const clock = new ManualClock(Date.now())
beforeAll(async () => {
  bridge = await openTestDaemon({ clock })
})
afterAll(() => bridge.close())

const post = (path: string, body: unknown) => bridge.call(path, { method: 'POST', body })

describe('what is not there, and what does not fit', () => {
  test.each([
    ['GET', '/nothing'],
    ['GET', '/hooks/claude'],
    ['POST', '/api/health'],
    ['DELETE', '/api/messages'],
    ['GET', '/api/raw/verb/start'],
    ['POST', '/api/simulate-hook'],
    ['GET', '/%zz'],
    ['GET', `/${'x'.repeat(4_000)}`],
  ])('%s %s is 404', async (method, path) => {
    const answer = await bridge.call(path, { method })
    expect(answer.status).toBe(404)
    expect(asFrame(answer.json)['error']).toBe('not_found')
  })

  test('OPTIONS is 204 everywhere, and opens nothing to foreign pages', async () => {
    for (const path of ['/api/health', '/api/state', '/hooks/claude', '/nothing']) {
      const answer = await bridge.call(path, { method: 'OPTIONS', token: null })
      expect([path, answer.status, answer.text]).toEqual([path, 204, ''])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test.each([
    ['no Content-Type', {}],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a charset', { 'content-type': 'application/json; charset=utf-8' }],
  ])('JSON is read whatever it is called: %s', async (_name, headers) => {
    const answer = await bridge.call('/api/messages', {
      method: 'POST',
      headers,
      body: '{"content":"x","chat_id":"types"}',
    })
    expect([answer.status, answer.text]).toEqual([200, '{"chat_id":"types","status":"forwarded"}'])
  })

  test('a Content-Type that is none is 415', async () => {
    const headers = { 'content-type': 'what is this' }
    const answer = await bridge.call('/api/messages', { method: 'POST', headers, body: '{"content":"x"}' })
    expect([answer.status, asFrame(answer.json)['error']]).toEqual([415, 'unsupported_media_type'])
  })

  test('HEAD is GET without a body, also where that is a stream', async () => {
    for (const path of ['/api/health', '/status', '/events']) {
      const answer = await bridge.call(path, { method: 'HEAD' })
      expect([path, answer.status, answer.text]).toEqual([path, 200, ''])
    }
    expect((await bridge.call('/status')).json).toMatchObject({ clients: 0 })
  })

  test('every answer keeps browsers from guessing, framing and leaking', async () => {
    for (const path of ['/api/health', '/api/state', '/nothing', '/docs', '/openapi.json']) {
      const { headers } = await bridge.call(path)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    }
  })

  test('unknown fields are ignored on the routes of the seed, and refused on ours', async () => {
    expect((await post('/api/messages', { content: 'x', chat_id: 'f', extra: 1 })).status).toBe(200)
    const answer = await post('/api/tokens', { name: 'x', scopes: ['read'], extra: 1 })
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        error: 'invalid_params',
        message: 'extra: no such field',
        details: { field: 'extra', problem: 'no such field' },
      },
    ])
    expect((await bridge.call('/status?extra=1')).status).toBe(400)
  })
})

describe('time', () => {
  test('a hook from a spool keeps its own time, and nonsense is the time of arrival', async () => {
    await using socket = await bridge.ws()
    const now = clock.now()
    const times: [string, number][] = [
      [String(now - 3_600_000), now - 3_600_000],
      ['yesterday', now],
      [String(now + 3_600_000), now],
      ['-5', now],
      ['NaN', now],
    ]
    for (const [index, [given, expected]] of times.entries()) {
      await bridge.call('/hooks/claude', {
        method: 'POST',
        headers: { 'x-bridge-hook-time': given },
        body: { hook_type: 'Notification', payload: { session_id: `time-${index}`, message: given } },
      })
      expect(await socket.frames.nextOf('agent_event')).toMatchObject({ ts: expected })
    }
  })

  test('a hook that is sent again with its id is taken once, also after a restart', async () => {
    await using other = await openTestDaemon()
    const send = () =>
      other.call('/hooks/claude', {
        method: 'POST',
        headers: { 'x-bridge-hook-id': 'hook-id-1' },
        body: { hook_type: 'UserPromptSubmit', payload: { session_id: 's', prompt: 'once' } },
      })
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
    await other.restart()
    expect((await send()).status).toBe(204)
    const page = asFrame((await other.call('/api/history?kind=message.user')).json)
    expect(page['entries']).toHaveLength(1)
  })
})
