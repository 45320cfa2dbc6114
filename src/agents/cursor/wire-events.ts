import { cursorHookTable } from './hook-table.ts'

/**
 * The hook events that Cursor is known to have, by the first version that is known to have them: of the editor (x.y.z)
 * and of `cursor-agent` (year.month.day). One name that a version does not know voids the whole file, so a version
 * counts only where somebody has seen it documented; it may well have had them earlier.
 */
const eventsSince: readonly {
  readonly editor: string
  readonly agent: string
  readonly events: readonly string[]
}[] = [
  {
    editor: '1.7.0',
    agent: '2025.10.0',
    events: [
      'beforeSubmitPrompt',
      'beforeShellExecution',
      'beforeMCPExecution',
      'beforeReadFile',
      'afterFileEdit',
      'stop',
    ],
  },
  {
    editor: '2.1.0',
    agent: '2026.1.0',
    events: [
      'afterShellExecution',
      'afterMCPExecution',
      'afterAgentResponse',
      'afterAgentThought',
      'beforeTabFileRead',
      'afterTabFileEdit',
    ],
  },
  {
    editor: '3.0.0',
    agent: '2026.5.0',
    events: [
      'sessionStart',
      'sessionEnd',
      'preToolUse',
      'postToolUse',
      'postToolUseFailure',
      'subagentStart',
      'subagentStop',
      'preCompact',
    ],
  },
  // Seen in the logs of an editor of this version, and not of the program for terminals.
  { editor: '3.14.0', agent: '2027.0.0', events: ['workspaceOpen'] },
]

/** Every event that some version of Cursor is known to have. */
export const knownCursorEvents: readonly string[] = eventsSince.flatMap(({ events }) => events)

const withNews = new Set(cursorHookTable.filter(({ becomes }) => becomes.length > 0).map(({ hook }) => hook))

/**
 * The events to wire for the Cursors that are installed: those that all of them have and that become something. Where
 * no version is known (an empty list) it is what the first version with hooks had.
 */
export function cursorEventsFor(versions: readonly string[]): string[] {
  const told = versions.length > 0 ? versions : ['1.7.0']
  return eventsSince
    .filter(({ editor, agent }, index) => {
      return index === 0 || told.every((version) => isAtLeast(version, isYear(version) ? agent : editor))
    })
    .flatMap(({ events }) => events)
    .filter((event) => withNews.has(event))
}

function isYear(version: string): boolean {
  return (numbersOf(version)[0] ?? 0) >= 2000
}

function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(least)]
  for (const index of [0, 1, 2]) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

function numbersOf(version: string): number[] {
  return (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? '0.0.0').split('.').map(Number)
}
