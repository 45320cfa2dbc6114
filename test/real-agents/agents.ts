import { addCodexHooks, codexHookEvents, openCodexHome, startCodex } from './codex.ts'
import { codexScenarios } from './codex-scenarios.ts'
import type { ExpectedEvents } from './claude-events.ts'
import { addGeminiHooks, geminiHookEvents, openGeminiHome, startGemini } from './gemini.ts'
import { geminiScenarios } from './gemini-scenarios.ts'
import {
  codexPackage,
  geminiPackage,
  openCodePackage,
  type AgentPackage,
  type InstalledAgent,
} from './install.ts'
import { openCodeEvents, openOpenCodeHome, startOpenCode } from './opencode.ts'
import { addOpenCodeRecorder, quietKeyOf } from './opencode-plugins.ts'
import { openCodeScenarios } from './opencode-scenarios.ts'
import type { PrivateHome } from './private-home.ts'
import type { HookPayload, Recorder } from './recorder.ts'
import type { Scenario } from './scenario.ts'
import type { AgentSession, StartOptions } from './session.ts'

/** A scenario with what must come of it: the agent's hooks, and the bridge's events. */
export interface AgentScenario extends Scenario<AgentSession> {
  events: ExpectedEvents
}

/** A real agent: where it comes from, how its home is made ready, how its hooks are seen, what it is put through. */
export interface RealAgent {
  package: AgentPackage
  openHome(installed: InstalledAgent): Promise<PrivateHome>
  start(options: StartOptions): Promise<AgentSession>
  /** Every hook event that the program knows, as far as it can be found out. */
  hookEvents(installed: InstalledAgent): Promise<readonly string[]>
  /** Has its hooks go to the recorder, beside whatever else is wired. */
  record(home: PrivateHome, events: readonly string[], recorder: Recorder): Promise<void>
  /**
   * Equal for hooks that come many times and say the same again; only the first of them is kept, and their order is
   * no matter. Undefined for a hook that counts.
   */
  quietKeyOf?(hook: HookPayload): string | undefined
  /** It tells nothing when it ends, and what it has not sent by then is lost. */
  endsSilently?: true
  scenarios: readonly AgentScenario[]
}

const codex: RealAgent = {
  package: codexPackage,
  openHome: openCodexHome,
  start: startCodex,
  hookEvents: () => Promise.resolve(codexHookEvents),
  record: (home, _events, { command }) => addCodexHooks(home, command),
  scenarios: codexScenarios,
}

const openCode: RealAgent = {
  package: openCodePackage,
  openHome: openOpenCodeHome,
  start: startOpenCode,
  hookEvents: () => Promise.resolve(openCodeEvents),
  record: (home, _events, { url }) => addOpenCodeRecorder(home, url),
  quietKeyOf,
  endsSilently: true,
  scenarios: openCodeScenarios,
}

const gemini: RealAgent = {
  package: geminiPackage,
  openHome: openGeminiHome,
  start: startGemini,
  hookEvents: ({ program }) => geminiHookEvents(program),
  record: (home, events, { command }) => addGeminiHooks(home, events, command),
  scenarios: geminiScenarios,
}

/** Those that are driven in the same way; Claude Code has its own scenarios, from before there were others. */
export const realAgents: readonly RealAgent[] = [codex, openCode, gemini]
