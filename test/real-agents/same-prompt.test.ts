import { describe, expect, test } from 'vitest'
import { patient, recordAgentScenario } from './agent-recording.ts'
import { realAgents } from './agents.ts'
import { agentOrSkip } from './available.ts'
import { openBridge, type TestBridge } from './bridge.ts'
import { openClaudeHome } from './claude.ts'
import { claudeEvents } from './claude-events.ts'
import { readPrompt } from './common-scenarios.ts'
import { claudePackage } from './install.ts'
import { playOnClaude } from './play.ts'
import { scenarios } from './scenarios.ts'
import { waitForExpected } from './source.ts'
import { wireAgent } from './wire.ts'

/** What a subscriber sees of one prompt that makes the agent read a file, whatever the agent. */
const common = [
  'session.started',
  'turn.started',
  'message.user',
  'activity.started',
  'activity.finished',
  'message.assistant',
  'turn.ended',
  'session.ended',
]

interface Exceptions {
  /** Kinds that do not come, each with the reason. */
  never?: Record<string, string>
  /** Kinds that come more often, or not at the same place; each with the reason. */
  loose?: Record<string, string>
}

const early = 'What is said before a tool is a message of its own, told while the tool already runs.'

const exceptions: Record<string, Exceptions> = {
  claude: {
    loose: { 'message.assistant': `${early} The last words may be told after the end of the turn.` },
  },
  // Their last words are told with the end of the turn, and what was said before a tool is told by nothing.
  codex: {},
  gemini: {},
  opencode: {
    loose: { 'message.assistant': early },
    never: { 'session.ended': 'OpenCode does not tell its plugins that it ends.' },
  },
}

const BOUND_MS = 300_000

/** Bound for what an agent has sent to be streamed by the bridge. */
const EVENTS_BOUND_MS = 30_000

/** What came, without what may stand anywhere; and what of that did not come at all. */
function kindsOf(agent: string, bridge: TestBridge) {
  const loose = Object.keys(exceptions[agent]?.loose ?? {})
  const kinds = bridge.collect().map(({ event }) => event.kind)
  return {
    inOrder: kinds.filter((kind) => !loose.includes(kind)),
    missing: loose.filter((kind) => !kinds.some((one) => one === kind)),
  }
}

function expectedOf(agent: string) {
  const { never = {}, loose = {} } = exceptions[agent] ?? {}
  return { inOrder: common.filter((kind) => !(kind in never) && !(kind in loose)), missing: [] }
}

describe(`"${readPrompt}" gives the same kinds in the same order`, () => {
  test('on claude', { timeout: BOUND_MS }, async ({ skip }) => {
    const claude = await agentOrSkip(claudePackage)
    if (!claude) {
      skip('it could not be installed')
      return
    }
    const name = 'read-file'
    const scenario = scenarios.find((one) => one.name === name)
    const expected = claudeEvents.get(name)
    if (!scenario || !expected) throw new Error(`There is no scenario ${name}`)
    await using home = await openClaudeHome()
    await using bridge = await openBridge(home)
    await wireAgent('claude', home, [], bridge)
    await playOnClaude({ program: claude.program, scenario, home, source: bridge })
    await waitForExpected(bridge, expected.kinds, EVENTS_BOUND_MS)
    expect(kindsOf('claude', bridge)).toEqual(expectedOf('claude'))
  })

  test.for(realAgents)('on $package.agent', { timeout: BOUND_MS }, async (agent, { skip }) => {
    const installed = await agentOrSkip(agent.package)
    if (!installed) {
      skip('it could not be installed')
      return
    }
    const name = agent.package.agent
    const scenario = agent.scenarios.find((one) => one.name === 'read-file')
    if (!scenario) throw new Error(`${name} has no scenario read-file`)
    await using opened = await agent.openHome(installed)
    const home = patient(opened)
    await using bridge = await openBridge(home)
    await recordAgentScenario({
      agent,
      installed,
      scenario,
      home,
      bridge: {
        wire: (events) => wireAgent(name, home, events, bridge),
        allCame: () => waitForExpected(bridge, scenario.events.kinds, EVENTS_BOUND_MS),
      },
    })
    expect(kindsOf(name, bridge)).toEqual(expectedOf(name))
  })
})
