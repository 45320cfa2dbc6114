import { closeCodes } from '../protocol/close-codes.ts'
import { formatCursor } from '../protocol/cursor.ts'
import { ClientError, parseRecord } from './client-error.ts'
import type { BackoffBounds } from './backoff.ts'
import {
  isSnapshot,
  isSubscribed,
  readLogFrame,
  type LogFrame,
  type StreamItem,
  type SubscribedItem,
} from './stream-items.ts'

/** How the stream keeps its connection; the defaults fit people and pages. */
export interface StreamTiming {
  /** A `ping` frame goes out this often: pings of the WebSocket itself are invisible to a browser. */
  readonly pingMs: number
  /** A connection that brings nothing for this long is dead, whatever the socket says (bug case B53). */
  readonly silenceMs: number
  readonly backoff: BackoffBounds
  /** Items that may wait for the consumer; beyond it the socket is closed until they are taken. */
  readonly maxQueued: number
}

/** One WebSocket of a stream, from its handshake to its end. It never reconnects. */
export interface StreamConnection {
  /** What it brought, in order; ends when everything that arrived before its end was taken. */
  items(): AsyncGenerator<StreamItem, void>
  /** `epoch:seq` after the last item that arrived, taken or not. */
  readonly cursor: string | undefined
  /** It was closed because more waited for the consumer than may. */
  readonly overflowed: boolean
  /** The bridge refused the address it was opened with. */
  readonly refused: boolean
  /** How long it was subscribed. */
  readonly liveMs: number
  /** Closes the socket, and waits a little for the other side to agree. */
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly url: string
  /** The fields of the `subscribe` frame. */
  readonly subscribe: Readonly<Record<string, unknown>>
  readonly timing: StreamTiming
  readonly signal: AbortSignal | undefined
  readonly onLive: () => void
  readonly onEnd: () => void
}

/** How long a new socket waits for the old one: the other side of a dead connection never agrees to its end. */
const closeWaitMs = 1_000

/** Connects and subscribes. Failing to connect is an end without items, not an error. */
export function openConnection(options: ConnectionOptions): StreamConnection {
  return new WebSocketConnection(options)
}

class WebSocketConnection implements StreamConnection {
  readonly #options: ConnectionOptions
  readonly #socket: WebSocket
  readonly #closed = Promise.withResolvers<void>()
  readonly #timer: ReturnType<typeof setInterval>
  readonly #onAbort = () => this.#end()
  #queue: StreamItem[] = []
  #wake = () => {}
  #ended = false
  #error: ClientError | undefined
  #epoch: string | undefined
  #seq = 0
  #liveSince: number | undefined
  #liveMs = 0
  #heardAt = Date.now()
  #pingedAt = Date.now()
  overflowed = false
  refused = false

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#socket = new WebSocket(options.url)
    this.#socket.addEventListener('open', () => this.#send({ type: 'subscribe', ...options.subscribe }))
    this.#socket.addEventListener('message', (event) => this.#receive(event.data))
    // An error is always followed by a close, which says as much.
    this.#socket.addEventListener('error', () => {})
    this.#socket.addEventListener('close', (event) => {
      if (event.code === closeCodes.unauthorized) this.refused = true
      this.#closed.resolve()
      this.#end()
    })
    options.signal?.addEventListener('abort', this.#onAbort)
    this.#timer = setInterval(() => this.#watch(), options.timing.pingMs / 3)
  }

  get cursor(): string | undefined {
    return this.#epoch === undefined ? undefined : formatCursor({ epoch: this.#epoch, seq: this.#seq })
  }

  get liveMs(): number {
    return this.#liveMs
  }

  async *items(): AsyncGenerator<StreamItem, void> {
    while (!this.#options.signal?.aborted) {
      const items = this.#queue
      this.#queue = []
      for (const item of items) {
        if (this.#options.signal?.aborted) return
        yield item
      }
      if (this.#queue.length > 0) continue
      if (this.#error) throw this.#error
      if (this.#ended) return
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
  }

  async close(): Promise<void> {
    this.#end()
    const timeout = Promise.withResolvers<void>()
    const timer = setTimeout(timeout.resolve, closeWaitMs)
    await Promise.race([this.#closed.promise, timeout.promise])
    clearTimeout(timer)
  }

  /** Pings, and notices silence. The wall clock also counts what a suspended machine slept through. */
  #watch(): void {
    const { pingMs, silenceMs } = this.#options.timing
    const now = Date.now()
    if (Math.abs(now - this.#heardAt) >= silenceMs) return this.#end()
    if (Math.abs(now - this.#pingedAt) < pingMs) return
    this.#pingedAt = now
    this.#send({ type: 'ping' })
  }

  #send(frame: Readonly<Record<string, unknown>>): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }

  #receive(data: unknown): void {
    if (this.#ended || typeof data !== 'string') return
    this.#heardAt = Date.now()
    const frame = parseRecord(data)
    if (frame === undefined) return
    if (isSubscribed(frame) && this.#isNews(frame)) this.#subscribed(frame)
    else if (this.#epoch === undefined) this.#beforeSubscribed(frame)
    else if (isSnapshot(frame)) this.#push(frame)
    else this.#logFrame(readLogFrame(frame))
  }

  /** The seed's greeting also comes before the answer to `subscribe`; of these only a refusal matters. */
  #beforeSubscribed(frame: Readonly<Record<string, unknown>>): void {
    if (frame['type'] !== 'error') return
    const code = typeof frame['message'] === 'string' ? frame['message'] : 'invalid_subscribe'
    const message = typeof frame['detail'] === 'string' ? frame['detail'] : `The bridge answered ${code}.`
    this.#error = new ClientError(code, message, { status: 400 })
    this.#end()
  }

  /** After the first, only a gap in the same log is; anything else is a broadcast that calls itself so. */
  #isNews({ epoch, resume }: SubscribedItem): boolean {
    return this.#epoch === undefined || (resume === 'gap' && epoch === this.#epoch)
  }

  #subscribed(frame: SubscribedItem): void {
    this.#epoch = frame.epoch
    this.#seq = frame.seq
    if (this.#liveSince === undefined) {
      this.#liveSince = Date.now()
      this.#options.onLive()
    }
    this.#push(frame)
  }

  #logFrame(frame: LogFrame | undefined): void {
    if (frame === undefined || frame.seq <= this.#seq) return
    this.#seq = frame.seq
    this.#push(frame)
  }

  #push(item: StreamItem): void {
    this.#queue.push(item)
    if (this.#queue.length >= this.#options.timing.maxQueued) {
      this.overflowed = true
      this.#end()
    }
    this.#wake()
  }

  /** Nothing that arrives from here on counts; what is queued is still handed over. */
  #end(): void {
    if (this.#ended) return
    this.#ended = true
    clearInterval(this.#timer)
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    if (this.#liveSince !== undefined) this.#liveMs = Math.max(0, Date.now() - this.#liveSince)
    this.#socket.close()
    this.#options.onEnd()
    this.#wake()
  }
}
