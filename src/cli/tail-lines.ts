import type { LogFrame, SubscribedItem } from '../client/stream-items.ts'
import { formatClock, formatDate, formatDuration } from './amounts.ts'
import { describeFrame, type EventLine } from './event-line.ts'
import { safeLine } from './safe-text.ts'
import type { Style } from './style.ts'
import { fitWidth, padWidth, textWidth } from './text-width.ts'

/** The name column grows with the names it has seen, up to this. */
const minNameWidth = 8
const maxNameWidth = 20
const gap = '  '
const clockWidth = 8
/** An icon and the blank behind it. */
const iconWidth = 2
const durationWidth = 7
/** Beyond this the eye no longer finds the duration that belongs to a text. */
const maxLineWidth = 120
const minTextWidth = 10

/** Turns the items of a stream into lines for a person, one for one. */
export class TailLines {
  readonly #style: Style
  #nameWidth = minNameWidth
  #date: string
  #time = ''

  /** @param now where the reader is in time: dates are only shown where they change */
  constructor(style: Style, now: number) {
    this.#style = style
    this.#date = formatDate(now)
  }

  /** The lines of one frame: none, one, or two where a new day begins. `name` is its contact's. */
  frame(frame: LogFrame, name: string | undefined): string[] {
    const line = describeFrame(frame)
    if (!line) return []
    const lines: string[] = []
    const ts = frame.type === 'other' ? undefined : 'ts' in frame ? frame.ts : undefined
    if (ts !== undefined) {
      const date = formatDate(ts)
      if (date !== this.#date) lines.push(this.#rule(date))
      this.#date = date
      this.#time = formatClock(ts)
    }
    const shownName = fitWidth(safeLine(name ?? '-'), maxNameWidth)
    this.#nameWidth = Math.max(this.#nameWidth, textWidth(shownName))
    const head = `${this.#time.padEnd(clockWidth)}${gap}${padWidth(shownName, this.#nameWidth)}${gap}`
    lines.push(this.#compose(head, line))
    return lines
  }

  /** What is said when the stream begins again; nothing when it began where it was asked to. */
  subscribed(item: SubscribedItem, wasLost: boolean): string[] {
    if (item.resume === 'gap')
      return [this.#rule('events before this are missing; what is shown goes on from now')]
    return wasLost ? [this.#rule('the bridge is back; nothing was missed')] : []
  }

  lost(): string[] {
    return [this.#rule('the bridge is away; waiting for it')]
  }

  /** On a terminal nothing is longer than a line, and durations stand in a column of their own. */
  #compose(head: string, line: EventLine): string {
    const { columns } = this.#style
    const style = this.#style
    const { icon, hue, text, detail = '' } = line
    const duration = line.durationMs === undefined ? '' : formatDuration(line.durationMs)
    const textHue = hue === 'blue' || hue === 'green' ? undefined : hue
    const start = `${style.paint('grey', head.slice(0, clockWidth))}${head.slice(clockWidth)}${style.paint(hue, icon)} `
    if (columns === undefined) return start + [text, detail, duration].filter((part) => part !== '').join(gap)
    const taken = textWidth(head) + iconWidth
    const room =
      duration === '' ? columns - taken : Math.min(columns, maxLineWidth) - taken - gap.length - durationWidth
    const shown = fitTogether(text, detail, Math.max(minTextWidth, room))
    const body = style.paint(textHue, shown.text) + style.paint('grey', shown.detail)
    if (duration === '') return start + body
    const blank = ' '.repeat(Math.max(0, room - textWidth(shown.text + shown.detail)))
    return `${start}${body}${blank}${gap}${style.paint('grey', duration.padStart(durationWidth))}`
  }

  #rule(text: string): string {
    return this.#style.paint('grey', `── ${text} ──`)
  }
}

/** Cuts text and detail to `room` cells; the detail keeps at least half where both are too long. */
function fitTogether(text: string, detail: string, room: number): { text: string; detail: string } {
  if (detail === '') return { text: fitWidth(text, room), detail }
  const detailRoom = Math.max(Math.floor(room / 2), room - textWidth(text))
  const shownDetail = fitWidth(gap + detail, detailRoom)
  return { text: fitWidth(text, room - textWidth(shownDetail)), detail: shownDetail }
}
