import type { FastifyInstance } from 'fastify'
import { BridgeError } from '../core/errors.ts'
import { addFirebaseRoute } from './compat/firebase-route.ts'
import { addHealthRoutes } from './compat/health.ts'
import { addHookRoutes } from './compat/hook-routes.ts'
import { addMessageRoutes } from './compat/message-routes.ts'
import { addRawRoutes } from './compat/raw-routes.ts'
import { addStateRoutes } from './compat/state-routes.ts'
import { createHttp } from './http.ts'
import { addPages } from './pages.ts'
import type { ServerParts } from './parts.ts'
import { addOperationRoutes } from './rest.ts'
import { addSse } from './sse.ts'
import { addWebSocket } from './ws.ts'

/** The network surfaces, listening. */
export interface RunningServer extends AsyncDisposable {
  readonly port: number
  /** Streams that are open, WebSocket and SSE together. */
  readonly countClients: () => number
  /** The application itself, for tests that walk its routes. */
  readonly app: FastifyInstance
}

/**
 * Puts all network surfaces on one port.
 *
 * @throws BridgeError `port_in_use`
 */
export async function openServer(parts: ServerParts): Promise<RunningServer> {
  const app = createHttp(parts)
  addHealthRoutes(app, parts)
  addHookRoutes(app, parts)
  addMessageRoutes(app, parts)
  addStateRoutes(app, parts)
  addRawRoutes(app, parts)
  addFirebaseRoute(app, parts)
  addOperationRoutes(app, parts)
  const sse = addSse(app, parts)
  const webSocket = addWebSocket(app, parts)
  await addPages(app)
  const close = async () => {
    sse.close()
    await webSocket.close()
    await app.close()
  }
  const { host, port } = parts.config
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `listening on ${address}` })
  } catch (error) {
    await close()
    const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    throw inUse ? new BridgeError('port_in_use', { host, port }, { cause: error }) : error
  }
  const address = app.server.address()
  return {
    app,
    port: typeof address === 'object' && address !== null ? address.port : port,
    countClients: () => sse.count() + webSocket.count(),
    [Symbol.asyncDispose]: close,
  }
}
