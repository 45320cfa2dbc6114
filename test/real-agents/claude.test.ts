import { afterAll, describe, expect, test } from 'vitest'
import { agentOrSkip } from './available.ts'
import { ARRIVAL_BOUND_MS } from './bounds.ts'
import { openBridge } from './bridge.ts'
import { claudeEvents } from './claude-events.ts'
import { openClaudeHome } from './claude.ts'
import { missingFrom, problemsOf } from './event-checks.ts'
import { claudePackage } from './install.ts'
import { playOnClaude } from './play.ts'
import { scenarios } from './scenarios.ts'
import { waitForExpected } from './source.ts'

const claude = await agentOrSkip(claudePackage)
let passed = 0

describe.skipIf(!claude)(`claude ${claudePackage.version}, wired by bridge wire`, () => {
  test('is played in the eleven scenarios of the spine', () => {
    expect(scenarios).toHaveLength(11)
    expect(scenarios.map(({ name }) => name)).toEqual([...claudeEvents.keys()])
  })

  test.for(scenarios)('$name', async (scenario, { onTestFailed }) => {
    const expected = claudeEvents.get(scenario.name)
    if (!claude || !expected) throw new Error(`Nothing is expected of ${scenario.name}`)
    await using home = await openClaudeHome()
    await using bridge = await openBridge(home)
    onTestFailed(() => console.log(JSON.stringify(bridge.collect(), undefined, 2), bridge.output()))
    await bridge.command('wire', 'claude')
    await playOnClaude({ program: claude.program, scenario, home, source: bridge })
    await waitForExpected(bridge, expected.kinds, ARRIVAL_BOUND_MS)

    const events = bridge.collect()
    expect(problemsOf(events)).toEqual([])
    expect(missingFrom(events, expected.facts)).toEqual([])
    passed += 1
  })

  afterAll(() => {
    console.log(`${passed} of ${scenarios.length} scenarios passed on claude ${claudePackage.version}`)
  })
})
