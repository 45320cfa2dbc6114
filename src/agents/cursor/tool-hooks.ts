import type { CallFact, Fact } from '../adapter.ts'
import { callFactOf } from '../call.ts'
import { amountOf, fieldsOf, firstText, listOf, present, textOf, type Fields } from '../fields.ts'
import { inputKeyOf } from '../input-key.ts'
import { questionsOf, type Question } from '../questions.ts'
import { errorOf, event, idOf, maxIdLength, truncationOf, type Reading } from '../reading.ts'
import { todosOf } from '../todos.ts'
import { exitErrorOf, toolOutputOf } from '../tool-output.ts'

/** Tools that are questions to a person, in both spellings: they are no activities (seed A's original). */
const askTools: ReadonlySet<string> = new Set(['ask_question', 'AskQuestion'])
/** Cursor reads its own rules with a tool; that is nobody's work. */
const ownTools: ReadonlySet<string> = new Set(['fetch_rules', 'FetchRules'])
const todoTools: ReadonlySet<string> = new Set(['TodoWrite', 'todo_write'])

const idFields = ['tool_use_id', 'toolUseId', 'tool_call_id', 'toolCallId']

export function readPreToolUse(reading: Reading): Fact[] {
  const call = callOf(reading)
  if (ownTools.has(call.tool)) return []
  if (!askTools.has(call.tool))
    return [{ type: 'activity', phase: 'started', ...call, ...truncationOf(reading) }]
  const questions = askedIn(inputOf(reading.payload))
  if (questions.length === 0) return [event({ kind: 'unknown' })]
  return [{ type: 'question', questions, tool: call.tool, inputKey: questionKeyOf(call) }]
}

export function readPostToolUse(reading: Reading): Fact[] {
  const { payload } = reading
  const call = callOf(reading)
  if (ownTools.has(call.tool)) return []
  if (askTools.has(call.tool)) return answered(call)
  const output = decoded(payload.tool_output)
  const told = { type: 'activity', ...call, ...durationOf(payload), ...truncationOf(reading) } as const
  const errorMessage = exitErrorOf(fieldsOf(output).exitCode)
  if (errorMessage !== undefined) return [{ ...told, phase: 'failed', errorMessage, failureKind: 'error' }]
  const finished: Fact = { ...told, phase: 'finished', ...toolOutputOf(output) }
  const todos = todoTools.has(call.tool) ? todosOf(fieldsOf(inputOf(payload))) : undefined
  return todos ? [finished, todos] : [finished]
}

export function readPostToolUseFailure(reading: Reading): Fact[] {
  const { payload } = reading
  const call = callOf(reading)
  if (ownTools.has(call.tool)) return []
  if (askTools.has(call.tool)) return answered(call)
  const errorMessage = errorOf(payload.error_message ?? payload.error ?? payload.message)
  return [
    {
      type: 'activity',
      phase: 'failed',
      ...call,
      ...durationOf(payload),
      ...present({ errorMessage }),
      failureKind: payload.is_interrupt === true ? 'interrupted' : failureKindOf(payload.failure_type),
      ...truncationOf(reading),
    },
  ]
}

function callOf({ agent, payload, truncated }: Reading): CallFact {
  return callFactOf({
    agent,
    tool: firstText(payload, ['tool_name', 'toolName', 'tool'], maxIdLength) ?? 'unknown',
    input: inputOf(payload),
    callId: idFields.map((name) => idOf(payload[name])).find((id) => id !== undefined),
    truncated,
  })
}

function inputOf(payload: Fields): unknown {
  return decoded(payload.tool_input ?? payload.toolInput ?? payload.input)
}

/** Cursor gives some values as JSON in a text. */
function decoded(value: unknown): unknown {
  const text = textOf(value)
  if (text === undefined || !/^\s*[[{]/.test(text)) return value
  try {
    return JSON.parse(text)
  } catch {
    // A text that begins like JSON is a text like any other.
    return value
  }
}

function durationOf(payload: Fields): { durationMs?: number } {
  const duration = amountOf(payload.duration) ?? amountOf(payload.duration_ms)
  return present({ durationMs: duration === undefined ? undefined : Math.round(duration) })
}

function failureKindOf(type: unknown): 'timeout' | 'error' | 'permission_denied' {
  return type === 'timeout' || type === 'permission_denied' ? type : 'error'
}

/** What is asked, in one of the shapes that are known of the tool. */
function askedIn(input: unknown): readonly Question[] {
  const fields = fieldsOf(input)
  if (Array.isArray(fields.questions)) {
    return questionsOf({ questions: listOf(fields.questions).map((item) => oneQuestion(fieldsOf(item))) })
  }
  return questionsOf(oneQuestion(fields))
}

function oneQuestion(fields: Fields): Fields {
  const { question, prompt, text, options, suggestions } = fields
  return { question: question ?? prompt ?? text, options: options ?? suggestions }
}

/** The answer has its question's id, and may have changed its input. */
function questionKeyOf({ callId, inputKey }: CallFact): string {
  return callId === undefined ? inputKey : inputKeyOf(['question', callId])
}

function answered(call: CallFact): Fact[] {
  return [{ type: 'question-answered', inputKey: questionKeyOf(call) }, event({ kind: 'unknown' })]
}
