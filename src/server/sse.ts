import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '../access/identity.ts'
import { mayReach } from '../access/tokens.ts'
import { formatCursor } from '../protocol/index.ts'
import type { LogRow } from '../store/log.ts'
import { findPlace } from './cursor.ts'
import { eventBytes } from './frame-bytes.ts'
import { addRoute } from './http.ts'
import { LogFollower, type FrameSink } from './log-follower.ts'
import type { ServerParts } from './parts.ts'
import { callerOf, queryParameter } from './request.ts'

/** Proxies and browsers take a silent stream for dead (surfaces, "REST": heartbeat every 15 s). */
const heartbeatMs = 15_000
/** A reader that takes nothing for this long is dropped; it may come back and resume. */
const stalledMs = 20_000

const mediaType = 'text/event-stream; charset=utf-8'

/** `/events`: the log as server-sent events. */
export function addSse(
  app: FastifyInstance,
  parts: ServerParts,
): { readonly count: () => number; close: () => void } {
  const open = new Set<SseReader>()
  const handler = (request: FastifyRequest, reply: FastifyReply) => {
    // Who asks for the head alone would otherwise hold a stream that shows nothing.
    if (request.method === 'HEAD') return reply.type(mediaType).send()
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    const reader = new SseReader(parts, request, reply.raw, callerOf(request), () => open.delete(reader))
    open.add(reader)
    return undefined
  }
  addRoute(app, 'events', handler, { takesTicket: true })
  addRoute(app, 'apiEvents', handler, { takesTicket: true })
  return {
    count: () => open.size,
    close: () => {
      for (const reader of open) reader.close()
    },
  }
}

class SseReader implements FrameSink {
  readonly #parts: ServerParts
  readonly #response: ServerResponse
  readonly #identity: Identity
  readonly #onClose: () => void
  readonly #follower: LogFollower
  readonly #heartbeat: NodeJS.Timeout
  readonly #revocation: Disposable
  #blockedSince: number | undefined

  constructor(
    parts: ServerParts,
    request: FastifyRequest,
    response: ServerResponse,
    identity: Identity,
    onClose: () => void,
  ) {
    this.#parts = parts
    this.#response = response
    this.#identity = identity
    this.#onClose = onClose
    response.writeHead(200, {
      'content-type': mediaType,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    response.on('close', () => this.close())
    response.on('drain', () => {
      this.#blockedSince = undefined
      this.#follower.pump()
    })
    response.on('error', () => this.close())
    const place = findPlace(
      parts.log,
      request.headers['last-event-id']?.toString() ?? queryParameter(request, 'after'),
    )
    this.#announce(place.after, place.resume)
    this.#follower = new LogFollower(parts.log, this, {
      after: place.after,
      filter: {
        ...setOf('contacts', queryParameter(request, 'contacts')),
        ...setOf('kinds', queryParameter(request, 'kinds')),
        accepts: (row) => row.contact === undefined || mayReach(identity, row.contact),
      },
    })
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs)
    this.#revocation = parts.tokens.onRevoked((id) => {
      if (id === identity.id) this.close()
    })
  }

  get ready(): boolean {
    return this.#blockedSince === undefined && !this.#response.writableEnded
  }

  begin(): void {
    this.#response.cork()
  }

  end(): void {
    this.#response.uncork()
  }

  write(row: LogRow): void {
    this.#write(eventBytes(row, this.#parts.log.epoch))
  }

  gap(after: number): void {
    this.#announce(after, 'gap')
  }

  /** The new place is given with what makes it good: after a gap that is the snapshot. */
  #announce(after: number, resume: 'ok' | 'gap'): void {
    const { epoch } = this.#parts.log
    const announcement = JSON.stringify({ type: 'subscribed', epoch, seq: after, resume })
    this.#send(resume === 'ok' ? after : undefined, announcement)
    if (resume === 'gap') this.#send(after, JSON.stringify(this.#parts.snapshot(this.#identity)))
  }

  #send(seq: number | undefined, data: string): void {
    const id = seq === undefined ? '' : `id: ${formatCursor({ epoch: this.#parts.log.epoch, seq })}\n`
    this.#write(`${id}data: ${data}\n\n`)
  }

  #write(event: string | Buffer): void {
    this.#response.write(event)
    if (this.#response.writableLength > this.#parts.config.limits.clientBufferBytes) {
      this.#blockedSince ??= this.#parts.clock.monotonic()
    }
  }

  #beat(): void {
    const blockedMs =
      this.#blockedSince === undefined ? 0 : this.#parts.clock.monotonic() - this.#blockedSince
    if (blockedMs > stalledMs || !this.#parts.tokens.isCurrent(this.#identity)) this.close()
    else if (this.ready) this.#response.write(': still here\n\n')
  }

  close(): void {
    clearInterval(this.#heartbeat)
    this.#follower[Symbol.dispose]()
    this.#revocation[Symbol.dispose]()
    this.#onClose()
    if (this.#blockedSince === undefined) this.#response.end()
    else this.#response.destroy()
  }
}

function setOf(name: 'contacts' | 'kinds', list: string | undefined) {
  return list === undefined ? {} : { [name]: new Set(list.split(',')) }
}
