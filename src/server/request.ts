import type { FastifyRequest } from 'fastify'
import type { Identity } from '../access/identity.ts'
import { BridgeError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import type { ServerParts } from './parts.ts'
import { parseBody, type Body } from './read-body.ts'

/** A path parameter; routes are registered with the parameters they read. */
export function pathParameter(request: FastifyRequest, name: string): string {
  const { params } = request
  const value = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`)
  return value
}

/** A parameter of the query; undefined when it is absent, empty or given twice. */
export function queryParameter(request: FastifyRequest, name: string): string | undefined {
  const { query } = request
  const value = typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The body as `readBody` left it; an empty one when there was none. */
export function rawBody(request: FastifyRequest): Body {
  const { body } = request
  if (typeof body === 'object' && body !== null && 'bytes' in body && 'truncated' in body) {
    const { bytes, truncated } = body
    if (Buffer.isBuffer(bytes)) return { bytes, truncated: truncated === true }
  }
  return { bytes: Buffer.alloc(0), truncated: false }
}

/**
 * The body as JSON.
 *
 * @throws BridgeError `invalid_json`, `body_too_large`
 */
export function jsonBody(request: FastifyRequest, parts: ServerParts): unknown {
  return parseBody(rawBody(request), parts.config.limits.bodyBytes)
}

/**
 * The body as a JSON object.
 *
 * @throws BridgeError `body_must_be_a_json_object`, and as {@link jsonBody}
 */
export function objectBody(request: FastifyRequest, parts: ServerParts): Record<string, unknown> {
  const body = jsonBody(request, parts)
  if (!isRecord(body)) throw new BridgeError('body_must_be_a_json_object')
  return body
}

/** Who calls; routes with a scope have always one. */
export function callerOf(request: FastifyRequest): Identity {
  if (!request.identity) throw new BridgeError('unauthorized')
  return request.identity
}
