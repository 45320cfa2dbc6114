import type { RefObject } from 'preact'
import { nextGroup } from '../model/groups.ts'
import type { Row } from '../model/rows.ts'
import type { Dashboard } from '../state/dashboard.ts'
import { switchTheme } from '../state/theme.ts'
import {
  clearFilters,
  column,
  cursor,
  group,
  isHelpOpen,
  isNarrowed,
  toggleAllTurns,
} from '../state/view-state.ts'
import type { TimelineList } from './timeline.tsx'

/** The keys as the help shows them. */
export const keyHelp: readonly (readonly [keys: readonly string[], words: string])[] = [
  [['j', 'k'], 'Next, previous'],
  [['Enter'], 'Open or close; show an agent'],
  [['h', 'l'], 'To the agents, to the timeline'],
  [['g', 'G'], 'To the beginning, to the end'],
  [['/'], 'Find'],
  [['f'], 'Next filter'],
  [['s'], 'Show all steps'],
  [['Esc'], 'Back'],
  [['t'], 'Theme'],
  [['?'], 'This help'],
]

/** What the keys act on. */
export interface KeyTargets {
  readonly dashboard: Dashboard
  readonly list: RefObject<TimelineList | null>
  readonly roster: RefObject<HTMLDivElement | null>
  readonly find: RefObject<HTMLInputElement | null>
  readonly rows: () => readonly Row[]
}

/** Handles one key press anywhere on the page. */
export function handleKey(event: KeyboardEvent, targets: KeyTargets): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isHelpOpen.value) return
  const isTyping = event.target instanceof HTMLInputElement
  const action = isTyping ? typingKey(event.key, targets) : pageKey(event, targets)
  if (!action) return
  event.preventDefault()
  action()
}

type Action = (() => void) | undefined

function typingKey(key: string, { find, list, rows }: KeyTargets): Action {
  if (key !== 'Escape' && key !== 'Enter') return undefined
  return () => {
    if (key === 'Escape') clearFilters()
    find.current?.blur()
    if (key === 'Enter') moveInTimeline(list, rows(), 1)
  }
}

function pageKey(event: KeyboardEvent, targets: KeyTargets): Action {
  const { dashboard, list, roster, find, rows } = targets
  const inRoster = roster.current?.contains(document.activeElement) ?? false
  const move = (step: 1 | -1) => () =>
    inRoster ? moveInRoster(roster, step) : moveInTimeline(list, rows(), step)
  switch (event.key) {
    case 'j':
    case 'ArrowDown':
      return move(1)
    case 'k':
    case 'ArrowUp':
      return move(-1)
    case 'h':
      return () => focusRoster(roster)
    case 'l':
      return () => focusTimeline(list, rows())
    case 'Enter':
    case ' ':
      return enter(event, targets)
    case 'g':
      return () => (inRoster ? focusOption(roster, 0) : list.current?.focusRow(firstRow(rows())))
    case 'G':
      return () => (inRoster ? focusOption(roster, -1) : goToEnd(list, rows()))
    case '/':
      return () => {
        column.value = 'timeline'
        find.current?.focus()
        find.current?.select()
      }
    case 'f':
      return () => (group.value = nextGroup(group.value))
    case 's':
      return toggleAllTurns
    case 't':
      return switchTheme
    case '?':
      return () => (isHelpOpen.value = true)
    case 'Escape':
      return () => back(dashboard, roster, inRoster)
    default:
      return undefined
  }
}

/** Enter on what has a meaning of its own, such as a button, is left to it. */
function enter({ target }: KeyboardEvent, { dashboard, list, rows }: KeyTargets): Action {
  if (!(target instanceof HTMLElement)) return undefined
  if (target.role === 'option') {
    return () => {
      dashboard.select(target.dataset['contact'])
      column.value = 'timeline'
      focusTimeline(list, rows())
    }
  }
  return target.role === 'listitem' ? () => target.click() : undefined
}

function back(dashboard: Dashboard, roster: RefObject<HTMLDivElement | null>, inRoster: boolean): void {
  if (isNarrowed.value) clearFilters()
  else if (!inRoster) focusRoster(roster)
  else dashboard.select(undefined)
}

function isStop(row: Row | undefined): boolean {
  return row !== undefined && row.type !== 'edge' && row.type !== 'day'
}

function firstRow(rows: readonly Row[]): number {
  return Math.max(0, rows.findIndex(isStop))
}

function moveInTimeline(list: RefObject<TimelineList | null>, rows: readonly Row[], step: 1 | -1): void {
  if (!list.current) return
  const at = rows.findIndex((row) => row.key === cursor.value)
  const { start, end } = list.current.inView
  // Without a place the keyboard enters where the reader looks: at the last rows, or at the first in view.
  let next = at === -1 ? (list.current.isFollowing ? end - 1 : start) : at + step
  while (next >= 0 && next < rows.length && !isStop(rows[next])) next += step
  if (isStop(rows[next])) list.current.focusRow(next)
}

function focusTimeline(list: RefObject<TimelineList | null>, rows: readonly Row[]): void {
  const at = rows.findIndex((row) => row.key === cursor.value)
  column.value = 'timeline'
  if (at === -1) {
    cursor.value = undefined
    moveInTimeline(list, rows, -1)
  } else list.current?.focusRow(at)
}

function goToEnd(list: RefObject<TimelineList | null>, rows: readonly Row[]): void {
  list.current?.focusRow(rows.length - 1)
  list.current?.showEnd()
}

function optionsOf(roster: RefObject<HTMLDivElement | null>): HTMLElement[] {
  return [...(roster.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
}

function focusRoster(roster: RefObject<HTMLDivElement | null>): void {
  column.value = 'agents'
  const options = optionsOf(roster)
  const selected = options.find((option) => option.ariaSelected === 'true')
  ;(selected ?? options[0])?.focus()
}

function focusOption(roster: RefObject<HTMLDivElement | null>, index: number): void {
  optionsOf(roster).at(index)?.focus()
}

function moveInRoster(roster: RefObject<HTMLDivElement | null>, step: 1 | -1): void {
  const options = optionsOf(roster)
  const at = options.findIndex((option) => option === document.activeElement)
  options[Math.max(0, Math.min(options.length - 1, at + step))]?.focus()
}
