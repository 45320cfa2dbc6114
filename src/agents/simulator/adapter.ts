import type { Adapter } from '../adapter.ts'
import { createClaudeAdapter } from '../claude/parse.ts'

/** The demo and test agent. Its hooks have the shapes of Claude's. */
export const simulatorAdapter: Adapter = createClaudeAdapter('simulator')
