import type { AgentWiring } from './agent-wiring.ts'
import { claudeWiring } from '../claude/wiring.ts'
import { codexWiring } from '../codex/wiring.ts'
import { cursorWiring } from '../cursor/wiring.ts'
import { geminiWiring } from '../harness/wiring-gemini.ts'
import { openCodeWiring } from '../opencode/wiring.ts'

/** The agents that `bridge wire` and `bridge doctor` know how to handle. */
export const agentWirings: Readonly<Record<string, AgentWiring>> = {
  claude: claudeWiring,
  codex: codexWiring,
  cursor: cursorWiring,
  opencode: openCodeWiring,
  gemini: geminiWiring,
}
