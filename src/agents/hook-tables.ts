import { claudeHookGaps } from './claude/hook-gaps.ts'
import { hookTable as claudeHookTable } from './claude/hook-table.ts'
import { codexHookGaps } from './codex/hook-gaps.ts'
import { codexHookTable } from './codex/hook-table.ts'
import { cursorHookGaps } from './cursor/hook-gaps.ts'
import { cursorHookTable } from './cursor/hook-table.ts'
import { hookTableOf } from './harness/hook-table.ts'
import { builtInHarnesses } from './harness/read-harnesses.ts'
import { renderHookGaps, renderHookTable, type HookGap, type HookRow } from './hook-table.ts'
import { openCodeHookGaps } from './opencode/hook-gaps.ts'
import { openCodeHookTable } from './opencode/hook-table.ts'

/** What is known of the hooks of one agent. */
export interface AgentHooks {
  readonly agent: string
  readonly title: string
  /** Where what is known of them is from. */
  readonly source: string
  readonly rows: readonly HookRow[]
  readonly gaps: readonly HookGap[]
}

/** The hooks of all agents that come with the bridge, in the order of `docs/events.md`. */
export const agentHooks: readonly AgentHooks[] = [
  {
    agent: 'claude',
    title: 'Claude Code',
    source: 'Recorded from version 2.1.332.',
    rows: claudeHookTable,
    gaps: claudeHookGaps,
  },
  {
    agent: 'codex',
    title: 'Codex',
    source: 'Recorded from version 0.171.0, and its own schemas.',
    rows: codexHookTable,
    gaps: codexHookGaps,
  },
  {
    agent: 'cursor',
    title: 'Cursor',
    source: 'From its documentation; not verified with the program.',
    rows: cursorHookTable,
    gaps: cursorHookGaps,
  },
  {
    agent: 'opencode',
    title: 'OpenCode',
    source: 'Recorded from version 1.18.33, and its own API description.',
    rows: openCodeHookTable,
    gaps: openCodeHookGaps,
  },
  ...builtInHarnesses.map(({ agent, description }) => ({
    agent,
    title: description.title,
    source: description.source,
    rows: hookTableOf(description),
    gaps: description.gaps,
  })),
]

/** A section of `docs/events.md` for each agent: what becomes of its hooks, and what none of them tells. */
export function renderAgentHooks(): string {
  return agentHooks
    .map(({ agent, title, source, rows, gaps }) =>
      [
        `### ${title} (\`${agent}\`)`,
        source,
        renderHookTable(rows),
        `#### What no hook of ${title} tells`,
        renderHookGaps(gaps),
      ].join('\n\n'),
    )
    .join('\n\n')
}
