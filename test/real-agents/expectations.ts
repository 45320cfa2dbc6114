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
  return plays.map((play) => {
    const expected = expectations[play.name] ?? { hooks: { inOrder: '' }, kinds: { inOrder: '' }, facts: [] }
    const { hooks, kinds, facts } = expected
    return { ...play, hooks, events: { kinds, facts } }
  })
}
