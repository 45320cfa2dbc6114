import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../src/core/clock.ts'
import { scopes } from '../../src/protocol/index.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame, type Frame } from '../fixtures/frames.ts'
import { verifies } from '../requirements.ts'

/** A token ends when it is revoked, rotated or expired, and what is open with it ends too. */
let bridge: TestDaemon
beforeAll(async () => {
  bridge = await openTestDaemon()
})
afterAll(() => bridge.close())

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
