import { clip, fieldsOf, listOf, textOf } from './fields.ts'

/** How much of a tool's output an event shows. */
const maxPreviewLength = 500

/** What an event tells of a tool's output. */
export interface ToolOutput {
  /** Its beginning, at most 500 characters. */
  readonly outputPreview?: string
  /** How much it was, in bytes of UTF-8. */
  readonly contentLength?: number
}

/** The readable part of a tool's response, however it is wrapped; nothing when there is none. */
export function toolOutputOf(response: unknown): ToolOutput {
  const text = readableText(response, 3)
  if (text === undefined) return {}
  return { outputPreview: clip(text, maxPreviewLength), contentLength: Buffer.byteLength(text) }
}

const textFields = ['stdout', 'content', 'text', 'output', 'result', 'message', 'error', 'file', 'answers']

function readableText(value: unknown, levelsLeft: number): string | undefined {
  if (typeof value === 'string') return textOf(value)
  if (levelsLeft === 0) return undefined
  if (Array.isArray(value)) return joined(listOf(value).map((item) => readableText(item, levelsLeft - 1)))
  const fields = fieldsOf(value)
  for (const name of textFields) {
    const field = fields[name]
    const text = name === 'answers' ? answersOf(field) : readableText(field, levelsLeft - 1)
    const more = name === 'stdout' ? textOf(fields.stderr) : undefined
    if (text !== undefined || more !== undefined) return joined([text, more])
  }
  return undefined
}

/** What a person answered to the agent's questions: question and answer by line. */
function answersOf(value: unknown): string | undefined {
  return joined(
    Object.entries(fieldsOf(value)).map(([question, answer]) =>
      typeof answer === 'string' ? `${question} ${answer}` : undefined,
    ),
  )
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const present = texts.filter((text) => text !== undefined)
  return present.length > 0 ? present.join('\n') : undefined
}

/** What went wrong with a command, by its exit code; nothing when it went well or is not known. */
export function exitErrorOf(exitCode: unknown): string | undefined {
  return typeof exitCode === 'number' && exitCode !== 0 ? `exit code ${exitCode}` : undefined
}
