import type { CallFact, Fact } from '../adapter.ts'
import { callFactOf } from '../call.ts'
import { amountOf, fieldsOf, firstText, isFields, listOf, type Fields } from '../fields.ts'
import { toolOutputOf } from '../tool-output.ts'
import { questionsOf } from '../questions.ts'
import {
  errorOf,
  idOf,
  maxCalls,
  maxIdLength,
  maxLineLength,
  truncationOf,
  type Reading,
} from '../reading.ts'
import { changedTask, todosOf } from '../todos.ts'

function callOf({ agent, payload, truncated }: Reading): CallFact {
  const tool = firstText(payload, ['tool_name'], maxIdLength) ?? 'unknown'
  const input = payload.tool_input
  return callFactOf({
    agent,
    tool,
    input,
    // The answers join the questions of AskUserQuestion before its end is told.
    keyedBy: tool === askTool ? fieldsOf(input).questions : input,
    callId: idOf(payload.tool_use_id),
    subagentId: idOf(payload.agent_id),
    truncated,
  })
}

const askTool = 'AskUserQuestion'

/** The question the tool asks, where the hook is about that tool. */
function questionOf({ payload }: Reading, call: CallFact): Extract<Fact, { type: 'question' }> | undefined {
  if (call.tool !== askTool) return undefined
  const questions = questionsOf(fieldsOf(payload.tool_input))
  if (questions.length === 0) return undefined
  const { tool, inputKey, subagentId } = call
  return { type: 'question', questions, tool, inputKey, ...(subagentId !== undefined && { subagentId }) }
}

export function readPreToolUse(reading: Reading): Fact[] {
  const call = callOf(reading)
  const question = questionOf(reading, call)
  const started: Fact = { type: 'activity', phase: 'started', ...call, ...truncationOf(reading) }
  return question ? [started, question] : [started]
}

function durationOf(payload: Fields): { durationMs?: number } {
  const durationMs = amountOf(payload.duration_ms)
  return durationMs === undefined ? {} : { durationMs }
}

export function readPostToolUse(reading: Reading): Fact[] {
  const { payload } = reading
  const call = callOf(reading)
  const input = fieldsOf(payload.tool_input)
  const finished: Fact = {
    type: 'activity',
    phase: 'finished',
    ...call,
    ...durationOf(payload),
    ...toolOutputOf(payload.tool_response),
    ...truncationOf(reading),
  }
  const todos =
    call.tool === 'TodoWrite' ? todosOf(input) : changedTask(call.tool, input, payload.tool_response)
  return todos ? [finished, todos] : [finished]
}

export function readPostToolUseFailure(reading: Reading): Fact[] {
  const { payload } = reading
  const errorMessage = errorOf(payload.error)
  return [
    {
      type: 'activity',
      phase: 'failed',
      ...callOf(reading),
      ...durationOf(payload),
      ...(errorMessage !== undefined && { errorMessage }),
      failureKind: failureKindOf(payload.is_interrupt, errorMessage),
      ...truncationOf(reading),
    },
  ]
}

function failureKindOf(isInterrupt: unknown, errorMessage: string | undefined) {
  if (isInterrupt === true) return 'interrupted'
  return errorMessage !== undefined && /\btimed out\b/i.test(errorMessage) ? 'timeout' : 'error'
}

export function readPostToolBatch({ agent, payload }: Reading): Fact[] {
  const calls = listOf(payload.tool_calls)
    .slice(0, maxCalls)
    .filter(isFields)
    .map((item) => {
      const call = callOf({ agent, payload: { agent_id: payload.agent_id, ...item }, truncated: false })
      const errorMessage = toolOutputOf(item.tool_response).outputPreview
      return errorMessage === undefined ? call : { ...call, errorMessage }
    })
  return [{ type: 'calls-over', calls }]
}

export function readPermissionRequest(reading: Reading): Fact[] {
  const call = callOf(reading)
  const question = questionOf(reading, call)
  if (question) return [{ ...question, retold: true }]
  const requestId = idOf(reading.payload.request_id)
  const description = firstText(fieldsOf(reading.payload.tool_input), ['description'], maxLineLength)
  return [
    {
      type: 'request',
      ...call,
      ...(requestId !== undefined && { requestId }),
      ...(description !== undefined && { description }),
    },
  ]
}

export function readPermissionDenied(reading: Reading): Fact[] {
  const errorMessage = errorOf(reading.payload.reason)
  return [{ type: 'denied', ...callOf(reading), ...(errorMessage !== undefined && { errorMessage }) }]
}
