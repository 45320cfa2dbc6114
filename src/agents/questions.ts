import { clip, fieldsOf, firstText, listOf, textOf, type Fields } from './fields.ts'

/** Claude asks at most four questions at once, with four options each; others get a little more room. */
const maxQuestions = 10
const maxOptions = 50
const maxOptionLength = 500
const maxQuestionLength = 10_000

/** One question with the answers it offers. */
export interface Question {
  readonly text: string
  readonly options?: readonly string[]
}

/** What the tool `AskUserQuestion` asks; empty when its input cannot be read. */
export function questionsOf(input: Fields): readonly Question[] {
  const asked = listOf(input.questions).length > 0 ? listOf(input.questions) : [input]
  return asked.slice(0, maxQuestions).flatMap((item) => {
    const question = fieldsOf(item)
    const text = firstText(question, ['question', 'text', 'header'], maxQuestionLength)
    return text === undefined ? [] : [withOptions(text, listOf(question.options).map(labelOf))]
  })
}

/** What an MCP server asks through Claude. Options are known where it wants exactly one of a few values. */
export function elicitedQuestion(payload: Fields): Question | undefined {
  const text = firstText(payload, ['message', 'url'], maxQuestionLength)
  if (text === undefined) return undefined
  const properties = Object.values(fieldsOf(fieldsOf(payload.requested_schema).properties))
  const [only] = properties
  if (properties.length !== 1) return { text }
  const field = fieldsOf(only)
  if (field.type === 'boolean') return { text, options: ['true', 'false'] }
  const choices = listOf(field.enum).length > 0 ? listOf(field.enum) : listOf(field.oneOf)
  return withOptions(text, choices.map(labelOf))
}

function labelOf(option: unknown): string | undefined {
  const label =
    textOf(option) ?? firstText(fieldsOf(option), ['label', 'title', 'text', 'const', 'value'], 1_000)
  return label === undefined ? undefined : clip(label, maxOptionLength)
}

function withOptions(text: string, labels: readonly (string | undefined)[]): Question {
  const options = labels.filter((label) => label !== undefined).slice(0, maxOptions)
  return options.length > 0 ? { text, options } : { text }
}
