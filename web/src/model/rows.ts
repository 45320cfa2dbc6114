import { allSteps, isInGroup, isProblem, matchesWords, textOfStep, wordsOf, type Group } from './groups.ts'
import { countSteps, isShown, type Item, type Step, type Turn } from './steps.ts'
import { dayOf } from './times.ts'

interface RowOfItem {
  readonly key: string
  readonly isOpen: boolean
  /** A turn is a block: its first and last rows make its edges. */
  isFirst?: boolean
  isLast?: boolean
}

/** One line of the timeline, with what opened under it. */
export type Row =
  | { readonly type: 'day'; readonly key: string; readonly ts: number }
  /** Where what is loaded begins. */
  | { readonly type: 'edge'; readonly key: 'edge' }
  | OpenableRow

/** A row that a reader can stop at. */
export type OpenableRow = RowOfItem &
  (
    | { readonly type: 'prompt' | 'reply'; readonly item: Turn }
    | { readonly type: 'turn'; readonly item: Turn; readonly counts: ReturnType<typeof countSteps> }
    | {
        readonly type: 'step'
        readonly item: Item
        readonly step: Step
        /** 0 stands alone, 1 in an open turn, 2 in an open subagent. */
        readonly depth: 0 | 1 | 2
      }
  )

/** What the timeline shows of what it holds. */
export interface RowView {
  /** Rows that are not as they are by default: a turn that is open, or closed where all are open. */
  readonly toggled: ReadonlySet<string>
  /** Turns show their steps unless closed one by one. */
  readonly openTurns: boolean
  readonly group: Group
  readonly query: string
}

interface Built {
  readonly revision: number
  readonly view: RowView
  readonly rows: readonly Row[]
}

/** Builds rows, and keeps those of items that did not change: a timeline grows at its end. */
export class RowBuilder {
  readonly #built = new WeakMap<Item, Built>()

  /** The rows of the items under this view; the same view object and items give the same row objects. */
  build(items: readonly Item[], view: RowView): Row[] {
    const words = wordsOf(view.query)
    const isFlat = view.group !== 'all' || words.length > 0
    const rows: Row[] = [{ type: 'edge', key: 'edge' }]
    let day = { start: 0, end: 0 }
    for (const item of items) {
      let known = this.#built.get(item)
      if (known?.revision !== item.revision || known.view !== view) {
        const itemRows = isFlat ? flatRows(item, view, words) : structuredRows(item, view)
        known = { revision: item.revision, view, rows: itemRows }
        this.#built.set(item, known)
      }
      if (known.rows.length === 0) continue
      if (item.ts < day.start || item.ts >= day.end) {
        day = dayOf(item.ts)
        rows.push({ type: 'day', key: `day:${day.start}:${item.key}`, ts: item.ts })
      }
      for (const row of known.rows) rows.push(row)
    }
    return rows
  }
}

/** A turn as a conversation: what was asked, one line of work that opens, what was said. */
function structuredRows(item: Item, view: RowView): OpenableRow[] {
  const rows: OpenableRow[] = []
  const isOpen = (key: string) => view.toggled.has(key)
  if (item.type === 'note') {
    for (const step of item.steps) if (isShown(step)) rows.push(stepRow(item, step, 0, isOpen(step.key)))
    return rows
  }
  const counts = countSteps(item.steps)
  if (item.prompt !== undefined) {
    const key = `${item.key}/prompt`
    rows.push({ type: 'prompt', key, item, isOpen: isOpen(key) })
  }
  const turnIsOpen = view.openTurns !== view.toggled.has(item.key)
  if (counts.total > 0 || item.outcome !== 'completed' || item.reply === undefined) {
    rows.push({ type: 'turn', key: item.key, item, isOpen: turnIsOpen, counts })
  }
  for (const step of turnIsOpen ? item.steps : counts.open) {
    if (!isShown(step)) continue
    const stepIsOpen = isOpen(step.key)
    rows.push(stepRow(item, step, 1, stepIsOpen))
    if (step.body.type !== 'subagent' || !stepIsOpen || !turnIsOpen) continue
    for (const child of step.body.children) {
      if (isShown(child)) rows.push(stepRow(item, child, 2, isOpen(child.key)))
    }
  }
  if (item.reply !== undefined) {
    const key = `${item.key}/reply`
    rows.push({ type: 'reply', key, item, isOpen: isOpen(key) })
  }
  const first = rows[0]
  const last = rows.at(-1)
  if (first) first.isFirst = true
  if (last) last.isLast = true
  return rows
}

/** Only what was asked for, each line by itself. */
function flatRows(item: Item, { group, toggled }: RowView, words: readonly string[]): Row[] {
  const rows: Row[] = []
  const isOpen = (key: string) => toggled.has(key)
  const isWanted = (text: string | undefined) => text !== undefined && matchesWords(text, words)
  const messages = group === 'all' || group === 'messages'
  if (item.type === 'turn' && messages && isWanted(item.prompt)) {
    const key = `${item.key}/prompt`
    rows.push({ type: 'prompt', key, item, isOpen: isOpen(key) })
  }
  for (const step of allSteps(item)) {
    const isGap = step.body.type === 'gap'
    if ((group === 'all' ? isShown(step) : isInGroup(step, group)) && (isGap || isWanted(textOfStep(step)))) {
      rows.push(stepRow(item, step, 0, isOpen(step.key)))
    }
  }
  if (item.type !== 'turn') return rows
  if ((group === 'all' || group === 'problems') && isProblem(item) && isWanted(item.error ?? item.outcome)) {
    rows.push({
      type: 'turn',
      key: item.key,
      item,
      isOpen: isOpen(item.key),
      counts: countSteps(item.steps),
    })
  }
  if (messages && isWanted(item.reply?.text)) {
    const key = `${item.key}/reply`
    rows.push({ type: 'reply', key, item, isOpen: isOpen(key) })
  }
  return rows
}

function stepRow(item: Item, step: Step, depth: 0 | 1 | 2, isOpen: boolean): OpenableRow {
  return { type: 'step', key: step.key, item, step, depth, isOpen }
}
