import { hookTable } from './hook-table.ts'

/**
 * Hook events that a hook of ours would change, so they are not wired (seen in Claude Code 2.1.332).
 */
export const unwiredEvents: Readonly<Record<string, string>> = {
  WorktreeCreate: 'A hook takes the place of `git worktree` and has to print the path of what it made.',
  WorktreeRemove:
    'A hook that ends with 0 counts as having removed the worktree, and Claude does not remove it any more.',
  FileChanged: 'The matcher names the files to watch; without one nothing is watched.',
}

/** The hook events that are wired: all others, as the adapter knows them. */
export const wiredEvents: readonly string[] = [...new Set(hookTable.map(({ hook }) => hook))].filter(
  (event) => !(event in unwiredEvents),
)

/** HTTP hooks are not supported for it (agents.md, Claude Code, "HTTP hooks exist"). */
export const commandOnlyEvents: readonly string[] = ['SessionStart']
