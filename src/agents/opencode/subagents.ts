import type { Fact } from '../adapter.ts'
import { fieldsOf, firstText, present } from '../fields.ts'
import { event, maxIdLength, maxLineLength } from '../reading.ts'
import type { OpenCodeReading } from './reading.ts'

/**
 * What a session says that another one started: it is a subagent of that. Its prompts are the other agent's words,
 * its idleness is its end, and what it thinks and plans stays its own.
 */
export function subagentFacts(
  subagentId: string,
  { type, fields }: OpenCodeReading,
  facts: readonly Fact[],
): Fact[] {
  if (type === 'session.created') {
    const info = fieldsOf(fields.info)
    const subagentType = firstText(info, ['agent'], maxIdLength)
    const task = firstText(info, ['title'], maxLineLength)
    return [
      event({
        kind: 'subagent.started',
        subagent_id: subagentId,
        ...present({ subagent_type: subagentType, task }),
      }),
    ]
  }
  return facts.flatMap((fact): Fact[] => {
    switch (fact.type) {
      case 'turn-end':
        return [{ type: 'subagent-end', subagentId, cause: fact.cause }]
      case 'activity':
      case 'request':
      case 'question':
      case 'message':
        return [{ ...fact, subagentId }]
      case 'request-answered':
      case 'question-answered':
        return [fact]
      default:
        return fact.type === 'event' && fact.event.kind === 'unknown' ? [fact] : []
    }
  })
}
