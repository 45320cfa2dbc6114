import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import type { Identity } from '../access/identity.ts'
import { mayReach } from '../access/tokens.ts'
import { BridgeError } from '../core/errors.ts'
import { newPrefixedId } from '../core/ids.ts'
import { version } from '../core/version.ts'
import { closeCodes, subscriberOnlyTypes, type ClientFrame } from '../protocol/index.ts'
import type { LogRow } from '../store/log.ts'
import { handleFrame, type createFrameHandlers, type FrameContext } from './client-frames.ts'
import { findPlace } from './cursor.ts'
import { toBridgeError } from './edge-error.ts'
import { plainBytes, subscriberBytes } from './frame-bytes.ts'
import { LogFollower, type FrameSink } from './log-follower.ts'
import type { ServerParts } from './parts.ts'

/** A client that takes nothing for this long is dropped; it may come back and resume. */
const stalledMs = 20_000
/** How long a closed peer gets to agree: one that does not read may still come to its senses. */
const closeGraceMs = 1_000
const slowGraceMs = 10_000
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
  /** The list of sessions changed while nothing more could be sent. */
  #sessionsWait = false
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
    if (!this.#parts.tokens.isCurrent(this.identity)) return this.#closeRevoked()
    this.#framesUnderWay += 1
    if (!this.#takesFrames) this.#webSocket.pause()
    try {
      if (text === undefined) throw new BridgeError('invalid_json')
      await handleFrame(handlers, text, this.#context)
    } catch (error) {
      this.#send(JSON.stringify(this.#describe(error)))
    } finally {
      this.#framesUnderWay -= 1
      this.#resume()
    }
  }

  /** Who does not read its answers gets to ask nothing more until it does. */
  get #takesFrames(): boolean {
    return this.#framesUnderWay < maxFramesUnderWay && this.#blockedSince === undefined
  }

  #resume(): void {
    if (this.#webSocket.isPaused && this.#takesFrames) this.#webSocket.resume()
  }

  /** The seed's error frame; `detail` says it for a person. */
  #describe(error: unknown): Record<string, unknown> {
    const { code, data, message: detail } = toBridgeError(error, this.#parts.logger)
    const message = code === 'unknown_type' ? `unknown_type:${String(data['type'])}` : code
    return { type: 'error', message, detail }
  }

  #subscribe({ after, contacts, kinds }: ClientFrame<'subscribe'>): void {
    // From now on is from what was sent last: nothing falls between the old filter and the new one.
    const place = findPlace(this.#parts.log, after ?? this.#follower?.after)
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
    this.#send(this.#subscribed ? subscriberBytes(row) : plainBytes(row))
  }

  /** Only subscribers know of places; for the others a gap is what was not sent while they were slow. */
  gap(after: number): void {
    if (this.#subscribed) this.#announce(after, 'gap')
  }

  /** Tells which sessions are active (seed: "Current session id list"). */
  sendSessions(): void {
    this.#sessionsWait = this.#blockedSince !== undefined
    if (this.#sessionsWait || !this.#mayRead) return
    this.#context.reply({
      type: 'active_sessions',
      session_ids: this.#parts.sessions.idsFor(this.identity),
    })
  }

  readonly #onSent = () => this.#afterSend()

  #send(frame: string | Buffer): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return
    this.#webSocket.send(frame, { binary: false }, this.#onSent)
    if (this.#webSocket.bufferedAmount > this.#parts.config.limits.clientBufferBytes) {
      this.#blockedSince ??= this.#parts.clock.monotonic()
    }
  }

  #afterSend(): void {
    // Not zero: answers to pings may still wait behind the last frame, and nobody tells when those are sent.
    const isLow = this.#webSocket.bufferedAmount <= this.#parts.config.limits.clientBufferBytes / 2
    if (this.#blockedSince === undefined || !isLow) return
    this.#blockedSince = undefined
    if (this.#sessionsWait) this.sendSessions()
    this.#follower?.pump()
    this.#resume()
  }

  /** The regular look: is the peer there, does it read, does its token still hold? */
  beat(): void {
    const blockedMs =
      this.#blockedSince === undefined ? 0 : this.#parts.clock.monotonic() - this.#blockedSince
    if (!this.#parts.tokens.isCurrent(this.identity)) this.#closeRevoked()
    else if (blockedMs > stalledMs)
      this.close(closeCodes.slow, 'reads too slowly; resume from your cursor', slowGraceMs)
    // Its pongs wait behind what it has not read.
    else if (blockedMs > 0) this.#isAlive = true
    else if (!this.#isAlive) this.#webSocket.terminate()
    else {
      this.#isAlive = false
      this.#webSocket.ping()
    }
  }

  #closeRevoked(): void {
    this.close(closeCodes.revoked, 'token expired or revoked')
  }

  close(code: number, reason: string, graceMs = closeGraceMs): void {
    this.#follower?.[Symbol.dispose]()
    this.#webSocket.close(code, reason)
    this.#webSocket.resume()
    setTimeout(() => this.#webSocket.terminate(), graceMs).unref()
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString('utf8')
}
