import type { Hook, ParsedHook } from '../agents/adapter.ts'
import type { TrackedEvent } from '../agents/tracking/tracker.ts'

/** Looks for a reply that a hook did not carry; undefined when there is none within its bound. */
export type FindReply = (agent: string, hook: Hook) => Promise<string | undefined>

/** The end of a turn whose hook did not say with which words; the transcript may, a little later. */
export function endWithoutReply(
  { facts }: ParsedHook,
  events: readonly TrackedEvent[],
): TrackedEvent | undefined {
  const lacksText = facts.some(
    (fact) => fact.type === 'turn-end' && fact.cause === 'completed' && fact.text === undefined,
  )
  return lacksText ? events.find(({ event }) => event.kind === 'turn.ended') : undefined
}
