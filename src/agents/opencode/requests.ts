import type { Fact } from '../adapter.ts'
import { fieldsOf, firstText, listOf, present, textOf } from '../fields.ts'
import { inputKeyOf } from '../input-key.ts'
import { questionsOf } from '../questions.ts'
import { event, idOf, maxLineLength } from '../reading.ts'
import type { OpenCodeReading } from './reading.ts'
import { askTool } from './tool-hooks.ts'

/** Without an id nobody could answer it, and no answer would be known for its own. */
export function readPermissionAsked({ fields }: OpenCodeReading): Fact[] {
  const requestId = idOf(fields.permissionID) ?? idOf(fields.id)
  if (requestId === undefined) return [event({ kind: 'unknown' })]
  const place = [fields.tool, fields.source, fields].map((value) => idOf(fieldsOf(value).callID))
  return [
    {
      type: 'request',
      requestId,
      ...present({ callId: place.find((id) => id !== undefined), description: descriptionOf(fields) }),
    },
  ]
}

function descriptionOf(fields: OpenCodeReading['fields']): string | undefined {
  const patterns = listOf(fields.patterns ?? fields.resources).filter(
    (pattern) => textOf(pattern) !== undefined,
  )
  const kind = textOf(fields.permission) ?? textOf(fields.action) ?? textOf(fields.type)
  const told = [kind, patterns.join(', ')].filter((part) => part !== undefined && part !== '').join(': ')
  return firstText({ title: fields.title, told }, ['title', 'told'], maxLineLength)
}

export function readPermissionAnswer({ fields }: OpenCodeReading): Fact[] {
  const requestId = idOf(fields.requestID) ?? idOf(fields.permissionID) ?? idOf(fields.id)
  if (requestId === undefined) return [event({ kind: 'unknown' })]
  const reply = fields.reply ?? fields.response
  const scope: 'once' | 'always' | undefined = reply === 'once' || reply === 'always' ? reply : undefined
  return [{ type: 'request-answered', requestId, decision: scope ? 'allow' : 'deny', ...present({ scope }) }]
}

export function readQuestionAsked({ fields }: OpenCodeReading): Fact[] {
  const questions = questionsOf(fields)
  if (questions.length === 0) return [event({ kind: 'unknown' })]
  return [
    {
      type: 'question',
      questions,
      tool: askTool,
      inputKey: inputKeyOf(fields.questions),
      ...present({ requestId: idOf(fields.id) }),
    },
  ]
}

/** The answer, or that nobody wants to give one: either way nobody is asked any more. */
export function readQuestionAnswer({ fields }: OpenCodeReading): Fact[] {
  const requestId = idOf(fields.requestID) ?? idOf(fields.id)
  return [
    { type: 'question-answered', inputKey: inputKeyOf(fields.questions), ...present({ requestId }) },
    event({ kind: 'unknown' }),
  ]
}
