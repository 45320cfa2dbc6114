import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import type { Identity } from '../access/identity.ts'
import { mayReach } from '../access/tokens.ts'
import { BridgeError } from '../core/errors.ts'
import { newId, newPrefixedId } from '../core/ids.ts'
import { version } from '../core/version.ts'
import { closeCodes, subscriberOnlyTypes, type ClientFrame } from '../protocol/index.ts'
import type { LogRow } from '../store/log.ts'
import { handleFrame, type createFrameHandlers, type FrameContext } from './client-frames.ts'
import { findPlace } from './cursor.ts'
import { subscriberText } from './frame-text.ts'
import { LogFollower, type FrameSink } from './log-follower.ts'
import type { ServerParts } from './parts.ts'

/** A client that takes nothing for this long is dropped; it may come back and resume. */
const stalledMs = 20_000
/** Frames of one client that may be under way at once; more are held back in its socket. */
const maxFramesUnderWay = 32

interface WsClientOptions {
  readonly parts: ServerParts
  readonly handlers: ReturnType<typeof createFrameHandlers>
  readonly webSocket: WebSocket
  /** The socket below, for handing many frames over at once. */
  readonly socket: Duplex
  readonly identity: Identity
  readonly onClose: () => void
}

/** One open WebSocket: what the log has, at the client's pace, and what the client asks for. */
export class WsClient implements FrameSink {
  readonly identity: Identity
  readonly #parts: ServerParts
  readonly #webSocket: WebSocket
  readonly #socket: Duplex
  readonly #context: FrameContext
  #follower: LogFollower | undefined
  #subscribed = false
  #blockedSince: number | undefined
  #isAlive = true
  #framesUnderWay = 0

  constructor({ parts, handlers, webSocket, socket, identity, onClose }: WsClientOptions) {
    this.identity = identity
    this.#parts = parts
    this.#webSocket = webSocket
    this.#socket = socket
    const clientId = newPrefixedId('ws')
    this.#context = {
      clientId,
      identity,
      reply: (frame) => this.#send(JSON.stringify(frame)),
      subscribe: (frame) => this.#subscribe(frame),
    }
    webSocket.on('close', () => {
      this.#follower?.[Symbol.dispose]()
      onClose()
    })
    webSocket.on('error', () => webSocket.terminate())
    webSocket.on('pong', () => (this.#isAlive = true))
    webSocket.on('message', (data, isBinary) => {
      this.#isAlive = true
      void this.#receive(isBinary ? undefined : textOf(data), handlers)
    })
    this.#send(JSON.stringify({ type: 'hello', client_id: clientId, server_version: version }))
    this.sendSessions()
    if (this.#mayRead) this.#follow(parts.log.lastSeq, {})
  }

  get #mayRead(): boolean {
    return this.identity.scopes.has('read')
  }

  async #receive(text: string | undefined, handlers: WsClientOptions['handlers']): Promise<void> {
    this.#framesUnderWay += 1
    if (this.#framesUnderWay >= maxFramesUnderWay) this.#webSocket.pause()
    try {
      if (text === undefined) throw new BridgeError('invalid_json')
      await handleFrame(handlers, text, this.#context)
    } catch (error) {
      this.#send(JSON.stringify(this.#describe(error)))
    } finally {
      this.#framesUnderWay -= 1
      if (this.#webSocket.isPaused) this.#webSocket.resume()
    }
  }

  /** The seed's error frame; `detail` says it for a person. */
  #describe(error: unknown): Record<string, unknown> {
    if (error instanceof BridgeError) {
      const message =
        error.code === 'unknown_type' ? `unknown_type:${String(error.data['type'])}` : error.code
      return { type: 'error', message, detail: error.message }
    }
    const id = newId()
    this.#parts.logger.error({ err: error, id }, 'unexpected error')
    return {
      type: 'error',
      message: 'internal_error',
      detail: new BridgeError('internal_error', { id }).message,
    }
  }

  #subscribe({ after, contacts, kinds }: ClientFrame<'subscribe'>): void {
    const place = findPlace(this.#parts.log, after)
    this.#subscribed = true
    this.#announce(place.after, place.resume)
    this.#follow(place.after, {
      ...(contacts && { contacts: new Set(contacts) }),
      ...(kinds && { kinds: new Set(kinds) }),
    })
  }

  #follow(after: number, filter: { contacts?: ReadonlySet<string>; kinds?: ReadonlySet<string> }): void {
    this.#follower?.[Symbol.dispose]()
    this.#follower = new LogFollower(this.#parts.log, this, {
      after,
      filter: {
        ...filter,
        accepts: (row) =>
          (this.#subscribed || !subscriberOnlyTypes.has(row.type)) &&
          (row.contact === undefined || mayReach(this.identity, row.contact)),
      },
    })
  }

  #announce(seq: number, resume: 'ok' | 'gap'): void {
    this.#send(JSON.stringify({ type: 'subscribed', epoch: this.#parts.log.epoch, seq, resume }))
    if (resume === 'gap') this.#send(JSON.stringify(this.#parts.snapshot(this.identity)))
  }

  get ready(): boolean {
    return this.#blockedSince === undefined && this.#webSocket.readyState === this.#webSocket.OPEN
  }

  begin(): void {
    this.#socket.cork()
  }

  end(): void {
    this.#socket.uncork()
  }

  write(row: LogRow): void {
    this.#send(this.#subscribed ? subscriberText(row) : row.frame)
  }

  /** Only subscribers know of places; for the others a gap is what was not sent while they were slow. */
  gap(after: number): void {
    if (this.#subscribed) this.#announce(after, 'gap')
  }

  /** Tells which sessions are active (seed: "Current session id list"). */
  sendSessions(): void {
    if (this.#mayRead)
      this.#send(JSON.stringify({ type: 'active_sessions', session_ids: this.#parts.sessions.ids }))
  }

  #send(text: string): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return
    this.#webSocket.send(text, () => this.#afterSend())
    if (this.#webSocket.bufferedAmount > this.#parts.config.limits.clientBufferBytes) {
      this.#blockedSince ??= this.#parts.clock.monotonic()
    }
  }

  #afterSend(): void {
    if (this.#blockedSince === undefined || this.#webSocket.bufferedAmount > 0) return
    this.#blockedSince = undefined
    this.#follower?.pump()
  }

  /** The regular look: is the peer there, does it read, does its token still hold? */
  beat(): void {
    const blockedMs =
      this.#blockedSince === undefined ? 0 : this.#parts.clock.monotonic() - this.#blockedSince
    if (!this.#parts.tokens.isCurrent(this.identity))
      this.close(closeCodes.revoked, 'token expired or revoked')
    else if (blockedMs > stalledMs) this.close(closeCodes.slow, 'reads too slowly; resume from your cursor')
    else if (!this.#isAlive) this.#webSocket.terminate()
    else {
      this.#isAlive = false
      this.#webSocket.ping()
    }
  }

  close(code: number, reason: string): void {
    this.#follower?.[Symbol.dispose]()
    this.#webSocket.close(code, reason)
    // A peer that does not read will not answer the close either.
    setTimeout(() => this.#webSocket.terminate(), 1_000).unref()
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString('utf8')
}
