import type { CallFact, Fact } from '../adapter.ts'
import { callFactOf } from '../call.ts'
import { amountOf, fieldsOf, firstText, present, type Fields } from '../fields.ts'
import { errorOf, idOf, maxIdLength } from '../reading.ts'
import { exitErrorOf, toolOutputOf } from '../tool-output.ts'
import type { OpenCodeReading } from './reading.ts'

/** The tool that asks a person; its hooks are told by their own events too, with an id that can be answered. */
export const askTool = 'question'

/** How a tool ends that a person refused, or whose turn was aborted. */
const refusal = /\b(?:rejected permission|rule which prevents)\b/i
const abortion = /\baborted\b/i

export function readToolBefore(reading: OpenCodeReading): Fact[] {
  const { input, output, fields } = reading
  const args = output.args ?? input.args ?? fields.input ?? fields.tool_input
  return [{ type: 'activity', phase: 'started', ...callOf(namesOf(reading), args, reading) }]
}

export function readToolAfter(reading: OpenCodeReading): Fact[] {
  const { input, output, fields } = reading
  const args = input.args ?? fields.input ?? fields.tool_input
  const call = callOf(namesOf(reading), args, reading)
  const errorMessage = errorOf(fields.error) ?? errorOf(fields.error_message)
  const result = 'output' in output ? output.output : (fields.output ?? fields.result)
  return [endOf(call, errorMessage, result, fieldsOf(output.metadata ?? fields.metadata))]
}

/** A use of a tool as its part of the message tells it: the only place where a failure is told. */
export function readToolPart(part: Fields, reading: OpenCodeReading): Fact[] {
  const state = fieldsOf(part.state)
  const call = callOf(part, state.input, reading)
  const { start, end } = fieldsOf(state.time)
  const [startMs, endMs] = [amountOf(start), amountOf(end)]
  const durationMs = startMs !== undefined && endMs !== undefined ? Math.max(0, endMs - startMs) : undefined
  switch (state.status) {
    case 'running':
      return [{ type: 'activity', phase: 'started', ...call }]
    case 'completed':
      return [
        { ...endOf(call, undefined, state.output, fieldsOf(state.metadata)), ...present({ durationMs }) },
      ]
    case 'error':
      return [{ ...endOf(call, errorOf(state.error) ?? 'failed', undefined, {}), ...present({ durationMs }) }]
    default:
      return []
  }
}

type Ending = Extract<Fact, { type: 'activity' }>

/** A command that ran and failed is a failure, as it is in the other agents. */
function endOf(call: CallFact, error: string | undefined, output: unknown, metadata: Fields): Ending {
  const errorMessage = error ?? exitErrorOf(metadata.exit)
  if (errorMessage === undefined)
    return { type: 'activity', phase: 'finished', ...call, ...toolOutputOf(output) }
  return { type: 'activity', phase: 'failed', ...call, errorMessage, failureKind: failureKindOf(error) }
}

function failureKindOf(error: string | undefined): NonNullable<Ending['failureKind']> {
  if (error === undefined) return 'error'
  if (refusal.test(error)) return 'permission_denied'
  return abortion.test(error) ? 'interrupted' : 'error'
}

function namesOf({ input, fields }: OpenCodeReading): Fields {
  return input.tool === undefined ? fields : input
}

function callOf(names: Fields, args: unknown, { truncated }: OpenCodeReading): CallFact {
  const tool = firstText(names, ['tool', 'tool_name', 'name'], maxIdLength) ?? 'unknown'
  return callFactOf({
    agent: 'opencode',
    tool,
    input: args,
    keyedBy: tool === askTool ? fieldsOf(args).questions : args,
    callId: ['callID', 'tool_use_id', 'id'].map((name) => idOf(names[name])).find((id) => id !== undefined),
    truncated,
  })
}
