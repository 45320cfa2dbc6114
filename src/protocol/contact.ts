import { z } from 'zod'

/** One word for how an agent is (design, "One word for each thing"). */
export const healthSchema = z.enum(['ok', 'working', 'blocked', 'starting', 'unknown'])
export type Health = z.infer<typeof healthSchema>

/** One addressable agent. Times are milliseconds since the epoch. */
export const contactSchema = z.object({
  id: z.string(),
  name: z.string(),
  agent: z.string(),
  directory: z.string(),
  status: z.enum(['live', 'offline']),
  health: healthSchema,
  /** How text reaches its input; `none` is watched only. */
  transport: z.string(),
  /** The conversation id it last reported in its hooks. */
  session_id: z.string().optional(),
  turn_id: z.string().optional(),
  /** Why the health is what it is, in one line. */
  reason: z.string(),
  /** How many of its requests are open. */
  open_requests: z.number().int().nonnegative(),
  created_at: z.number(),
  last_seen_at: z.number(),
})
export type Contact = z.infer<typeof contactSchema>

/** Why a contact changed; it travels with the new state in a `contact_changed` frame. */
export const contactChangeSchema = z.enum(['connect', 'revive', 'health', 'session', 'offline'])
export type ContactChange = z.infer<typeof contactChangeSchema>
