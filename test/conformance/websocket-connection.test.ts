import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { openTestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

/** How a client gets in, and what it is told first. */
let bridge: TestDaemon
beforeAll(async () => {
  bridge = await openTestDaemon()
})
afterAll(() => bridge.close())

describe('connecting', () => {
  test(
    'the first frames are hello and active_sessions' +
      verifies(
        'A:ws.endpoint',
        'A:ws.token-query',
        'A:ws.hello',
        'A:ws.active-sessions',
        'A:ws.typed-frames',
      ),
    async () => {
      await bridge.post('SessionStart', { session_id: 'first', source: 'startup' })
      await using socket = await bridge.ws()
      await bridge.settle(socket)
      expect(socket.frames.all).toEqual([
        {
          type: 'hello',
          client_id: expect.stringMatching(/^ws_[0-9a-f-]{36}$/),
          server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        },
        { type: 'active_sessions', session_ids: expect.arrayContaining(['first']) },
      ])
    },
  )

  test('active_sessions comes again whenever the list changes, and only then', async () => {
    await using socket = await bridge.ws()
    const lists = (
      await bridge.received(socket, async () => {
        await bridge.post('SessionStart', { session_id: 'comes', source: 'startup' })
        await bridge.post('Notification', { session_id: 'comes', message: 'x' })
        await bridge.post('SessionEnd', { session_id: 'comes' })
      })
    ).filter((frame) => frame['type'] === 'active_sessions')
    expect(lists.map((frame) => JSON.stringify(frame['session_ids']).includes('"comes"'))).toEqual([
      true,
      false,
    ])
  })

  test.each([
    ['no token', { token: null }],
    ['a wrong token of the same length', { token: 'x'.repeat('test-master-token-0123456789abcdef'.length) }],
    ['a wrong token of another length', { token: 'x' }],
    ['an empty token', { token: '' }],
    [
      'a token in a cookie only',
      { token: null, headers: { cookie: 'token=test-master-token-0123456789abcdef' } },
    ],
    ['a used-up ticket', { token: null, path: '/ws?ticket=nobody' }],
    [
      'two tokens that differ',
      { token: 'x', headers: { authorization: 'Bearer test-master-token-0123456789abcdef' } },
    ],
  ])('%s is accepted and then closed with 4401' + verifies('A:ws.bad-token'), async (_name, options) => {
    const socket = await openTestSocket(bridge.url, options)
    expect(await socket.closed).toEqual({ code: 4401, reason: 'unauthorized' })
    expect(socket.frames.all).toEqual([])
  })

  test.each([
    ['Authorization: Bearer', { authorization: 'Bearer test-master-token-0123456789abcdef' }],
    ['authorization: bearer', { authorization: 'bearer test-master-token-0123456789abcdef' }],
    ['X-Bridge-Token', { 'x-bridge-token': 'test-master-token-0123456789abcdef' }],
  ])('the token is also taken from %s', async (_name, headers) => {
    await using socket = await openTestSocket(bridge.url, { headers })
    expect(await socket.frames.next()).toMatchObject({ type: 'hello' })
  })

  test('a ticket lets in once, with the rights of who asked for it', async () => {
    const answer = await bridge.call('/api/tickets', {
      method: 'POST',
      token: await bridge.createToken(['read']),
    })
    const { ticket }: { ticket?: unknown } = JSON.parse(answer.text)
    const path = `/ws?ticket=${String(ticket)}`
    await using socket = await openTestSocket(bridge.url, { path })
    expect(await socket.frames.next()).toMatchObject({ type: 'hello' })
    socket.send({ type: 'startVerb', verb: 'x' })
    expect(await socket.frames.nextOf('error')).toMatchObject({ message: 'forbidden' })
    const again = await openTestSocket(bridge.url, { path })
    expect((await again.closed).code).toBe(4401)
  })

  test.each(['/', '/ws/', '/other', '/ws2'])('%s is no WebSocket', async (path) => {
    const socket = new WebSocket(`${bridge.url.replace('http', 'ws')}${path}?token=${bridge.token}`)
    const [, response] = await once(socket, 'unexpected-response')
    expect(response.statusCode).toBe(404)
    response.destroy()
  })
})
