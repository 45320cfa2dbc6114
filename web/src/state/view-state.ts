import { computed, signal } from '@preact/signals'
import type { Group } from '../model/groups.ts'
import type { RowView } from '../model/rows.ts'

/** What this page shows and where its cursor is; nothing of it is kept. */
export const group = signal<Group>('all')
export const query = signal('')
export const openTurns = signal(false)
const toggled = signal<ReadonlySet<string>>(new Set())
/** Key of the timeline row the keyboard is at. */
export const cursor = signal<string | undefined>(undefined)
export const isHelpOpen = signal(false)
/** On a phone one column is shown at a time. */
export const column = signal<'agents' | 'timeline'>('agents')

export const rowView = computed<RowView>(() => ({
  group: group.value,
  query: query.value.trim(),
  openTurns: openTurns.value,
  toggled: toggled.value,
}))

/** Whether something hides part of the timeline. */
export const isNarrowed = computed(() => group.value !== 'all' || query.value.trim() !== '')

/** Opens a row that is closed, closes one that is open. */
export function toggle(key: string): void {
  const next = new Set(toggled.value)
  if (!next.delete(key)) next.add(key)
  toggled.value = next
}

/** Opens every turn, or closes them all; single choices are forgotten. */
export function toggleAllTurns(): void {
  openTurns.value = !openTurns.value
  toggled.value = new Set()
}

export function clearFilters(): void {
  group.value = 'all'
  query.value = ''
}
