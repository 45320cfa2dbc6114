import { z } from 'zod'
import { renderAgentHooks } from '../src/agents/hook-tables.ts'
import {
  agentEventEnvelopeSchema,
  agentEventKinds,
  agentEventSchema,
  activityKinds,
  activityRefSchema,
  todoItemSchema,
  type ActivityKind,
  type AgentEventKind,
} from '../src/protocol/index.ts'
import { code, generatedFrom, table } from './markdown.ts'

const meanings: Readonly<Record<AgentEventKind, string>> = {
  'session.started': 'A conversation began, or goes on: resumed, cleared or compacted.',
  'session.ended': 'A conversation is over.',
  'turn.started': 'The agent took a prompt, or goes on with a turn that had ended.',
  'turn.ended': 'The agent stopped working on the prompt.',
  'message.user': 'What the agent was told.',
  'message.assistant': 'What the agent said; `final` marks the reply that ends its turn.',
  thinking: 'What the agent thought, where it shows that.',
  'activity.started': 'The agent uses a tool.',
  'activity.finished': 'That use of the tool succeeded.',
  'activity.failed': 'It failed, was refused, or was broken off.',
  'permission.requested': 'The agent waits for a person to allow something.',
  'permission.resolved': 'It was allowed or denied.',
  'todo.updated': 'The whole list of what the agent means to do.',
  'subagent.started': 'The agent sent a subagent; what that does carries its id.',
  'subagent.finished': 'The subagent is done.',
  'agent.question': 'The agent asks the person something, with the answers it offers.',
  'context.compacting': 'The conversation is about to be summarized.',
  notification: 'A notice the agent shows.',
  unknown: 'A hook that the vocabulary has no word for. Nothing of its body is passed on.',
}

const activityMeanings: Readonly<Record<ActivityKind, string>> = {
  'file.read': 'reads a file',
  'file.write': 'writes or edits a file',
  'file.delete': 'deletes a file',
  'shell.exec': 'runs a command',
  'shell.background': 'looks after a command in the background',
  'search.code': 'searches in contents',
  'search.files': 'searches for names',
  'web.fetch': 'fetches an address',
  'web.search': 'searches the web',
  'mcp.call': 'calls a tool of an MCP server',
  'todo.write': 'changes its todo list',
  'subagent.spawn': 'sends a subagent',
  'notebook.edit': 'edits a notebook',
  'image.generate': 'makes an image',
  'plan.exit': 'shows its plan',
  'tool.unknown': 'uses any other tool',
}

/** `docs/events.md`: the vocabulary from its schemas, and what every hook becomes. */
export function renderEventsDoc(): string {
  const kinds = agentEventKinds.map((kind, index) => {
    const option = agentEventSchema.options[index]
    return [code(kind), meanings[kind], option ? fieldsOf(option, ['kind']) : '']
  })
  return `${generatedFrom('src/protocol/agent-event.ts and src/agents/*/hook-table.ts')}

# Events

Whatever the agent, subscribers hear of it in one frame type. Events are facts: classified, never the raw hook, and no derived
state; what "thinking" or "idle" means is for the reader to say. Fields with \`?\` are left out when they are not known.

## Envelope

${fieldTable(agentEventEnvelopeSchema)}

\`ts\` is in milliseconds since the epoch; all events of one hook carry the same. \`turn_id\` is the same from \`turn.started\` to
\`turn.ended\`. Subscribers also receive \`seq\`, the place in the log, and \`contact\`, the id of the contact it belongs to
([streams.md](streams.md)).

## Kinds

${table(['kind', 'says', 'fields'], kinds)}

\`started\` and \`finished\` or \`failed\` of one use of a tool carry the same \`activity.id\`, also when the agent gives none. What a
subagent did carries \`subagent_id\` and belongs to the contact of its parent. \`truncated\` is set when the hook was larger than the
bridge takes and only its beginning was read.

## Activities

${fieldTable(activityRefSchema)}

${table(
  ['kind', 'the agent'],
  activityKinds.map((kind) => [code(kind), activityMeanings[kind]]),
)}

## Todo items

${fieldTable(todoItemSchema)}

## What hooks become

${renderAgentHooks()}
`
}

type JsonSchema = z.core.JSONSchema.BaseSchema

function fieldTable(schema: z.ZodType): string {
  const { properties = {}, required = [] } = jsonSchemaOf(schema)
  const rows = Object.entries(properties).map(([name, field]) => [
    code(required.includes(name) ? name : `${name}?`),
    typeOf(name, field),
  ])
  return table(['field', 'value'], rows)
}

function fieldsOf(schema: z.ZodType, without: readonly string[]): string {
  const { properties = {}, required = [] } = jsonSchemaOf(schema)
  return Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, field]) => `${code(required.includes(name) ? name : `${name}?`)} ${typeOf(name, field)}`)
    .join(', ')
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema)
}

function typeOf(name: string, schema: z.core.JSONSchema._JSONSchema): string {
  if (typeof schema === 'boolean') return 'value'
  if (name === 'event') return 'one of the kinds below'
  if (name === 'activity') return 'activity'
  if (name === 'items') return 'list of todo items'
  if (name === 'kind') return 'one of the kinds below'
  if (schema.const !== undefined) return code(`${schema.const}`)
  if (schema.enum) return schema.enum.map((value) => code(`${value}`)).join(' or ')
  if (schema.type === 'array') return `list of ${itemOf(schema)}`
  if (schema.type === 'string') return 'text'
  if (schema.type === 'boolean') return 'true or false'
  return schema.type === 'number' || schema.type === 'integer' ? 'number' : 'value'
}

function itemOf({ items }: JsonSchema): string {
  return items === undefined || Array.isArray(items) ? 'values' : typeOf('', items)
}
