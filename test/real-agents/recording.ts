import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ARRIVAL_BOUND_MS } from './bounds.ts'
import { openClaudeHome } from './claude.ts'
import type { Recording } from './fixtures.ts'
import { createNeutralizer } from './neutral.ts'
import { playOnClaude } from './play.ts'
import { promptScenarios } from './prompt-scenarios.ts'
import { asHookPayload, hookEventsOf, openRecorder, type HookPayload } from './recorder.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { changesBetween, shapesOf } from './shapes.ts'
import { waitForExpected } from './source.ts'
import { toolScenarios } from './tool-scenarios.ts'

/** Every scenario whose hooks are recorded. */
export const recordedScenarios: readonly Scenario[] = [...scenarios, ...toolScenarios, ...promptScenarios]

/**
 * Plays a scenario and gives its hooks in order of arrival, made neutral. Rejects when other hooks came than the
 * scenario says.
 */
export async function recordScenario(program: string, events: readonly string[], scenario: Scenario) {
  await using recorder = await openRecorder()
  await using home = await openClaudeHome()
  const settings = join(home.home, '.claude', 'settings.json')
  await writeFile(settings, JSON.stringify(recorder.settingsFor(events)))
  await playOnClaude({ program, scenario, home, source: recorder })
  await waitForExpected(recorder, scenario.hooks, ARRIVAL_BOUND_MS)
  const neutral = createNeutralizer(home)
  return recorder.collect().map((hook) => asHookPayload(neutral(hook)))
}

/** Records all scenarios, one after the other. */
export async function recordClaude(
  program: string,
  version: string,
  report: (line: string) => void,
): Promise<Recording> {
  const events = await hookEventsOf(program)
  const recorded = new Map<string, HookPayload[]>()
  for (const scenario of recordedScenarios) {
    const hooks = await recordScenario(program, events, scenario)
    recorded.set(scenario.name, hooks)
    report(`${scenario.name}: ${hooks.map((hook) => hook.hook_event_name).join(' ')}`)
  }
  return { version, events, scenarios: recorded }
}

/** What changed from one recording to another: events the settings accept, hooks that came, and their fields. */
export function changesSince(before: Recording, after: Recording): string[] {
  const accepted = after.events.filter((event) => !before.events.includes(event))
  const refused = before.events.filter((event) => !after.events.includes(event))
  return [
    ...accepted.map((event) => `+ hook event ${event} can be wired`),
    ...refused.map((event) => `- hook event ${event} can no longer be wired`),
    ...changesBetween(
      shapesOf([...before.scenarios.values()].flat()),
      shapesOf([...after.scenarios.values()].flat()),
    ),
  ]
}
