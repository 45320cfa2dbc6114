import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import { BridgeError, errorTable } from '../core/errors.ts'
import { closeCodes } from '../protocol/index.ts'
import { identify } from './authorize.ts'
import { createFrameHandlers } from './client-frames.ts'
import { describeError } from './edge-error.ts'
import type { ServerParts } from './parts.ts'
import { WsClient } from './ws-client.ts'

/** A peer that answered no ping for two of these is gone (bug case B53). */
const heartbeatMs = 15_000
/** Who is not let in does not get to hold a socket by never closing it. */
const turnedAwayMs = 1_000
/** The largest frame a client may send. */
const maxFrameBytes = 1_000_000

export interface WsHub {
  readonly count: () => number
  close: () => Promise<void>
}

/** `/ws` (seed agent-bridge-readme, "WebSocket API"). */
export function addWebSocket(app: FastifyInstance, parts: ServerParts): WsHub {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false })
  const clients = new Set<WsClient>()
  const handlers = createFrameHandlers(parts)

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    try {
      if (pathOf(request) !== '/ws') throw new BridgeError('not_found')
      parts.originRules.check(request.rawHeaders)
    } catch (error) {
      refuse(socket, error)
      return
    }
    const identity = identify(parts, request, { takesTicket: true, takesQueryToken: true })
    server.handleUpgrade(request, socket, head, (webSocket) => {
      if (!identity) {
        turnAway(webSocket)
        return
      }
      const client = new WsClient({
        parts,
        handlers,
        webSocket,
        socket,
        identity,
        onClose: () => clients.delete(client),
      })
      clients.add(client)
    })
  }
  app.server.on('upgrade', upgrade)

  let sessionsChanged = false
  // Sessions that come in a burst are one change.
  const sessionChanges = parts.sessions.onChange(() => {
    if (sessionsChanged) return
    sessionsChanged = true
    setImmediate(() => {
      sessionsChanged = false
      for (const client of clients) client.sendSessions()
    })
  })
  const revocation = parts.tokens.onRevoked((id) => {
    for (const client of clients)
      if (client.identity.id === id) client.close(closeCodes.revoked, 'token revoked')
  })
  const heartbeat = setInterval(() => {
    for (const client of clients) client.beat()
  }, heartbeatMs)

  return {
    count: () => clients.size,
    close: async () => {
      clearInterval(heartbeat)
      sessionChanges[Symbol.dispose]()
      revocation[Symbol.dispose]()
      app.server.off('upgrade', upgrade)
      for (const client of clients) client.close(closeCodes.goingAway, 'the bridge is stopping')
      server.close()
    },
  }
}

/** Accepts and then closes, so that a browser sees the code (seed: "Bad token → close code 4401"). */
function turnAway(webSocket: WebSocket): void {
  webSocket.on('error', () => webSocket.terminate())
  webSocket.close(closeCodes.unauthorized, 'unauthorized')
  setTimeout(() => webSocket.terminate(), turnedAwayMs).unref()
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? ''
}

function refuse(socket: Duplex, error: unknown): void {
  const known = error instanceof BridgeError ? error : new BridgeError('not_found')
  const body = JSON.stringify(describeError(known))
  const { status } = errorTable[known.code]
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), turnedAwayMs).unref()
}
