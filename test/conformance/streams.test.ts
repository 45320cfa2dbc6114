import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../src/core/clock.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame } from '../fixtures/frames.ts'

/** What is special to one of the two streams. */
const notify = (bridge: TestDaemon, message: string) =>
  bridge.post('Notification', { session_id: 'streams', message, notification_type: 'other' })

const strictlyIncreasing = (seqs: readonly number[]) =>
  seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))

describe('what is special to one transport', () => {
  let bridge: TestDaemon
  const clock = new ManualClock(Date.now())
  beforeAll(async () => {
    bridge = await openTestDaemon({ clock })
    await notify(bridge, 'one')
  })
  afterAll(() => bridge.close())
  afterEach(() => vi.useRealTimers())

  test.each(['/events', '/api/events'])('SSE: %s is an event stream whose ids are places', async (path) => {
    await using stream = await bridge.sse({ path: `${path}?after=0` })
    expect(stream.status).toBe(200)
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    })
    await bridge.settle(stream)
    const [first, ...rest] = stream.events
    const { epoch } = stream.frames.all[0] ?? {}
    expect(first?.id).toBe(`${String(epoch)}:0`)
    expect(JSON.parse(first?.data ?? '')).toEqual({ type: 'subscribed', epoch, seq: 0, resume: 'ok' })
    for (const { id, data } of rest)
      expect(id).toBe(`${String(epoch)}:${String(asFrame(JSON.parse(data))['seq'])}`)
  })

  test('SSE: after a gap the new place comes with the snapshot, so that a lost snapshot is asked for again', async () => {
    await using stream = await bridge.sse({ lastEventId: 'lost:1' })
    await stream.frames.nextOf('snapshot')
    const [subscribed, snapshot] = stream.events
    expect(subscribed?.id).toBeUndefined()
    expect(snapshot?.id).toMatch(/:\d+$/)
  })

  test('SSE: Last-Event-ID wins over ?after=, which is what a browser connected with first', async () => {
    const { epoch, last_seq: last } = asFrame((await bridge.call('/api/history')).json)
    await using stream = await bridge.sse({
      path: '/events?after=0',
      lastEventId: `${String(epoch)}:${String(last)}`,
    })
    expect(await stream.frames.nextOf('subscribed')).toMatchObject({ seq: last, resume: 'ok' })
  })

  test('SSE: a one-time ticket lets a browser in, once', async () => {
    const { ticket } = asFrame((await bridge.call('/api/tickets', { method: 'POST' })).json)
    const path = `/events?after=0&ticket=${String(ticket)}`
    await using stream = await bridge.sse({ token: null, path })
    expect(await stream.frames.nextOf('subscribed')).toMatchObject({ resume: 'ok' })
    await using again = await bridge.sse({ token: null, path })
    expect(again.status).toBe(401)
    expect((await bridge.call(`/status?ticket=${String(ticket)}`, { token: null })).status).toBe(401)
  })

  test('SSE: a comment line comes every 15 seconds when nothing else does', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await using stream = await bridge.sse()
    await stream.frames.nextOf('subscribed')
    vi.advanceTimersByTime(14_999)
    expect(stream.comments).toEqual([])
    vi.advanceTimersByTime(1)
    expect(await stream.frames.until(() => stream.comments[0])).toMatch(/^ ./)
    vi.advanceTimersByTime(15_000)
    await stream.frames.until(() => stream.comments[1])
    expect(stream.frames.all.length).toBe(1)
  })

  test('WebSocket: another subscription takes the place of the first, and nothing falls between them', async () => {
    await using socket = await bridge.ws({ subscribe: { kinds: ['notification'] } })
    await socket.frames.nextOf('subscribed')
    for (let n = 0; n < 40; n += 1) {
      void notify(bridge, `switch ${n}`)
      if (n % 10 === 5) socket.send({ type: 'subscribe', kinds: ['notification', 'turn.ended'] })
      await socket.frames.next(({ event }) => asFrame(event)['text'] === `switch ${n}`)
    }
    const texts = socket.frames.events.map((event) => event['text'])
    expect(texts).toEqual(Array.from({ length: 40 }, (_, n) => `switch ${n}`))
    expect(strictlyIncreasing(socket.frames.seqs)).toBe(true)
  })

  test('WebSocket: a number is a place of this log', async () => {
    await using socket = await bridge.ws({ subscribe: { after: 0 } })
    expect(await socket.frames.nextOf('subscribed')).toMatchObject({ seq: 0, resume: 'ok' })
    await bridge.settle(socket)
    expect(socket.frames.seqs[0]).toBe(1)
  })
})
