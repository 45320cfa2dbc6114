import type { Adapter } from './adapter.ts'
import { createClaudeAdapter } from './claude/parse.ts'
import { codexAdapter } from './codex/parse.ts'
import { cursorAdapter } from './cursor/parse.ts'
import { builtInHarnesses, readHarnesses } from './harness/read-harnesses.ts'
import { openCodeAdapter } from './opencode/parse.ts'
import { simulatorAdapter } from './simulator/adapter.ts'

/** The adapters by the name of their agent; the hooks of any other agent are accepted and say nothing. */
export const adapters: ReadonlyMap<string, Adapter> = byAgent([
  createClaudeAdapter('claude'),
  codexAdapter,
  cursorAdapter,
  openCodeAdapter,
  ...builtInHarnesses.map((harness) => harness.adapter),
  simulatorAdapter,
])

/**
 * All adapters: those above, and the harnesses a user has described in a `harness.json`.
 *
 * @throws BridgeError `config_invalid` as {@link readHarnesses}
 */
export function loadAdapters(harnessFile: string): ReadonlyMap<string, Adapter> {
  return byAgent([...adapters.values(), ...readHarnesses(harnessFile).map((harness) => harness.adapter)])
}

function byAgent(list: readonly Adapter[]): ReadonlyMap<string, Adapter> {
  return new Map(list.map((adapter) => [adapter.agent, adapter]))
}
