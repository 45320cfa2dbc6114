import { describe, expect, test } from 'vitest'
import { agentOrSkip } from './available.ts'
import { fixturesOf, readRecording } from './fixtures.ts'
import { claudePackage } from './install.ts'
import { hookEventsOf } from './recorder.ts'
import { recordedScenarios, recordScenario } from './recording.ts'
import { changesBetween, shapesOf } from './shapes.ts'

const claude = await agentOrSkip(claudePackage)

describe.skipIf(!claude)(`the hooks of claude ${claudePackage.version}`, async () => {
  const program = claude?.program ?? ''
  const events = claude ? await hookEventsOf(program) : []
  const recording = await readRecording(fixturesOf('claude'), claudePackage.version)

  test('are recorded for every scenario and every event it knows', () => {
    expect(recording.events).toEqual(events)
    expect([...recording.scenarios.keys()].toSorted()).toEqual(
      recordedScenarios.map(({ name }) => name).toSorted(),
    )
  })

  test.each(recordedScenarios)('$name brings the hooks it brought when it was recorded', async (scenario) => {
    const hooks = await recordScenario(program, events, scenario)
    const recorded = recording.scenarios.get(scenario.name) ?? []
    expect(changesBetween(shapesOf(recorded), shapesOf(hooks))).toEqual([])
  })
})
