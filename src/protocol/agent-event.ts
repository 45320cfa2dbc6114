import { z } from 'zod'
import { activityKinds } from './activity-kinds.ts'

/**
 * The shared event vocabulary of all agents (seed agent-bridge-readme, "WebSocket API"; the 19 kinds and their
 * fields are its object interface). Events are facts: classified, never raw, and no derived state.
 */

/** Kinds of coding agent that come with the bridge; a harness a user registers adds its own name. */
export const builtInAgents = ['claude', 'codex', 'cursor', 'opencode', 'simulator'] as const
export type BuiltInAgent = (typeof builtInAgents)[number]

export const activityKindSchema = z.enum(activityKinds)

/** One use of a tool. `started` and `finished` or `failed` of one use carry the same `id`. */
export const activityRefSchema = z.object({
  id: z.string(),
  kind: activityKindSchema,
  /** The agent's own name of the tool. */
  tool: z.string(),
  /** At most 80 characters; empty when there is nothing useful to say. */
  summary: z.string(),
})
export type ActivityRef = z.infer<typeof activityRefSchema>

export const todoItemSchema = z.object({
  text: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
})
export type TodoItem = z.infer<typeof todoItemSchema>

const durationMs = z.number().nonnegative()
/** True when the hook was larger than the bridge takes and only its beginning was read (bug case B20). */
const truncated = z.literal(true).optional()
/** Set on what a subagent did: its id. Subagents belong to their parent's contact. */
const subagentId = z.string().optional()

export const agentEventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('session.started'),
    cause: z.enum(['startup', 'resume', 'clear', 'compact', 'unknown']).optional(),
  }),
  z.object({
    kind: z.literal('session.ended'),
    cause: z.enum(['completed', 'aborted', 'error', 'window_close', 'user_close', 'unknown']).optional(),
    duration_ms: durationMs.optional(),
  }),
  z.object({
    kind: z.literal('turn.started'),
    prompt: z.string().optional(),
    /** `continued`: a Stop hook or a background task went on with a turn that had ended. */
    cause: z.enum(['prompt', 'queued', 'continued', 'background']).optional(),
  }),
  z.object({
    kind: z.literal('turn.ended'),
    cause: z.enum(['completed', 'aborted', 'error', 'unknown']).optional(),
    last_assistant_text: z.string().optional(),
    /** What went wrong, in the agent's own words, when the cause is `error`. */
    error_message: z.string().optional(),
    /** How many tasks go on in the background after this end. */
    background_tasks: z.number().int().nonnegative().optional(),
    duration_ms: durationMs.optional(),
  }),
  z.object({ kind: z.literal('message.user'), text: z.string() }),
  z.object({
    kind: z.literal('message.assistant'),
    text: z.string(),
    final: z.boolean().optional(),
    subagent_id: subagentId,
  }),
  z.object({ kind: z.literal('thinking'), text: z.string() }),
  z.object({
    kind: z.literal('activity.started'),
    activity: activityRefSchema,
    subagent_id: subagentId,
    truncated,
  }),
  z.object({
    kind: z.literal('activity.finished'),
    activity: activityRefSchema,
    duration_ms: durationMs.optional(),
    output_preview: z.string().optional(),
    content_length: z.number().int().nonnegative().optional(),
    subagent_id: subagentId,
    truncated,
  }),
  z.object({
    kind: z.literal('activity.failed'),
    activity: activityRefSchema,
    duration_ms: durationMs.optional(),
    error_message: z.string().optional(),
    failure_kind: z.enum(['timeout', 'error', 'permission_denied', 'interrupted', 'unknown']).optional(),
    subagent_id: subagentId,
    truncated,
  }),
  z.object({
    kind: z.literal('permission.requested'),
    request_id: z.string(),
    activity: activityRefSchema.optional(),
    description: z.string().optional(),
  }),
  z.object({
    kind: z.literal('permission.resolved'),
    request_id: z.string(),
    decision: z.enum(['allow', 'deny']),
    scope: z.enum(['once', 'session', 'always', 'unknown']).optional(),
  }),
  z.object({ kind: z.literal('todo.updated'), items: z.array(todoItemSchema) }),
  z.object({
    kind: z.literal('subagent.started'),
    subagent_id: z.string(),
    subagent_type: z.string().optional(),
    task: z.string().optional(),
  }),
  z.object({
    kind: z.literal('subagent.finished'),
    subagent_id: z.string(),
    cause: z.enum(['completed', 'aborted', 'error', 'unknown']).optional(),
  }),
  z.object({ kind: z.literal('agent.question'), text: z.string(), options: z.array(z.string()).optional() }),
  z.object({
    kind: z.literal('context.compacting'),
    trigger: z.enum(['auto', 'manual']).optional(),
    context_usage_percent: z.number().optional(),
  }),
  z.object({ kind: z.literal('notification'), text: z.string().optional() }),
  z.object({ kind: z.literal('unknown'), truncated }),
])
export type AgentEvent = z.infer<typeof agentEventSchema>
export type AgentEventKind = AgentEvent['kind']

/** All kinds, in the order of the vocabulary. */
export const agentEventKinds: readonly AgentEventKind[] = agentEventSchema.options.map(
  (option) => option.shape.kind.value,
)

/**
 * What subscribers receive. `ts` is in milliseconds; all events of one hook carry the same. Absent values are
 * left out.
 */
export const agentEventEnvelopeSchema = z.object({
  type: z.literal('agent_event'),
  agent: z.string(),
  ts: z.number(),
  session_id: z.string().optional(),
  turn_id: z.string().optional(),
  event: agentEventSchema,
})
export type AgentEventEnvelope = z.infer<typeof agentEventEnvelopeSchema>
