import type { AgentScenario, RealAgent } from './agents.ts'
import type { Recording } from './fixtures.ts'
import type { InstalledAgent } from './install.ts'
import { createNeutralizer } from './neutral.ts'
import { play } from './play.ts'
import type { PrivateHome } from './private-home.ts'
import { asHookPayload, openRecorder, type HookPayload } from './recorder.ts'
import { waitForExpected, type EventSource } from './source.ts'

/** Bound for all that a scenario brings to have come. */
const ALL_BOUND_MS = 60_000

export interface RecordOptions {
  agent: RealAgent
  installed: InstalledAgent
  scenario: AgentScenario
  home: PrivateHome
  /** The bridge, beside the recorder. */
  bridge?: {
    wire(events: readonly string[]): Promise<void>
    /** Resolves when it has been told everything. */
    allCame(): Promise<void>
  }
}

/**
 * Plays a scenario and gives its hooks in order of arrival, made neutral. Rejects when other hooks came than the
 * scenario says.
 */
export async function recordAgentScenario(options: RecordOptions): Promise<HookPayload[]> {
  const { agent, installed, scenario, home } = options
  await using recorder = await openRecorder()
  const events = await agent.hookEvents(installed)
  await agent.record(home, events, recorder)
  await options.bridge?.wire(events)

  const counted: EventSource<HookPayload> = {
    ...recorder,
    collect: () => recorder.collect().filter((hook) => agent.quietKeyOf?.(hook) === undefined),
  }
  const allCame = async () => {
    await waitForExpected(counted, scenario.hooks, ALL_BOUND_MS)
    await options.bridge?.allCame()
  }
  const mayLeave = agent.endsSilently ? { mayLeave: allCame } : {}
  await play({ scenario, home, source: recorder, boundMs: ALL_BOUND_MS, ...mayLeave }, (model) =>
    agent.start({ agent: installed, home, model }),
  )
  await allCame()
  const neutral = createNeutralizer(home)
  return withoutRepetition(recorder.collect(), agent).map((hook) => asHookPayload(neutral(hook)))
}

function withoutRepetition(hooks: readonly HookPayload[], agent: RealAgent): HookPayload[] {
  const seen = new Set<string>()
  return hooks.filter((hook) => {
    const key = agent.quietKeyOf?.(hook)
    if (key === undefined) return true
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Records all scenarios of an agent, one after the other. */
export async function recordAgent(
  agent: RealAgent,
  installed: InstalledAgent,
  report: (line: string) => void,
): Promise<Recording> {
  const scenarios = new Map<string, HookPayload[]>()
  for (const scenario of agent.scenarios) {
    await using home = await agent.openHome(installed)
    const hooks = await recordAgentScenario({ agent, installed, scenario, home })
    scenarios.set(scenario.name, hooks)
    report(`${scenario.name}: ${hooks.map((hook) => hook.hook_event_name).join(' ')}`)
  }
  return { version: installed.version, events: [...(await agent.hookEvents(installed))], scenarios }
}

/** The environment under which no hook is put aside because a loaded machine was slow. */
export function patient(home: PrivateHome): PrivateHome {
  return { ...home, env: { ...home.env, BRIDGE_HOOK_TIMEOUT_MS: '20000' } }
}
