import type { Adapter } from './adapter.ts'
import { createClaudeAdapter } from './claude/parse.ts'
import { simulatorAdapter } from './simulator/adapter.ts'

/** The adapters by the name of their agent; the hooks of any other agent are accepted and say nothing. */
export const adapters: ReadonlyMap<string, Adapter> = new Map(
  [createClaudeAdapter('claude'), simulatorAdapter].map((adapter) => [adapter.agent, adapter]),
)
