import type { Fact } from '../adapter.ts'
import { amountOf, clip, fieldsOf, firstText, listOf, present, textOf, type Fields } from '../fields.ts'
import { event, idOf, maxTextLength } from '../reading.ts'
import type { OpenCodeReading } from './reading.ts'
import { readToolPart } from './tool-hooks.ts'

/** The plugin hook that sees a prompt first, with all its parts. */
export function readChatMessage({ output }: OpenCodeReading): Fact[] {
  const messageId = idOf(fieldsOf(output.message).id)
  const parts = listOf(output.parts)
    .map(fieldsOf)
    .filter((part) => part.type === 'text' && part.ignored !== true)
  const typed = parts.filter((part) => part.synthetic !== true)
  const synthetic = typed.length === 0 && parts.length > 0
  const texts = (synthetic ? parts : typed)
    .map((part) => textOf(part.text))
    .filter((text) => text !== undefined)
  return [promptOf(texts.join('\n'), synthetic, messageId)]
}

/** What a message is made of comes as parts; only a flat body (seed A's original) has a text here. */
export function readMessage({ fields }: OpenCodeReading): Fact[] {
  const info = fieldsOf(fields.info ?? fields.message ?? fields)
  const messageId = idOf(info.id) ?? idOf(fields.messageID)
  const text =
    firstText(fields, ['text', 'content'], maxTextLength) ??
    firstText(info, ['text', 'content'], maxTextLength)
  if (text === undefined) return []
  if (info.role === 'user') return [promptOf(text, false, messageId)]
  return info.role === 'assistant' ? [saidOf(text, messageId)] : []
}

/** One part of a message, told again whenever it changes. */
export function readPart(reading: OpenCodeReading): Fact[] {
  const { fields } = reading
  const part = fieldsOf(fields.part ?? fields)
  switch (part.type) {
    case 'text':
      return readTextPart(part)
    case 'reasoning':
    case 'thinking':
      return readThought(part)
    case 'tool':
      return readToolPart(part, reading)
    default:
      return part.type === undefined ? readMessage(reading) : []
  }
}

/** What the agent says has times, and is whole when it has an end; what a person says has none. */
function readTextPart(part: Fields): Fact[] {
  const text = firstText(part, ['text'], maxTextLength)
  if (text === undefined || part.ignored === true) return []
  if (part.time === undefined) return [promptOf(text, part.synthetic === true, idOf(part.messageID))]
  return amountOf(fieldsOf(part.time).end) === undefined ? [] : [saidOf(text, idOf(part.id))]
}

function readThought(part: Fields): Fact[] {
  const text = firstText(part, ['text'], maxTextLength)
  const isWhole = part.time === undefined || amountOf(fieldsOf(part.time).end) !== undefined
  return text !== undefined && isWhole ? [event({ kind: 'thinking', text })] : []
}

/** The plugin hook that sees a text of the agent when it is whole; its event comes right after. */
export function readTextComplete({ input, output, fields }: OpenCodeReading): Fact[] {
  const text = firstText(output, ['text'], maxTextLength) ?? firstText(fields, ['text'], maxTextLength)
  return text === undefined ? [] : [saidOf(text, idOf(input.partID) ?? idOf(fields.partID))]
}

/** While the agent is at work a prompt joins its turn: one end comes for all of them. */
function promptOf(text: string, synthetic: boolean, messageId: string | undefined): Fact {
  return {
    type: 'prompt',
    text: clip(text, maxTextLength),
    joins: true,
    ...(synthetic && { synthetic }),
    ...present({ messageId }),
  }
}

function saidOf(text: string, messageId: string | undefined): Fact {
  return { type: 'message', index: 0, last: true, text, ...present({ messageId }) }
}
