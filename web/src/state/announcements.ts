import { signal } from '@preact/signals'
import type { LogEntry } from '../../../src/protocol/index.ts'
import { isEvent } from '../model/entries.ts'
import { beginningOf, visibleText } from '../model/visible-text.ts'

/** The last thing a screen reader is told without being asked. */
export const announcement = signal('')

/** Nobody listens to a command longer than this. */
const maxSpoken = 200

/** Announces that agents ask. Only the newest is said: a list read aloud hides it. */
export function announceAsks(
  entries: readonly LogEntry[],
  nameOf: (contact: string) => string | undefined,
): void {
  for (const entry of entries) {
    if (!isEvent(entry)) continue
    const { event } = entry
    if (event.kind !== 'permission.requested' && event.kind !== 'agent.question') continue
    const { contact } = entry
    const name = (contact === undefined ? undefined : nameOf(contact)) ?? entry.agent
    const what =
      event.kind === 'agent.question'
        ? event.text
        : [event.activity?.tool, event.activity?.summary].filter(Boolean).join(' ') ||
          (event.description ?? '')
    announcement.value = visibleText(beginningOf(`${name} asks: ${what}`, maxSpoken).text)
  }
}
