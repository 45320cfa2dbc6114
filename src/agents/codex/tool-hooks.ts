import type { CallFact, Fact } from '../adapter.ts'
import { callFactOf } from '../call.ts'
import { fieldsOf, firstText, isFields, listOf, present, type Fields } from '../fields.ts'
import { questionsOf } from '../questions.ts'
import { errorOf, idOf, maxIdLength, maxLineLength, truncationOf, type Reading } from '../reading.ts'
import { todosOf } from '../todos.ts'
import { toolOutputOf } from '../tool-output.ts'

/** The tool that asks a person; in every mode but this one Codex refuses it, and nobody is asked. */
const askTool = 'request_user_input'
const askMode = 'plan'

function callOf({ agent, payload, truncated }: Reading): CallFact {
  return callFactOf({
    agent,
    tool: firstText(payload, ['tool_name'], maxIdLength) ?? 'unknown',
    input: payload.tool_input,
    keyedBy: withoutDescription(payload.tool_input),
    callId: idOf(payload.tool_use_id),
    subagentId: idOf(payload.agent_id),
    truncated,
  })
}

/** The request for a permission says in the tool's input, and there only, why the tool is to run. */
function withoutDescription(input: unknown): unknown {
  if (!isFields(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'description'))
}

export function readPreToolUse(reading: Reading): Fact[] {
  const { payload } = reading
  const call = callOf(reading)
  const started: Fact = { type: 'activity', phase: 'started', ...call, ...truncationOf(reading) }
  const asks = call.tool === askTool && payload.permission_mode === askMode
  const questions = asks ? questionsOf(fieldsOf(payload.tool_input)) : []
  if (questions.length === 0) return [started]
  const { tool, inputKey, subagentId } = call
  return [started, { type: 'question', questions, tool, inputKey, ...present({ subagentId }) }]
}

/** Codex has no hook for a failure; seed A's original takes a body with an error for one. */
export function readPostToolUse(reading: Reading): Fact[] {
  const { payload } = reading
  const call = callOf(reading)
  const told = { type: 'activity', ...call, ...truncationOf(reading) } as const
  const errorMessage = errorOf(payload.error) ?? errorOf(payload.error_message)
  if (errorMessage !== undefined) return [{ ...told, phase: 'failed', errorMessage, failureKind: 'error' }]
  const finished: Fact = { ...told, phase: 'finished', ...toolOutputOf(payload.tool_response) }
  const todos = todosOf({ todos: plannedIn(call.tool, fieldsOf(payload.tool_input)) })
  return todos ? [finished, todos] : [finished]
}

function plannedIn(tool: string, input: Fields): unknown {
  if (tool === 'TodoWrite') return input.todos
  if (tool !== 'update_plan' || !Array.isArray(input.plan)) return undefined
  return listOf(input.plan).map((item) => {
    const { step, status } = fieldsOf(item)
    return { content: step, status }
  })
}

export function readPermissionRequest(reading: Reading): Fact[] {
  const { payload } = reading
  const description =
    firstText(payload, ['description'], maxLineLength) ??
    firstText(fieldsOf(payload.tool_input), ['description'], maxLineLength)
  return [
    {
      type: 'request',
      ...callOf(reading),
      ...present({ requestId: idOf(payload.request_id), description }),
    },
  ]
}
