import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mayReach } from '../../access/tokens.ts'
import { BridgeError } from '../../core/errors.ts'
import { describeRequest } from '../../requests/pending-requests.ts'
import { addRoute } from '../http.ts'
import type { ServerParts } from '../parts.ts'
import { callerOf, objectBody, pathParameter } from '../request.ts'

/** State, sessions and permissions (seed agent-bridge-readme, "HTTP API"). */
export function addStateRoutes(app: FastifyInstance, parts: ServerParts): void {
  const openRequests = (request: FastifyRequest) =>
    parts.requests
      .list()
      .filter(({ contact }) => contact === undefined || mayReach(callerOf(request), contact))
      .map(describeRequest)

  addRoute(app, 'state', (request) => ({
    chats: parts.chats.summaries(),
    pending_permissions: openRequests(request),
    uptime_seconds: Math.floor((parts.clock.now() - parts.startedAt) / 1000),
  }))
  addRoute(app, 'sessions', (request) => ({ session_ids: parts.sessions.idsFor(callerOf(request)) }))
  addRoute(app, 'permissions', openRequests)
  addRoute(app, 'resolvePermission', async (request) => {
    const id = pathParameter(request, 'id')
    const { behavior } = objectBody(request, parts)
    if (behavior !== 'allow' && behavior !== 'deny') throw new BridgeError('behavior_must_be_allow_or_deny')
    const outcome = await parts.broadcasts.resolvePermission(id, behavior, callerOf(request))
    return { request_id: id, behavior, ...outcome }
  })
}
