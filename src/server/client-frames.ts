import type { z } from 'zod'
import type { Identity } from '../access/identity.ts'
import { BridgeError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import { parseJson } from '../core/json.ts'
import { boundSource } from '../operations/hook-source.ts'
import {
  builtInAgents,
  clientFrames,
  type ClientFrame,
  type ClientFrameDeclaration,
  type ClientFrameType,
} from '../protocol/index.ts'
import { requireScope } from './authorize.ts'
import { servoHold, overlayMs } from './compat/control-frames.ts'
import type { ServerParts } from './parts.ts'

/** No type of a frame is longer. */
const maxTypeLength = 100

/** The socket a frame came in on, as far as handlers need it. */
export interface FrameContext {
  readonly clientId: string
  readonly identity: Identity
  readonly reply: (frame: Record<string, unknown>) => void
  readonly subscribe: (frame: ClientFrame<'subscribe'>) => void
}

type FrameHandlers = {
  readonly [T in ClientFrameType]: (frame: ClientFrame<T>, context: FrameContext) => void | Promise<void>
}

/** What each client frame does. */
export function createFrameHandlers(parts: ServerParts): FrameHandlers {
  const { broadcasts, ingest, sessions, clock } = parts
  const signed = (frame: Readonly<Record<string, unknown>>, context: FrameContext) =>
    broadcasts.control({ ...frame, by: context.clientId, ts: clock.now() })

  const isKnown = (agent: string) => parts.adapters.has(agent) || builtInAgents.some((name) => name === agent)

  return {
    send_message: async ({ content, chat_id: chatId, meta }, { clientId }) => {
      await broadcasts.sendMessage({ content, chatId, clientId, meta })
    },
    permission_verdict: async ({ request_id: requestId, behavior }, { identity, reply }) => {
      const outcome = await broadcasts.resolvePermission(requestId, behavior, identity)
      if (!outcome.applied) reply({ type: 'verdict_refused', request_id: requestId, note: outcome.note })
    },
    set_servo_position: ({ position, duration_ms: durationMs }, context) =>
      signed(servoHold(position, durationMs, 'position'), context),
    setColor: (color, context) => signed({ type: 'setColor', ...color }, context),
    config_change: (change, context) => signed({ type: 'config_change', ...change }, context),
    emit_agent_event: async ({ agent, session_id: sessionId, turn_id: turnId, event }, { identity }) => {
      const known = agent !== undefined && isKnown(agent) ? agent : 'simulator'
      const source = boundSource(identity, {})
      const events = [{ event, sessionId, turnId }]
      await ingest.ingestClassified({ agent: known, source, events, at: clock.now() })
    },
    startVerb: ({ verb }) => broadcasts.control({ type: 'startVerb', verb }),
    clearVerb: () => broadcasts.control({ type: 'clearVerb' }),
    setOverlay: ({ verb, duration_ms: durationMs }) =>
      broadcasts.control({ type: 'setOverlay', verb, ...overlayMs(durationMs) }),
    'emotion.command': ({ action, params }) =>
      broadcasts.control({ type: 'emotion.command', action, ...(params && { params }) }),
    request_sessions: (_frame, { identity, reply }) =>
      reply({ type: 'active_sessions', session_ids: sessions.idsFor(identity) }),
    ping: (_frame, { reply }) => reply({ type: 'pong' }),
    subscribe: (frame, { subscribe }) => subscribe(frame),
  }
}

/**
 * Handles one frame of a client.
 *
 * @throws BridgeError with the seed's code for what is wrong with it (seed agent-bridge-readme, "WebSocket API")
 */
export async function handleFrame(
  handlers: FrameHandlers,
  text: string,
  context: FrameContext,
): Promise<void> {
  const { type, fields } = readFrame(text)
  if (!isClientFrameType(type)) throw new BridgeError('unknown_type', { type })
  const declaration = clientFrames[type]
  requireScope(context.identity, declaration.scope)
  await run(handlers, type, fields, context)
}

/** The table with the type each schema reads, so that a type, its frame and its handler stay together. */
const declarations: {
  readonly [T in ClientFrameType]: ClientFrameDeclaration & { readonly schema: z.ZodType<ClientFrame<T>> }
} = clientFrames

function run<T extends ClientFrameType>(
  handlers: Pick<FrameHandlers, T>,
  type: T,
  fields: unknown,
  context: FrameContext,
) {
  const { schema, invalid } = declarations[type]
  const parsed = schema.safeParse(fields)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new BridgeError(invalid, { field: issue?.path.join('.') ?? '', problem: issue?.message ?? '' })
  }
  return handlers[type](parsed.data, context)
}

function readFrame(text: string): { type: string; fields: Record<string, unknown> } {
  const frame = parseJson(text)
  if (!isRecord(frame)) throw new BridgeError('missing_type')
  const { type, ...fields } = frame
  if (typeof type !== 'string' || type === '') throw new BridgeError('missing_type')
  // What is no type at all comes back in the error, so it is not made longer there.
  return { type: type.slice(0, maxTypeLength), fields }
}

function isClientFrameType(type: string): type is ClientFrameType {
  return Object.hasOwn(clientFrames, type)
}
