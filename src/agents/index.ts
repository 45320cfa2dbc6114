import type { Adapter } from './adapter.ts'
import { createClaudeAdapter } from './claude/parse.ts'
import { codexAdapter } from './codex/parse.ts'
import { cursorAdapter } from './cursor/parse.ts'
import { builtInHarnesses } from './harness/read-harnesses.ts'
import { openCodeAdapter } from './opencode/parse.ts'
import { simulatorAdapter } from './simulator/adapter.ts'

/** The adapters by the name of their agent; the hooks of any other agent are accepted and say nothing. */
export const adapters: ReadonlyMap<string, Adapter> = new Map(
  [
    createClaudeAdapter('claude'),
    codexAdapter,
    cursorAdapter,
    openCodeAdapter,
    ...builtInHarnesses.map((harness) => harness.adapter),
    simulatorAdapter,
  ].map((adapter) => [adapter.agent, adapter]),
)
