import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Adapter } from '../../agents/adapter.ts'
import type { HookSource } from '../../contacts/contact-keys.ts'
import { BridgeError } from '../../core/errors.ts'
import { parseJsonPrefix } from '../../core/json-prefix.ts'
import { isRecord } from '../../core/record.ts'
import type { IncomingHook } from '../../operations/ingest.ts'
import { boundSource } from '../../operations/hook-source.ts'
import { agentEventSchema } from '../../protocol/index.ts'
import { addRoute } from '../http.ts'
import type { ServerParts } from '../parts.ts'
import type { Body } from '../read-body.ts'
import { callerOf, jsonBody, pathParameter, rawBody } from '../request.ts'

/** A hook may be this old when it was kept in a spool, and a clock may be this far ahead. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000
const maxAheadMs = 60 * 1000

/** Hook ingest (seed agent-bridge-readme, "Wire up your agent"). */
export function addHookRoutes(app: FastifyInstance, parts: ServerParts): void {
  addRoute(app, 'hook', async (request, reply) => {
    const agent = pathParameter(request, 'agent')
    const body = rawBody(request)
    const { id, at, source } = readHookHeaders(request, parts.clock.now())
    const from = boundSource(callerOf(request), source)
    const hook = readHook(
      parts.adapters.get(agent.toLowerCase()),
      body,
      headerOf(request, 'x-bridge-hook-type'),
      parts,
    )
    parts.logger.debug({ agent, hook: hook.type, bytes: body.bytes.length }, 'hook')
    await parts.ingest.ingest(agent, { ...hook, id, at, source: from })
    // The beginning was enough for an event, but its sender should know that the rest was not taken.
    if (body.truncated) throw tooLarge(parts)
    return reply.status(204).send()
  })

  addRoute(app, 'hookRaw', async (request, reply) => {
    const agent = pathParameter(request, 'agent').toLowerCase()
    const parsed = classifiedSchema.safeParse(jsonBody(request, parts))
    if (!parsed.success) throw new BridgeError('events_required')
    await parts.ingest.ingestClassified({
      agent,
      source: boundSource(callerOf(request), {}),
      at: parts.clock.now(),
      events: parsed.data.events.map(({ event, session_id: sessionId, turn_id: turnId }) => ({
        event,
        sessionId,
        turnId,
      })),
    })
    return reply.status(204).send()
  })
}

const classifiedSchema = z.object({
  events: z
    .array(
      z.object({
        event: agentEventSchema,
        session_id: z.string().max(500).default('debug'),
        turn_id: z.string().max(500).optional(),
      }),
    )
    .max(1_000),
})

/**
 * Reads a hook's body: the seed's `{hook_type, payload}`, or what an agent posts itself.
 *
 * @throws BridgeError `invalid_json`, `hook_type_required`; `body_too_large` when a cut one says too little
 */
export function readHook(
  adapter: Adapter | undefined,
  body: Body,
  hookType: string | undefined,
  parts: Pick<ServerParts, 'config'>,
): Pick<IncomingHook, 'type' | 'payload' | 'truncated'> {
  const truncated = body.truncated ? { truncated: true } : {}
  const value = body.truncated ? prefixOf(body, parts) : parseObject(body)
  const { hook_type: seedType, payload } = value
  if (typeof seedType === 'string' && seedType !== '') {
    return { type: seedType, payload: isRecord(payload) ? payload : {}, ...truncated }
  }
  const type = hookType ?? adapter?.nativeHookType(value)
  if (type !== undefined) return { type, payload: value, ...truncated }
  if (!body.truncated) throw new BridgeError('hook_type_required')
  // The seed's `hook_type` may have stood behind where the body was cut; agents name the hook inside as well.
  const inner = isRecord(payload) ? payload : {}
  const innerType = adapter?.nativeHookType(inner)
  if (innerType === undefined) throw tooLarge(parts)
  return { type: innerType, payload: inner, truncated: true }
}

function tooLarge(parts: Pick<ServerParts, 'config'>): BridgeError {
  return new BridgeError('body_too_large', { maxBytes: parts.config.limits.bodyBytes })
}

/** An empty body is an empty object, as everywhere. How deep it is nested is looked at when it is taken in. */
function parseObject(body: Body): Record<string, unknown> {
  if (body.bytes.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(body.bytes.toString('utf8'))
  } catch (error) {
    throw new BridgeError('invalid_json', {}, { cause: error })
  }
  if (!isRecord(value)) throw new BridgeError('hook_type_required')
  return value
}

function prefixOf(body: Body, parts: Pick<ServerParts, 'config'>): Record<string, unknown> {
  const value = parseJsonPrefix(body.bytes.toString('utf8'))
  if (!value) throw tooLarge(parts)
  return value
}

/** What the forwarder says about a hook beside its body. */
function readHookHeaders(
  request: FastifyRequest,
  now: number,
): { id?: string; at: number; source: HookSource } {
  const id = headerOf(request, 'x-bridge-hook-id')
  const time = Number(headerOf(request, 'x-bridge-hook-time') ?? Number.NaN)
  return {
    ...(id !== undefined && { id }),
    at: time > now - maxAgeMs && time < now + maxAheadMs ? time : now,
    source: {
      contact: headerOf(request, 'x-bridge-contact'),
      pid: headerOf(request, 'x-bridge-agent-pid'),
      pane: headerOf(request, 'x-bridge-pane'),
    },
  }
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' && value.length <= 200 ? value : undefined
}
