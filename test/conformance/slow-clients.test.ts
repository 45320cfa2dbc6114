import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../src/core/clock.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame, type FrameList } from '../fixtures/frames.ts'
import { openRelay } from '../fixtures/relay.ts'
import { openTestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

/** What may wait for one client, and how much is sent here: more than the kernel takes for a reader that stopped. */
const bufferBytes = 65_536
const messageBytes = 100_000
const messages = 140
const heartbeatMs = 15_000

let bridge: TestDaemon
let clock: ManualClock
let connections: Set<Socket>
beforeEach(async () => {
  // The heartbeat is moved by the test; everything else runs in real time.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  clock = new ManualClock(Date.now())
  bridge = await openTestDaemon({ clock, file: `limits: { client_buffer_bytes: ${bufferBytes} }\n` })
  connections = new Set()
  bridge.daemon.server.app.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await bridge.close()
})

/** Lets the heartbeat beat `count` times. */
async function beat(count = 1): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    clock.advance(heartbeatMs)
    vi.advanceTimersByTime(heartbeatMs)
    // Time for pings to be answered by who is there.
    await bridge.call('/api/health')
  }
}

/** Sends all messages; they are in the log when this resolves. */
async function flood(): Promise<void> {
  await using sender = await bridge.ws({ subscribe: { kinds: ['startVerb'] } })
  const filler = 'x'.repeat(messageBytes)
  for (let n = 0; n < messages; n += 1)
    sender.send({ type: 'send_message', content: `${n} ${filler}`, chat_id: 'flood' })
  sender.send({ type: 'startVerb', verb: 'sent' })
  await sender.frames.nextOf('startVerb')
}

/** The numbers of the flood's messages that have arrived. */
const numbers = (frames: FrameList) =>
  frames.ofType('inbound_message').map((frame) => Number.parseInt(String(frame['content']), 10))
const all = Array.from({ length: messages }, (_, n) => n)
const arrived = (frames: FrameList, count: number) =>
  frames.until(() => (frames.ofType('inbound_message').length >= count ? true : undefined))

/** What waits in the daemon for the client it holds most for. */
const mostWaiting = () => Math.max(0, ...[...connections].map((socket) => socket.writableLength))

async function clients(): Promise<unknown> {
  return asFrame((await bridge.call('/status')).json)['clients']
}

describe('a client that stops reading', () => {
  test('WebSocket: costs bounded memory, disturbs nobody, is dropped with 4408 and resumes where it was', async () => {
    const slow = await bridge.ws({ subscribe: {} })
    await using healthy = await bridge.ws({ subscribe: {} })
    await slow.frames.nextOf('subscribed')
    await healthy.frames.nextOf('subscribed')
    slow.raw.pause()
    await flood()
    await arrived(healthy.frames, messages)
    expect(numbers(healthy.frames)).toEqual(all)
    expect(mostWaiting()).toBeGreaterThan(bufferBytes)
    expect(mostWaiting()).toBeLessThan(bufferBytes + messageBytes * 2)

    await beat(2)
    await bridge.settle(healthy)
    slow.raw.resume()
    expect((await slow.closed).code).toBe(4408)
    const got = numbers(slow.frames)
    expect(got.length).toBeLessThan(messages)
    expect(got).toEqual(all.slice(0, got.length))

    const { epoch } = slow.frames.ofType('subscribed')[0] ?? {}
    await using again = await bridge.ws({
      subscribe: { after: `${String(epoch)}:${String(slow.frames.seqs.at(-1))}` },
    })
    expect(await again.frames.nextOf('subscribed')).toMatchObject({ resume: 'ok' })
    await arrived(again.frames, messages - got.length)
    expect([...got, ...numbers(again.frames)]).toEqual(all)
  })

  test('SSE: the same, and it resumes by the id it saw last', async () => {
    const slow = await bridge.sse()
    await using healthy = await bridge.sse()
    await slow.frames.nextOf('subscribed')
    await healthy.frames.nextOf('subscribed')
    slow.response.pause()
    await flood()
    await arrived(healthy.frames, messages)
    expect(mostWaiting()).toBeLessThan(bufferBytes + messageBytes * 2)

    await beat(2)
    slow.response.resume()
    await slow.closed
    const got = numbers(slow.frames)
    expect(got.length).toBeLessThan(messages)
    await using again = await bridge.sse({ lastEventId: slow.lastId ?? '' })
    expect(await again.frames.nextOf('subscribed')).toMatchObject({ resume: 'ok' })
    await arrived(again.frames, messages - got.length)
    expect([...got, ...numbers(again.frames)]).toEqual(all)
  })

  test('one that reads again in time is not dropped and misses nothing', async () => {
    await using socket = await bridge.ws({ subscribe: {} })
    await using stream = await bridge.sse()
    await socket.frames.nextOf('subscribed')
    await stream.frames.nextOf('subscribed')
    socket.raw.pause()
    stream.response.pause()
    await flood()
    await beat()
    socket.raw.resume()
    stream.response.resume()
    for (const { frames } of [socket, stream]) {
      await arrived(frames, messages)
      expect(numbers(frames)).toEqual(all)
    }
    await beat(3)
    for (const each of [socket, stream]) await bridge.settle(each)
  })

  test('one that pings meanwhile, whose pongs wait behind everything else, goes on as well', async () => {
    await using socket = await bridge.ws({ subscribe: {} })
    await socket.frames.nextOf('subscribed')
    socket.raw.pause()
    const ping = setTimeout(function again() {
      socket.raw.ping()
      ping.refresh()
    }, 5)
    await flood()
    socket.raw.resume()
    await arrived(socket.frames, messages)
    clearTimeout(ping)
    expect(numbers(socket.frames)).toEqual(all)
    await bridge.settle(socket)
  })

  test('one that never subscribed is dropped as well, and bounded as well', async () => {
    const slow = await bridge.ws()
    await slow.frames.nextOf('active_sessions')
    slow.raw.pause()
    await flood()
    expect(mostWaiting()).toBeLessThan(bufferBytes + messageBytes * 2)
    await beat(2)
    slow.raw.resume()
    expect((await slow.closed).code).toBe(4408)
  })

  test('one that asks and asks without reading the answers is not read from any more', async () => {
    const greedy = await bridge.ws({ subscribe: { kinds: ['none'] } })
    await greedy.frames.nextOf('subscribed')
    greedy.raw.pause()
    const question = JSON.stringify({ type: 'x'.repeat(90) })
    for (let n = 0; n < 40_000; n += 1) greedy.raw.send(question)
    // The daemon has stopped reading: what is left stays on the way.
    await vi.waitFor(() => expect(mostWaiting()).toBeGreaterThan(bufferBytes), { timeout: 5_000 })
    for (let n = 0; n < 20; n += 1) await bridge.call('/api/health')
    expect(mostWaiting()).toBeLessThan(bufferBytes * 4)
    greedy.raw.resume()
    await greedy.frames.until(() => (greedy.frames.all.length >= 40_000 ? true : undefined))
    await greedy.close()
  })
})

describe('B53 a peer that is gone without a word', () => {
  test.each(['both', 'to-client', 'to-server'] as const)(
    'bytes lost: %s; the daemon lets go of it in 30 seconds, and it resumes without a hole' + verifies('B53'),
    async (loss) => {
      await using relay = await openRelay(bridge.url)
      const lost = await openTestSocket(relay.url, { token: bridge.token, subscribe: {} })
      await using there = await bridge.ws({ subscribe: {} })
      await lost.frames.nextOf('subscribed')
      await there.frames.nextOf('subscribed')
      await bridge.settle(lost)
      expect(await clients()).toBe(2)

      relay.loss = loss
      // Raised in the hole, and what is asked through it.
      await bridge.post('PermissionRequest', {
        session_id: 'hole',
        tool_name: 'Bash',
        tool_input: { command: 'P1' },
      })
      if (loss !== 'to-client') lost.send({ type: 'startVerb', verb: 'into nowhere' })
      await beat(2)
      await vi.waitFor(async () => expect(await clients()).toBe(1), { timeout: 2_000 })
      expect(connections.size).toBeLessThanOrEqual(2)
      await bridge.settle(there)
      expect(there.frames.ofType('startVerb')).toEqual([])

      relay.loss = 'nothing'
      const { epoch, seq } = lost.frames.ofType('subscribed')[0] ?? {}
      const cursor = `${String(epoch)}:${String(lost.frames.seqs.at(-1) ?? seq)}`
      await using back = await openTestSocket(relay.url, {
        token: bridge.token,
        subscribe: { after: cursor },
      })
      expect(await back.frames.nextOf('subscribed')).toMatchObject({ resume: 'ok' })
      const seen = loss === 'to-server' ? lost : back
      expect(await seen.frames.nextOf('permission_request')).toMatchObject({ activity: { summary: 'P1' } })
      lost.raw.terminate()
    },
  )

  test('B53 a peer that is there keeps its socket, however long nothing happens', async () => {
    await using quiet = await bridge.ws()
    await quiet.frames.nextOf('active_sessions')
    await beat(8)
    expect(await clients()).toBe(1)
    quiet.send({ type: 'ping' })
    await quiet.frames.nextOf('pong')
  })
})

describe('who has no token', () => {
  test('cannot hold a socket, break the daemon, or keep it from stopping', async () => {
    const refused = await openTestSocket(bridge.url, { token: 'wrong' })
    refused.raw.removeAllListeners('message')
    refused.raw.pause()
    // A frame with reserved bits is an error of the protocol, on a socket that nobody serves.
    const connection: unknown = Reflect.get(refused.raw, '_socket')
    if (!(connection instanceof Socket)) throw new Error('ws keeps its socket under another name')
    connection.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
    // Neither is one that asks for something else and then neither reads nor closes.
    const port = Number(new URL(bridge.url).port)
    const idle = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    idle.on('error', () => {})
    idle.write(
      'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    await once(idle, 'data')
    const started = performance.now()
    await bridge.restart()
    expect(performance.now() - started).toBeLessThan(3_000)
    expect((await bridge.call('/api/health')).status).toBe(200)
    refused.raw.terminate()
    idle.destroy()
  })
})
