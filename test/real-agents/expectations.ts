import type { AgentScenario } from './agents.ts'
import type { EventPart } from './claude-events.ts'
import type { Expected } from './expected.ts'
import type { Scenario } from './scenario.ts'
import type { AgentSession } from './session.ts'

/** What must come of each scenario, by its name. */
export type Expectations = Readonly<
  Record<string, { hooks: Expected; kinds: Expected; facts: readonly EventPart[] }>
>

/** Puts what is done and what must come of it together. Throws when either is without the other. */
export function expectScenarios(
  plays: readonly Omit<Scenario<AgentSession>, 'hooks'>[],
  expectations: Expectations,
): AgentScenario[] {
  const names = Object.keys(expectations).toSorted()
  const played = plays.map(({ name }) => name).toSorted()
  if (names.join(' ') !== played.join(' ')) {
    throw new Error(`Played: ${played.join(' ')}; expected: ${names.join(' ')}`)
  }
  return plays.flatMap((play) => {
    const expected = expectations[play.name]
    if (!expected) return []
    const { hooks, kinds, facts } = expected
    return [{ ...play, hooks, events: { kinds, facts } }]
  })
}
