import { agentEventEnvelopeSchema, type AgentEventEnvelope } from '../../src/protocol/index.ts'
import type { EventPart } from './claude-events.ts'

/**
 * What is wrong with a stream whatever the scenario: shapes, ends without starts and starts without ends,
 * events of a turn under another id. Empty when all is well.
 */
export function problemsOf(envelopes: readonly AgentEventEnvelope[], agent = 'claude'): string[] {
  const problems: string[] = []
  const activities = new Map<string, string>()
  const requests = new Set<string>()
  let turn: string | undefined
  for (const [index, envelope] of envelopes.entries()) {
    const { event, turn_id } = envelope
    const say = (problem: string) => problems.push(`event ${index + 1}, ${event.kind}: ${problem}`)
    const shape = agentEventEnvelopeSchema.safeParse(envelope)
    if (!shape.success) say(shape.error.message)
    if (envelope.agent !== agent) say(`comes from ${envelope.agent}`)
    if (envelope.session_id === undefined) say('has no session')

    switch (event.kind) {
      case 'turn.started':
        if (turn !== undefined) say(`begins while ${turn} is open`)
        if (turn_id === undefined) say('has no turn id')
        turn = turn_id
        break
      case 'turn.ended':
        if (turn === undefined || turn_id !== turn) say(`ends ${turn_id} while ${turn} is open`)
        turn = undefined
        break
      case 'activity.started':
        if (activities.has(event.activity.id)) say(`${event.activity.id} starts twice`)
        activities.set(event.activity.id, event.activity.tool)
        break
      case 'activity.finished':
      case 'activity.failed':
        if (activities.get(event.activity.id) !== event.activity.tool) say('ends what had not started')
        activities.delete(event.activity.id)
        break
      case 'permission.requested':
        requests.add(event.request_id)
        break
      case 'permission.resolved':
        if (!requests.delete(event.request_id)) say(`resolves ${event.request_id}, which is not open`)
        break
      default:
    }
  }
  if (turn !== undefined) problems.push(`turn ${turn} has no end`)
  for (const [id, tool] of activities) problems.push(`${tool} ${id} has no end`)
  for (const id of requests) problems.push(`request ${id} stays open`)
  return problems
}

/** Those of the wanted parts that are not among the events in their order. */
export function missingFrom(
  envelopes: readonly AgentEventEnvelope[],
  wanted: readonly EventPart[],
): EventPart[] {
  let at = 0
  return wanted.filter((part) => {
    const found = envelopes.findIndex(({ event }, index) => index >= at && includes(event, part))
    if (found === -1) return true
    at = found + 1
    return false
  })
}

function includes(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return Object.is(whole, part)
  if (typeof whole !== 'object' || whole === null) return false
  return Object.entries(part).every(([key, value]) => includes(Reflect.get(whole, key), value))
}
