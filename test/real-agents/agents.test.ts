import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patient, recordAgentScenario } from './agent-recording.ts'
import { realAgents } from './agents.ts'
import { agentOrSkip } from './available.ts'
import { openBridge } from './bridge.ts'
import { missingFrom, problemsOf } from './event-checks.ts'
import { fixturesOf, readRecording } from './fixtures.ts'
import { startedWith } from './processes.ts'
import { changesBetween, shapesOf } from './shapes.ts'
import { waitForExpected } from './source.ts'
import { wireAgent } from './wire.ts'

/** The bound of a scenario: starting an agent and a bridge, and the steps, on a machine that is busy otherwise. */
const SCENARIO_BOUND_MS = 300_000

/** Bound for what an agent has sent to be streamed by the bridge. */
const EVENTS_BOUND_MS = 30_000

describe.each(realAgents)('$package.agent $package.version', async (agent) => {
  const { agent: name, version } = agent.package
  const installed = await agentOrSkip(agent.package)
  let begun = 0
  let passed = 0

  describe.skipIf(!installed)('beside its recorder and wired to the bridge', async () => {
    const recording = installed && (await readRecording(fixturesOf(name), version))

    beforeAll(() => {
      begun = performance.now()
    })

    test('was recorded in every scenario', async () => {
      if (!installed) return
      expect([...(recording?.scenarios.keys() ?? [])].toSorted()).toEqual(
        agent.scenarios.map((scenario) => scenario.name).toSorted(),
      )
      expect(recording?.events).toEqual(await agent.hookEvents(installed))
    })

    test.for(agent.scenarios)('$name', { timeout: SCENARIO_BOUND_MS }, async (scenario, { onTestFailed }) => {
      if (!installed) return
      let root: string
      {
        await using opened = await agent.openHome(installed)
        const home = patient(opened)
        root = home.root
        await using bridge = await openBridge(home)
        onTestFailed(() => console.log(JSON.stringify(bridge.collect(), undefined, 2), bridge.output()))

        const hooks = await recordAgentScenario({
          agent,
          installed,
          scenario,
          home,
          bridge: {
            wire: (events) => wireAgent(name, home, events, bridge),
            allCame: () => waitForExpected(bridge, scenario.events.kinds, EVENTS_BOUND_MS),
          },
        })

        const events = bridge.collect()
        expect(problemsOf(events, name)).toEqual([])
        expect(missingFrom(events, scenario.events.facts)).toEqual([])
        const recorded = recording?.scenarios.get(scenario.name) ?? []
        expect(changesBetween(shapesOf(recorded), shapesOf(hooks))).toEqual([])
      }
      expect(startedWith(root)).toEqual([])
      passed += 1
    })

    afterAll(() => {
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      console.log(
        `${passed} of ${agent.scenarios.length} scenarios passed on ${name} ${version}, ${seconds} s`,
      )
    })
  })
})
