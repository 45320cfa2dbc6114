import type { z } from 'zod'
import { isRecord } from '../core/record.ts'
import { activityKinds } from '../protocol/activity-kinds.ts'
import type {
  ActivityRef,
  AgentEvent,
  AgentEventKind,
  Contact,
  LogPosition,
  logFrameSchemas,
} from '../protocol/index.ts'
import {
  hasFields,
  isFlag,
  isNumber,
  isText,
  isTrue,
  listOf,
  oneOf,
  optional,
  recordOf,
  shape,
  type FieldGuards,
} from './guards.ts'

type Schemas = Omit<typeof logFrameSchemas, 'control'>
type KnownType = keyof Schemas

/** A frame of the log whose shape is known, with its place in the log. */
export type KnownFrame = z.infer<Schemas[KnownType]> & LogPosition

const text = optional(isText)
const amount = optional(isNumber)
const truncated = optional(isTrue)
const endCause = optional(oneOf('completed', 'aborted', 'error', 'unknown'))

const isActivity = shape<ActivityRef>({
  id: isText,
  kind: oneOf(...activityKinds),
  tool: isText,
  summary: isText,
})

const isContact = shape<Contact>({
  id: isText,
  name: isText,
  agent: isText,
  directory: isText,
  status: oneOf('live', 'offline'),
  health: oneOf('ok', 'working', 'blocked', 'starting', 'unknown'),
  transport: isText,
  session_id: text,
  turn_id: text,
  reason: isText,
  open_requests: isNumber,
  created_at: isNumber,
  last_seen_at: isNumber,
})

const eventFields: {
  readonly [K in AgentEventKind]: FieldGuards<Omit<Extract<AgentEvent, { kind: K }>, 'kind'>>
} = {
  'session.started': { cause: optional(oneOf('startup', 'resume', 'clear', 'compact', 'unknown')) },
  'session.ended': {
    cause: optional(oneOf('completed', 'aborted', 'error', 'window_close', 'user_close', 'unknown')),
    duration_ms: amount,
  },
  'turn.started': {
    prompt: text,
    cause: optional(oneOf('prompt', 'queued', 'continued', 'background')),
  },
  'turn.ended': {
    cause: endCause,
    last_assistant_text: text,
    error_message: text,
    background_tasks: amount,
    duration_ms: amount,
  },
  'message.user': { text: isText },
  'message.assistant': { text: isText, final: optional(isFlag), subagent_id: text },
  thinking: { text: isText },
  'activity.started': { activity: isActivity, subagent_id: text, truncated },
  'activity.finished': {
    activity: isActivity,
    duration_ms: amount,
    output_preview: text,
    content_length: amount,
    subagent_id: text,
    truncated,
  },
  'activity.failed': {
    activity: isActivity,
    duration_ms: amount,
    error_message: text,
    failure_kind: optional(oneOf('timeout', 'error', 'permission_denied', 'interrupted', 'unknown')),
    subagent_id: text,
    truncated,
  },
  'permission.requested': { request_id: isText, activity: optional(isActivity), description: text },
  'permission.resolved': {
    request_id: isText,
    decision: oneOf('allow', 'deny'),
    scope: optional(oneOf('once', 'session', 'always', 'unknown')),
  },
  'todo.updated': {
    items: listOf(shape({ text: isText, status: oneOf('pending', 'in_progress', 'completed', 'cancelled') })),
  },
  'subagent.started': { subagent_id: isText, subagent_type: text, task: text },
  'subagent.finished': { subagent_id: isText, cause: endCause },
  'agent.question': { text: isText, options: optional(listOf(isText)) },
  'context.compacting': { trigger: optional(oneOf('auto', 'manual')), context_usage_percent: amount },
  notification: { text },
  unknown: { truncated },
}

function isEvent(value: unknown): value is AgentEvent {
  return (
    isRecord(value) && isKeyOf(eventFields, value['kind']) && hasFields(value, eventFields[value['kind']])
  )
}

const frameFields: { readonly [T in KnownType]: FieldGuards<Omit<z.infer<Schemas[T]>, 'type'>> } = {
  agent_event: { agent: isText, ts: isNumber, session_id: text, turn_id: text, event: isEvent },
  inbound_message: {
    content: isText,
    chat_id: isText,
    client_id: isText,
    meta: optional(recordOf(isText)),
    ts: amount,
  },
  permission_request: {
    request_id: isText,
    activity: optional(isActivity),
    description: text,
    opened_at: isNumber,
    agent: text,
    session_id: text,
  },
  permission_resolved: {
    request_id: isText,
    behavior: optional(oneOf('allow', 'deny')),
    by: isText,
    reason: text,
  },
  contact_changed: {
    ts: isNumber,
    change: oneOf('connect', 'revive', 'health', 'session', 'offline'),
    state: isContact,
  },
}

/** Whether a frame of the log is what its type says, and not a broadcast that only calls itself so. */
export function isKnown(
  frame: Readonly<Record<string, unknown>>,
): frame is Readonly<Record<string, unknown>> & KnownFrame {
  return isKeyOf(frameFields, frame['type']) && hasFields(frame, frameFields[frame['type']])
}

function isKeyOf<T extends object>(table: T, key: unknown): key is keyof T {
  return typeof key === 'string' && Object.hasOwn(table, key)
}
