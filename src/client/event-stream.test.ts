import { once } from 'node:events'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import { verifies } from '../../test/requirements.ts'
import { ClientError } from './client-error.ts'
import { streamEvents, type StreamOptions } from './event-stream.ts'
import type { StreamItem } from './stream-items.ts'

const message = { type: 'inbound_message', content: 'x', chat_id: 'c', client_id: 'p' }
const quick = { pingMs: 60, silenceMs: 200, backoff: { minMs: 1, maxMs: 5 }, maxQueued: 10_000 }

/** A log of numbered frames behind a real WebSocket, as far as a stream can tell a bridge. */
class LogServer {
  readonly subscribes: Record<string, unknown>[] = []
  epoch = 'one'
  lastSeq = 0
  /** Frames that one connection is given before it is cut. */
  cutAfter = Number.POSITIVE_INFINITY
  answersPings = true
  pings = 0
  most = 0
  readonly #server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  readonly #sockets = new Set<ServerSocket>()
  onConnect: (socket: ServerSocket) => void = (socket) => this.serve(socket)

  constructor() {
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket)
      this.most = Math.max(this.most, this.#sockets.size)
      socket.on('close', () => this.#sockets.delete(socket))
      this.onConnect(socket)
    })
  }

  async listening(): Promise<this> {
    if (this.#server.address() === null) await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the server does not listen')
    return `ws://127.0.0.1:${address.port}/ws?ticket=t`
  }

  get open(): number {
    return this.#sockets.size
  }

  serve(socket: ServerSocket): void {
    let left = this.cutAfter
    socket.send(JSON.stringify({ type: 'hello', client_id: 'c', server_version: '0' }))
    socket.on('message', (data: Buffer) => {
      const frame: Record<string, unknown> = JSON.parse(data.toString())
      if (frame['type'] === 'ping') {
        this.pings += 1
        if (this.answersPings) socket.send('{"type":"pong"}')
        return
      }
      this.subscribes.push(frame)
      const { after, resume } = this.#place(frame['after'])
      socket.send(JSON.stringify({ type: 'subscribed', epoch: this.epoch, seq: after, resume }))
      if (resume === 'gap') {
        socket.send(JSON.stringify({ type: 'snapshot', contacts: [], session_ids: ['s'], requests: [] }))
      }
      for (let seq = after + 1; seq <= this.lastSeq; seq++) {
        if (left-- <= 0) return socket.terminate()
        socket.send(JSON.stringify({ ...message, seq }))
      }
    })
  }

  #place(after: unknown): { after: number; resume: 'ok' | 'gap' } {
    if (after === undefined) return { after: this.lastSeq, resume: 'ok' }
    if (typeof after === 'number') return { after, resume: 'ok' }
    const [epoch, seq] = typeof after === 'string' ? after.split(':') : []
    return epoch === this.epoch
      ? { after: Number(seq), resume: 'ok' }
      : { after: this.lastSeq, resume: 'gap' }
  }

  append(): void {
    const text = JSON.stringify({ ...message, seq: ++this.lastSeq })
    for (const socket of this.#sockets) socket.send(text)
  }

  cut(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  async stop(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

const servers: LogServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

async function startServer(): Promise<LogServer> {
  const server = new LogServer()
  servers.push(server)
  return server.listening()
}

function follow(server: LogServer, options: Partial<StreamOptions> = {}) {
  return streamEvents({ openUrl: async () => server.url, timing: quick, ...options })
}

/** Takes items until `enough`, leaving the stream open. */
async function take(stream: AsyncGenerator<StreamItem, void>, enough: (item: StreamItem) => boolean) {
  const items: StreamItem[] = []
  for (;;) {
    const { value, done } = await stream.next()
    if (done || value === undefined) throw new Error('the stream ended early')
    items.push(value)
    if (enough(value)) return items
  }
}

const isSeq = (seq: number) => (item: StreamItem) => item.type === 'inbound_message' && item.seq === seq
const seqsOf = (items: readonly StreamItem[]) =>
  items.flatMap((item) => (item.type === 'inbound_message' ? [item.seq] : []))

describe('streamEvents', () => {
  test('passes its filter on, yields where it began, then the frames of the log', async () => {
    const server = await startServer()
    server.lastSeq = 3
    const stream = follow(server, { after: 1, contacts: ['vint'], kinds: ['turn.ended'] })
    const items = await take(stream, isSeq(3))
    await stream.return()
    expect(items[0]).toEqual({ type: 'subscribed', epoch: 'one', seq: 1, resume: 'ok' })
    expect(seqsOf(items)).toEqual([2, 3])
    expect(server.subscribes).toEqual([
      { type: 'subscribe', after: 1, contacts: ['vint'], kinds: ['turn.ended'] },
    ])
  })

  test('resumes after every cut with nothing missing, nothing twice and one socket at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 7 }), async (last, cut) => {
        const server = await startServer()
        server.lastSeq = last
        server.cutAfter = cut
        const stream = follow(server, { after: 0 })
        const items = await take(stream, isSeq(last))
        await stream.return()
        expect(seqsOf(items)).toEqual(Array.from({ length: last }, (_, index) => index + 1))
        expect(server.most).toBe(1)
      }),
      { numRuns: 15 },
    )
  })

  test('goes on from where a stream without a cursor was first accepted', async () => {
    const server = await startServer()
    server.lastSeq = 5
    const stream = follow(server)
    await take(stream, (item) => item.type === 'subscribed')
    server.cut()
    server.lastSeq = 7
    const items = await take(stream, isSeq(7))
    await stream.return()
    expect(seqsOf(items)).toEqual([6, 7])
    expect(server.subscribes.at(-1)?.['after']).toBe('one:5')
  })

  test('says so when the log is another one, and hands the snapshot on' + verifies('B26'), async () => {
    const server = await startServer()
    server.lastSeq = 2
    const stream = follow(server, { after: 0 })
    await take(stream, isSeq(2))
    server.epoch = 'two'
    server.lastSeq = 9
    server.cut()
    const items = await take(stream, (item) => item.type === 'snapshot')
    server.append()
    items.push(...(await take(stream, isSeq(10))))
    await stream.return()
    expect(items).toMatchObject([
      { type: 'subscribed', epoch: 'two', seq: 9, resume: 'gap' },
      { type: 'snapshot', session_ids: ['s'] },
      { type: 'inbound_message', seq: 10 },
    ])
  })

  test('takes silence for death, says so in time and comes back' + verifies('B53'), async () => {
    const server = await startServer()
    server.answersPings = false
    server.lastSeq = 1
    const statuses: string[] = []
    const lost = Promise.withResolvers<number>()
    const startedAt = performance.now()
    const stream = follow(server, {
      after: 0,
      onStatus: (status) => {
        statuses.push(status)
        if (status === 'lost') lost.resolve(performance.now() - startedAt)
      },
    })
    await take(stream, isSeq(1))
    // Nobody takes anything meanwhile: noticing must not depend on the consumer.
    expect(await lost.promise).toBeLessThan(2_000)
    server.answersPings = true
    server.lastSeq = 2
    expect(seqsOf(await take(stream, isSeq(2)))).toEqual([2])
    await stream.return()
    expect(server.pings).toBeGreaterThan(0)
    expect(statuses.slice(0, 5)).toEqual(['connecting', 'live', 'lost', 'connecting', 'live'])
  })

  test('stays on a connection that only answers pings', async () => {
    const server = await startServer()
    const stream = follow(server)
    await take(stream, (item) => item.type === 'subscribed')
    const next = stream.next()
    // Longer than silence is taken for death.
    await waitFor(() => server.pings >= 6)
    server.append()
    expect((await next).value).toMatchObject({ seq: 1 })
    await stream.return()
    expect(server.subscribes).toHaveLength(1)
  })

  test('holds a bounded number of frames for a slow consumer, and loses none', async () => {
    const server = await startServer()
    server.lastSeq = 1_000
    const stream = follow(server, { after: 0, timing: { ...quick, maxQueued: 100 } })
    const seqs: number[] = []
    for await (const item of stream) {
      if (item.type !== 'inbound_message') continue
      seqs.push(item.seq)
      if (item.seq % 50 === 0) await new Promise(setImmediate)
      if (item.seq === 1_000) break
    }
    expect(seqs).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1))
    expect(server.subscribes.length).toBeGreaterThan(5)
    expect(server.most).toBe(1)
  })

  test('ignores what is no frame of the log', async () => {
    const server = await startServer()
    server.onConnect = (socket) => {
      server.serve(socket)
      socket.on('message', () => {
        for (const text of ['', 'null', '[1]', '{"type":"other"}', '{"type":"a","seq":"1"}'])
          socket.send(text)
        socket.send(Buffer.from('{"type":"a","seq":8}'))
        socket.send(JSON.stringify({ ...message, seq: 9 }))
      })
    }
    const stream = follow(server)
    const items = await take(stream, isSeq(9))
    await stream.return()
    expect(items.map((item) => item.type)).toEqual(['subscribed', 'inbound_message'])
  })

  test('is not fooled by broadcasts that call themselves something else', async () => {
    const server = await startServer()
    const frames = [
      { type: 'subscribed', epoch: 'evil', resume: 'ok', seq: 1 },
      { type: 'subscribed', epoch: 'evil', resume: 'gap', seq: 2 },
      { type: 'snapshot', contacts: [], seq: 3 },
      { type: 'agent_event', event: 'evil', seq: 4 },
      { type: 'contact_changed', contact: 'evil', seq: 5 },
      { type: 'servo.hold', angle: 4, contact: 'vint', seq: 6 },
      { ...message, seq: 7 },
    ]
    server.onConnect = (socket) => {
      server.serve(socket)
      socket.on('message', () => {
        for (const frame of frames) socket.send(JSON.stringify(frame))
      })
    }
    const stream = follow(server)
    const [, ...items] = await take(stream, isSeq(7))
    expect(items.map(({ type }) => type)).toEqual([
      'other',
      'other',
      'other',
      'other',
      'other',
      'other',
      message.type,
    ])
    expect(items[5]).toEqual({ type: 'other', seq: 6, contact: 'vint', frame: frames[5] })
    server.cut()
    await take(stream, (item) => item.type === 'subscribed')
    await stream.return()
    expect(server.subscribes.at(-1)?.['after']).toBe('one:7')
  })

  test('ends with an error when it is refused twice; once may be a ticket of a stopped bridge', async () => {
    const server = await startServer()
    let refusals = 1
    server.onConnect = (socket) => {
      if (refusals-- > 0) socket.close(4401, 'unauthorized')
      else server.serve(socket)
    }
    const stream = follow(server)
    await take(stream, (item) => item.type === 'subscribed')
    refusals = 2
    server.cut()
    await expect(stream.next()).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
    await waitFor(() => server.open === 0)
  })

  test('ends with the error the bridge gives to its subscription', async () => {
    const server = await startServer()
    server.onConnect = (socket) => {
      socket.on('message', () =>
        socket.send('{"type":"error","message":"invalid_subscribe","detail":"kinds: is no list"}'),
      )
    }
    const error: unknown = await follow(server)
      .next()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({ code: 'invalid_subscribe', message: 'kinds: is no list', isFinal: true })
  })

  test('asks for an address again until the bridge is back, but not when it refuses', async () => {
    const server = await startServer()
    const failures = [
      new ClientError('unreachable', 'No bridge answers.', { status: 0 }),
      new ClientError('rate_limited', 'Too many.', { status: 429 }),
      new Error('the socket is gone'),
    ]
    const stream = follow(server, {
      openUrl: async () => {
        const failure = failures.shift()
        if (failure) throw failure
        return server.url
      },
    })
    await take(stream, (item) => item.type === 'subscribed')
    failures.push(new ClientError('unauthorized', 'Revoked.', { status: 401 }))
    server.cut()
    await expect(stream.next()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('an abort ends it without an error, whatever it waits for', async () => {
    const server = await startServer()
    const live = new AbortController()
    const stream = follow(server, { signal: live.signal })
    await take(stream, (item) => item.type === 'subscribed')
    const next = stream.next()
    live.abort()
    expect(await next).toEqual({ value: undefined, done: true })
    await waitFor(() => server.open === 0)

    const away = new AbortController()
    const pausing = follow(server, {
      signal: away.signal,
      timing: { ...quick, backoff: { minMs: 60_000, maxMs: 60_000 } },
      openUrl: () => Promise.reject(new Error('away')),
      onStatus: (status) => {
        if (status === 'lost') setImmediate(() => away.abort())
      },
    })
    expect(await pausing.next()).toEqual({ value: undefined, done: true })
  })

  test('leaving the loop closes the socket', async () => {
    const server = await startServer()
    server.lastSeq = 1
    for await (const item of follow(server, { after: 0 })) {
      expect(server.open).toBe(1)
      if (item.type === 'inbound_message') break
    }
    await waitFor(() => server.open === 0)
  })
})

async function waitFor(fact: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000
  while (!fact()) {
    if (Date.now() > deadline) throw new Error(`still not so: ${fact.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
