import type { FastifyInstance } from 'fastify'
import { version } from '../../core/version.ts'
import { addRoute } from '../http.ts'
import type { ServerParts } from '../parts.ts'

/** Liveness without a token (seed agent-bridge-readme, `GET /api/health`; seed bridged-wiki-diff, `/healthz`). */
export function addHealthRoutes(app: FastifyInstance, parts: ServerParts): void {
  const health = () => ({
    ok: true,
    version,
    uptime_seconds: Math.floor((parts.clock.now() - parts.startedAt) / 1000),
    agents: [...parts.adapters.keys()],
    store: 'ok',
  })
  addRoute(app, 'health', health)
  addRoute(app, 'healthz', health)
}
