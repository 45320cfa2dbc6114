import type { FastifyInstance } from 'fastify'
import { BridgeError } from '../../core/errors.ts'
import { routes } from '../../protocol/index.ts'
import { addRoute } from '../http.ts'
import type { ServerParts } from '../parts.ts'
import { objectBody } from '../request.ts'
import { rawControls } from './raw-controls.ts'

/** Raw controls (seed agent-bridge-readme, `/api/raw/*`): each is broadcast to all clients. */
export function addRawRoutes(app: FastifyInstance, parts: ServerParts): void {
  for (const control of rawControls) {
    addRoute(app, control.route, async (request) => {
      const frame = control.frameOf(objectBody(request, parts))
      if (frame === undefined) throw new BridgeError(control.invalid)
      if (typeof frame === 'string') throw new BridgeError(frame)
      await parts.broadcasts.control(frame)
      return { ok: true }
    })
  }

  addRoute(app, 'rawCapabilities', () => ({
    description:
      'Raw controls. Each is broadcast to all WebSocket clients as it is; clients that know it act on it.',
    broadcast: routes.rawBroadcast.path,
    endpoints: rawControls.map(({ route }) => {
      const { method, path, summary } = routes[route]
      return { method, path, summary }
    }),
    examples_verbatim: rawControls.map(({ route, example }) => ({ path: routes[route].path, body: example })),
  }))
}
