import { z } from 'zod'
import { agentEventEnvelopeSchema, agentEventSchema, activityRefSchema } from './agent-event.ts'
import { contactChangeSchema, contactSchema } from './contact.ts'
import { resumes, type Cursor } from './cursor.ts'
import type { Scope } from './scopes.ts'

/** Frames of `/ws` (seed agent-bridge-readme, "WebSocket API"; surfaces, "WebSocket"). */

/** An open request as the seed's routes and frames show it. */
export const pendingPermissionSchema = z.object({
  request_id: z.string(),
  activity: activityRefSchema.optional(),
  description: z.string().optional(),
  opened_at: z.number(),
})
export type PendingPermission = z.infer<typeof pendingPermissionSchema>

export const cursorSchema = z.object({
  epoch: z.string(),
  seq: z.number().int().nonnegative(),
}) satisfies z.ZodType<Cursor>

/** What is carried by every log frame a subscriber receives, beside the frame's own fields. */
export interface LogPosition {
  seq: number
  /** The contact it belongs to, if any. */
  contact?: string
}

const rgb = z.number().min(0).max(255)

/** The frames the log keeps, by type. `seed` frames also go to sockets that never subscribe. */
export const logFrameSchemas = {
  agent_event: agentEventEnvelopeSchema,
  inbound_message: z.object({
    type: z.literal('inbound_message'),
    content: z.string(),
    chat_id: z.string(),
    client_id: z.string(),
    meta: z.record(z.string(), z.string()).optional(),
    ts: z.number().optional(),
  }),
  permission_request: pendingPermissionSchema.extend({
    type: z.literal('permission_request'),
    agent: z.string().optional(),
    session_id: z.string().optional(),
  }),
  permission_resolved: z.object({
    type: z.literal('permission_resolved'),
    request_id: z.string(),
    behavior: z.enum(['allow', 'deny']).optional(),
    by: z.string(),
    /** Why it left the list without a verdict. */
    reason: z.string().optional(),
  }),
  contact_changed: z.object({
    type: z.literal('contact_changed'),
    ts: z.number(),
    change: contactChangeSchema,
    state: contactSchema,
  }),
  control: z.looseObject({ type: z.string() }),
} as const

/** Log frame types that the seed does not know: only subscribers receive them. */
export const subscriberOnlyTypes: ReadonlySet<string> = new Set(['contact_changed'])

/** What a client may send: its schema, the scope it needs, and the seed's error when it does not fit. */
export interface ClientFrameDeclaration {
  readonly summary: string
  readonly scope: Scope | null
  readonly schema: z.ZodType
  /** The error code when the schema refuses it. */
  readonly invalid: ClientFrameError
}
export type ClientFrameError =
  | 'content_required'
  | 'invalid_verdict'
  | 'invalid_servo_position'
  | 'invalid_set_color'
  | 'invalid_config_change'
  | 'invalid_emit_agent_event'
  | 'invalid_verb'
  | 'invalid_emotion_command'
  | 'invalid_subscribe'
  | 'missing_type'

const durationMs = z.number().nonnegative()

export const clientFrames = {
  send_message: {
    summary: 'Broadcasts a message to all clients and keeps it in its chat.',
    scope: 'send',
    schema: z.object({
      content: z.string().min(1),
      chat_id: z.string().optional(),
      meta: z.record(z.string(), z.unknown()).optional(),
    }),
    invalid: 'content_required',
  },
  permission_verdict: {
    summary: 'Resolves an open request.',
    scope: 'approve',
    schema: z.object({ request_id: z.string().min(1), behavior: z.enum(['allow', 'deny']) }),
    invalid: 'invalid_verdict',
  },
  set_servo_position: {
    summary: 'Holds the servo at an angle for a while (default 5,000 ms, at most 60,000).',
    scope: 'send',
    schema: z.object({ position: z.number().min(-90).max(90), duration_ms: durationMs.optional() }),
    invalid: 'invalid_servo_position',
  },
  setColor: {
    summary: 'Changes one color of the palette.',
    scope: 'send',
    schema: z
      .object({
        key: z.string().min(1).optional(),
        name: z.string().min(1).optional(),
        color: z.object({ r: rgb, g: rgb, b: rgb }).optional(),
        r: rgb.optional(),
        g: rgb.optional(),
        b: rgb.optional(),
      })
      .transform((frame) => ({
        key: frame.key ?? frame.name,
        r: frame.color?.r ?? frame.r,
        g: frame.color?.g ?? frame.g,
        b: frame.color?.b ?? frame.b,
      }))
      .pipe(z.object({ key: z.string(), r: rgb, g: rgb, b: rgb })),
    invalid: 'invalid_set_color',
  },
  config_change: {
    summary: 'Switches the display mode or the motors.',
    scope: 'send',
    schema: z
      .object({
        display_mode: z.enum(['face', 'text', 'debug']).optional(),
        motors_disabled: z.boolean().optional(),
      })
      .refine((frame) => frame.display_mode !== undefined || frame.motors_disabled !== undefined),
    invalid: 'invalid_config_change',
  },
  emit_agent_event: {
    summary: 'Adds a classified event to the log, as a simulator does.',
    scope: 'ingest',
    schema: z.object({
      agent: z.string().optional(),
      session_id: z.string().optional(),
      turn_id: z.string().optional(),
      event: agentEventSchema,
    }),
    invalid: 'invalid_emit_agent_event',
  },
  startVerb: {
    summary: 'Starts a verb.',
    scope: 'send',
    schema: z.object({ verb: z.string().min(1) }),
    invalid: 'invalid_verb',
  },
  clearVerb: { summary: 'Ends the verb.', scope: 'send', schema: z.object({}), invalid: 'invalid_verb' },
  setOverlay: {
    summary: 'Shows a verb for a while (at most 120,000 ms).',
    scope: 'send',
    schema: z.object({ verb: z.string().min(1), duration_ms: durationMs.optional() }),
    invalid: 'invalid_verb',
  },
  'emotion.command': {
    summary: 'Sends a command to the emotion engine.',
    scope: 'send',
    schema: z.object({ action: z.string().min(1), params: z.record(z.string(), z.unknown()).optional() }),
    invalid: 'invalid_emotion_command',
  },
  request_sessions: {
    summary: 'Asks for `active_sessions`.',
    scope: 'read',
    schema: z.object({}),
    invalid: 'missing_type',
  },
  ping: { summary: 'Asks for `pong`.', scope: null, schema: z.object({}), invalid: 'missing_type' },
  subscribe: {
    summary: 'Follows the log from a cursor; answers `subscribed`, then replays and goes on live.',
    scope: 'read',
    schema: z.object({
      /** `epoch:seq`, or a seq of the present epoch; absent: from now on. */
      after: z.union([z.string(), z.number().int().nonnegative()]).optional(),
      contacts: z.array(z.string()).max(1000).optional(),
      kinds: z.array(z.string()).max(100).optional(),
    }),
    invalid: 'invalid_subscribe',
  },
} as const satisfies Record<string, ClientFrameDeclaration>
export type ClientFrameType = keyof typeof clientFrames
/** A parsed client frame of one type, without its `type`. */
export type ClientFrame<T extends ClientFrameType> = z.infer<(typeof clientFrames)[T]['schema']>

export const helloSchema = z.object({
  type: z.literal('hello'),
  client_id: z.string(),
  server_version: z.string(),
})
export const subscribedSchema = z.object({
  type: z.literal('subscribed'),
  epoch: z.string(),
  seq: z.number(),
  resume: z.enum(resumes),
})
