import { z } from 'zod'
import { activityKindSchema } from '../../protocol/index.ts'

/**
 * What a harness file says: an agent whose hooks are plain JSON bodies, described by data instead of code. The
 * file maps the names of agents to their descriptions. Unknown fields are refused, so that a slip is told.
 */

/** Where a value lies in the body of a hook: names joined by dots. */
const path = z.string().min(1).max(200)
/** The first of several places that has a value. */
const places = z.array(path).max(20)
const why = z.string().min(1).max(500)

/** A value of ours by the agent's own; any other of the agent's is `else`. */
function valueMap<const Values extends readonly [string, ...string[]]>(values: Values) {
  const value = z.enum(values)
  return z.union([
    value,
    z.strictObject({ from: path, values: z.record(z.string(), value), else: value.optional() }),
  ])
}

/** The rule holds for hooks whose fields have these values; the first that holds is taken. */
const when = z.record(path, z.union([z.string(), z.number(), z.boolean()]))
const base = { when: when.optional(), why }

const turnCauses = ['completed', 'aborted', 'error', 'unknown'] as const
const activity = { ...base, duration_ms: places.optional() }

/** What becomes of a hook. Where a field is not named, the agent does not tell it. */
const ruleSchema = z.discriminatedUnion('becomes', [
  z.strictObject({ ...base, becomes: z.literal('nothing') }),
  z.strictObject({ ...base, becomes: z.literal('unknown') }),
  z.strictObject({
    ...base,
    becomes: z.literal('session.started'),
    cause: valueMap(['startup', 'resume', 'clear', 'compact', 'unknown']).optional(),
  }),
  z.strictObject({
    ...base,
    becomes: z.literal('session.ended'),
    cause: valueMap(['completed', 'aborted', 'error', 'window_close', 'user_close', 'unknown']).optional(),
    /** The agent goes on with another session. */
    switches: z.boolean().optional(),
  }),
  z.strictObject({
    ...base,
    becomes: z.literal('turn.started'),
    prompt: places,
    /** The agent's id of the prompt. */
    message: places.optional(),
    /** Typed while a turn is open, a prompt becomes part of it. */
    joins: z.boolean().optional(),
  }),
  z.strictObject({
    ...base,
    becomes: z.literal('turn.ended'),
    cause: valueMap(turnCauses).optional(),
    text: places.optional(),
    error: places.optional(),
    /** The hook tells that the agent is idle, and comes without a turn as well. */
    only_open: z.boolean().optional(),
    /** What tells two ends of a turn apart that say the same. */
    identity: places.optional(),
  }),
  z.strictObject({
    ...base,
    becomes: z.literal('message.assistant'),
    text: places,
    message: places.optional(),
  }),
  z.strictObject({ ...base, becomes: z.literal('thinking'), text: places }),
  z.strictObject({ ...activity, becomes: z.literal('activity.started') }),
  z.strictObject({
    ...activity,
    becomes: z.literal('activity.finished'),
    output: places.optional(),
    /** Where there is a value here, the activity failed. */
    error: places.optional(),
  }),
  z.strictObject({ ...activity, becomes: z.literal('activity.failed'), error: places.optional() }),
  z.strictObject({
    ...base,
    becomes: z.literal('permission.requested'),
    request: places.optional(),
    description: places.optional(),
  }),
  z.strictObject({
    ...base,
    becomes: z.literal('permission.resolved'),
    request: places,
    decision: valueMap(['allow', 'deny']),
  }),
  z.strictObject({
    ...base,
    becomes: z.literal('agent.question'),
    request: places.optional(),
    text: places,
    options: places.optional(),
  }),
  z.strictObject({ ...base, becomes: z.literal('todo.updated'), items: places }),
  z.strictObject({
    ...base,
    becomes: z.literal('subagent.started'),
    subagent: places,
    type: places.optional(),
    task: places.optional(),
  }),
  z.strictObject({
    ...base,
    becomes: z.literal('subagent.finished'),
    subagent: places,
    cause: valueMap(turnCauses).optional(),
  }),
  z.strictObject({
    ...base,
    becomes: z.literal('context.compacting'),
    trigger: places.optional(),
    usage_percent: places.optional(),
  }),
  z.strictObject({ ...base, becomes: z.literal('notification'), text: places }),
])
export type HarnessRule = z.infer<typeof ruleSchema>

const toolSchema = z.union([
  activityKindSchema,
  z.strictObject({
    kind: activityKindSchema,
    /** A tool of another agent whose input says the same under the same names; its summary is made so. */
    like: z.string().max(200).optional(),
  }),
])

const harnessSchema = z.strictObject({
  title: z.string().min(1).max(100),
  /** Where what the file says is from, for those who read about it. */
  source: why,
  /** Where every hook has what; `hook` is the name of the hook in a body that the agent posts itself. */
  fields: z.strictObject({
    hook: places.min(1),
    session: places,
    turn: places.optional(),
    directory: places.optional(),
    tool: places.optional(),
    input: places.optional(),
    call: places.optional(),
    subagent: places.optional(),
  }),
  hooks: z.record(z.string().min(1).max(100), z.array(ruleSchema).min(1).max(20)),
  tools: z.record(z.string().max(200), toolSchema).default({}),
  /** How the names of tools of MCP servers begin, beside `mcp__`. */
  mcp_prefixes: z.array(z.string().min(1).max(50)).max(10).default([]),
  gaps: z
    .array(z.strictObject({ what: why, seen: why, evidence: why }))
    .max(50)
    .default([]),
})
export type HarnessDescription = z.infer<typeof harnessSchema>

/** The name of an agent in the address that its hooks are posted to. */
const agentName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'use lower case letters, digits and hyphens')

export const harnessFileSchema = z.record(agentName, harnessSchema)
