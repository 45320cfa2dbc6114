import type { IncomingMessage } from 'node:http'
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify'
import type { Identity } from '../access/identity.ts'
import { BridgeError, errorTable } from '../core/errors.ts'
import { routes, type RouteName, type Scope } from '../protocol/index.ts'
import { identify, requireScope } from './authorize.ts'
import { describeError, toBridgeError } from './edge-error.ts'
import type { ServerParts } from './parts.ts'
import { readBody } from './read-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope a token needs for this route; null: none. With a route without it the server does not start. */
    scope?: Scope | null
    /** Whether a one-time ticket in the address opens it as well as a token. */
    takesTicket?: boolean
  }
  interface FastifyRequest {
    identity: Identity | undefined
  }
}

/** No page of the bridge loads anything from elsewhere, and none may be framed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' ws: wss:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A sender gets this long for the headers, and this long for a whole request. */
const headersTimeoutMs = 10_000
const requestTimeoutMs = 30_000

/** The HTTP server: access rules before anything else, errors translated in one place. */
export function createHttp(parts: ServerParts): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = parts.logger
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: requestTimeoutMs,
    // A path with a broken escape is simply not found.
    frameworkErrors: (_error, _request, reply) => void sendError(reply, new BridgeError('not_found')),
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: true,
  })
  app.server.headersTimeout = headersTimeoutMs
  app.decorateRequest('identity', undefined)
  app.removeAllContentTypeParsers()
  // What is sent is JSON, whatever its sender calls it; tokens and Origin keep foreign pages out.
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, parts.config.limits.bodyBytes),
  )

  // Looked at when all are there: the static files get theirs from their folder.
  const registered: RouteOptions[] = []
  app.addHook('onRoute', (route) => void registered.push(route))
  app.addHook('onReady', async () => {
    for (const { url, config } of registered)
      if (config?.scope === undefined) throw new Error(`${url} declares no scope`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const origin = parts.originRules.check(request.raw.rawHeaders)
    if (origin === 'configured') allowOrigin(request, reply)
    const { scope = null, takesTicket = false } = request.routeOptions.config
    request.identity = identify(parts, request.raw, { takesTicket })
    if (!request.is404) requireScope(request.identity, scope)
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', contentSecurityPolicy)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
  })
  app.setErrorHandler((error, _request, reply) => sendError(reply, translate(error, parts)))
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method === 'OPTIONS') return reply.status(204).send()
    return sendError(reply, new BridgeError('not_found'))
  })
  return app
}

/** Registers the handler of a declared route with the route's scope. */
export function addRoute(
  app: FastifyInstance,
  name: RouteName,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  options: { readonly takesTicket?: boolean } = {},
): void {
  const declaration = routes[name]
  app.route({
    method: declaration.method,
    url: toFastifyPath(declaration.path),
    config: { scope: declaration.scope, ...options },
    handler: async (request, reply) => handler(request, reply),
  })
}

/** `{name}` as the declarations write it, `:name` as fastify does. */
export function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Pages of a configured origin may call and read; cookies count for nothing, so no credentials are allowed. */
function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'access-control-allow-origin': request.headers.origin ?? '',
    vary: 'Origin',
    ...(request.method === 'OPTIONS' && {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, Last-Event-ID, X-Bridge-Token',
      'access-control-max-age': '600',
    }),
  })
}

function translate(error: unknown, parts: ServerParts): BridgeError {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (status === 400) return new BridgeError('invalid_json', {}, { cause: error })
  if (status === 413) return new BridgeError('body_too_large', { maxBytes: parts.config.limits.bodyBytes })
  if (status === 415) return new BridgeError('unsupported_media_type')
  return toBridgeError(error, parts.logger)
}

async function sendError(reply: FastifyReply, error: BridgeError): Promise<FastifyReply> {
  if (error.code === 'body_too_large') reply.header('connection', 'close')
  return reply.status(errorTable[error.code].status).send(describeError(error))
}
