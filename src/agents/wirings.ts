import type { AgentWiring } from './agent-wiring.ts'
import { claudeWiring } from './claude/wiring.ts'

/** The agents that `bridge wire` and `bridge doctor` know how to handle. */
export const agentWirings: Readonly<Record<string, AgentWiring>> = {
  claude: claudeWiring,
}
