import { Component, createRef, type ComponentChildren } from 'preact'
import { RowOffsets, type Keyed } from '../model/row-offsets.ts'

export interface VirtualListProps<R extends Keyed> {
  readonly rows: readonly R[]
  /** Where the list puts itself, for those who move in it: Preact 11 leaves `ref` to the component. */
  readonly handle: { current: VirtualList<R> | null }
  readonly label: string
  /** When it changes, the list is another one and shows its end. */
  readonly identity: string
  /** A row's height before it was ever shown, in CSS pixels. */
  readonly estimate: (row: R) => number
  /** One element per row. */
  readonly renderRow: (row: R) => ComponentChildren
  /** Whether the row stays what it is while others come and go around it, so that the view can hold on to it. */
  readonly isSteady: (row: R) => boolean
  /** The list follows its end, or the reader went elsewhere. */
  readonly onFollowing: (isFollowing: boolean) => void
  /** The reader came near the beginning. */
  readonly onNearTop: () => void
}

/** Rendered beyond each edge of the view, so that fast scrolling finds rows. */
const overscanPx = 600
/** So near the end the list counts as being there: positions are fractions, and scrolling is not exact. */
const endTolerancePx = 3
const nearTopPx = 800

/**
 * A long list of which only the part in view exists. Rows are measured as they are shown; whatever changes above
 * the view, the row at its top stays where it is, unless the list follows its end.
 */
export class VirtualList<R extends Keyed> extends Component<VirtualListProps<R>> {
  readonly #scroller = createRef<HTMLDivElement>()
  readonly #spacer = createRef<HTMLDivElement>()
  readonly #window = createRef<HTMLDivElement>()
  readonly #offsets = new RowOffsets<R>((row) => this.props.estimate(row))
  #observer: ResizeObserver | undefined
  #top = 0
  #height = 800
  #range = { start: 0, end: 0 }
  #isFollowing = true
  /** Rows in view and where they were: the first that still exists tells how far everything moved. */
  #anchors: { readonly key: string; readonly offset: number }[] = []
  #toFocus: string | undefined
  #identity: string | undefined

  get isFollowing(): boolean {
    return this.#isFollowing
  }

  /** Goes to the end and follows it. */
  showEnd(): void {
    this.#setFollowing(true)
    this.forceUpdate()
  }

  /** Brings a row into view and gives it the keyboard. */
  focusRow(index: number): void {
    const row = this.#offsets.rows[index]
    const scroller = this.#scroller.current
    if (!row || !scroller) return
    const top = this.#offsets.offsetOf(index)
    const bottom = this.#offsets.offsetOf(index + 1)
    const isBelow = bottom > this.#top + this.#height
    const wanted =
      top < this.#top || bottom - top > this.#height ? top : isBelow ? bottom - this.#height : this.#top
    this.#toFocus = row.key
    const isFirst = this.#offsets.rows.slice(0, index).every((before) => !this.props.isSteady(before))
    this.#moveTo(isFirst ? 0 : wanted)
    this.forceUpdate()
  }

  /** The rows in view, as indexes of the first and the one after the last. */
  get inView(): { readonly start: number; readonly end: number } {
    const start = this.#offsets.indexAt(this.#top)
    return { start, end: this.#offsets.indexAt(this.#top + this.#height - 1) + 1 }
  }

  /** The next change is the reader's own doing, such as opening a row: it must not scroll away from under it. */
  holdStill(): void {
    this.#setFollowing(false)
    this.#remember()
  }

  override componentDidMount(): void {
    this.props.handle.current = this
    const { current: scroller } = this.#scroller
    const { current: window } = this.#window
    if (!scroller || !window) return
    this.#observer = new ResizeObserver(() => {
      this.#height = scroller.clientHeight
      this.#settle()
    })
    this.#observer.observe(scroller)
    this.#observer.observe(window)
    this.#height = scroller.clientHeight
    this.#settle()
  }

  override componentWillUnmount(): void {
    this.#observer?.disconnect()
    this.props.handle.current = null
  }

  override getSnapshotBeforeUpdate(): boolean {
    return this.#scroller.current?.contains(document.activeElement) ?? false
  }

  override componentDidUpdate(_props: unknown, _state: unknown, hadFocus: boolean): void {
    this.#settle()
    const { current: scroller } = this.#scroller
    // The row that had the keyboard is out of view and gone: the list keeps the keyboard for it.
    if (hadFocus && scroller && !scroller.contains(document.activeElement))
      scroller.focus({ preventScroll: true })
  }

  override render({ rows, label, identity, renderRow }: VirtualListProps<R>) {
    if (identity !== this.#identity) {
      this.#identity = identity
      this.#anchors = []
      this.#isFollowing = true
    }
    this.#offsets.setRows(rows)
    const top = this.#isFollowing ? this.#offsets.total - this.#height : this.#top + this.#shift()
    this.#range = {
      start: this.#offsets.indexAt(top - overscanPx),
      end: Math.min(rows.length, this.#offsets.indexAt(top + this.#height + overscanPx) + 1),
    }
    const { start, end } = this.#range
    return (
      <div
        class="list"
        role="list"
        aria-label={label}
        tabIndex={0}
        ref={this.#scroller}
        onScroll={this.#onScroll}
      >
        <div class="list-spacer" ref={this.#spacer}>
          <div class="list-window" ref={this.#window}>
            {rows.slice(start, end).map(renderRow)}
          </div>
        </div>
      </div>
    )
  }

  readonly #onScroll = () => {
    const { current: scroller } = this.#scroller
    if (!scroller || scroller.scrollTop === this.#top) return
    this.#top = scroller.scrollTop
    this.#setFollowing(this.#isAtEnd())
    this.#remember()
    if (this.#top < nearTopPx) this.props.onNearTop()
    if (!this.#isCovered()) this.forceUpdate()
  }

  /** Measures what was rendered, puts it where it belongs, and keeps the view on what it showed. */
  #settle(): void {
    const { current: scroller } = this.#scroller
    const { current: spacer } = this.#spacer
    const { current: window } = this.#window
    if (!scroller || !spacer || !window) return
    let index = this.#range.start
    for (const row of window.children) {
      this.#offsets.measure(index, row.getBoundingClientRect().height)
      index += 1
    }
    spacer.style.height = `${this.#offsets.total}px`
    window.style.transform = `translateY(${this.#offsets.offsetOf(this.#range.start)}px)`
    if (this.#isFollowing) this.#moveTo(Math.max(0, this.#offsets.total - this.#height), true)
    else this.#moveTo(scroller.scrollTop + this.#shift())
    this.#focusPending(window)
    if (!this.#isCovered()) this.forceUpdate()
    else if (this.#offsets.total < this.#height) this.props.onNearTop()
  }

  #moveTo(top: number, isFollowing?: boolean): void {
    const { current: scroller } = this.#scroller
    if (!scroller) return
    if (Math.abs(scroller.scrollTop - top) > 0.5) scroller.scrollTop = top
    this.#top = scroller.scrollTop
    this.#setFollowing(isFollowing ?? this.#isAtEnd())
    this.#remember()
  }

  #isAtEnd(): boolean {
    return this.#top + this.#height >= this.#offsets.total - endTolerancePx
  }

  /** Whether the rendered rows fill the view. */
  #isCovered(): boolean {
    const { start, end } = this.#range
    const coversTop = start === 0 || this.#offsets.offsetOf(start) <= this.#top
    const coversEnd =
      end >= this.#offsets.rows.length || this.#offsets.offsetOf(end) >= this.#top + this.#height
    return coversTop && coversEnd
  }

  #setFollowing(isFollowing: boolean): void {
    if (this.#isFollowing === isFollowing) return
    this.#isFollowing = isFollowing
    this.props.onFollowing(isFollowing)
  }

  #remember(): void {
    const { start, end } = this.inView
    this.#anchors = []
    for (let index = start; index < end; index += 1) {
      const row = this.#offsets.rows[index]
      if (row && this.props.isSteady(row)) {
        this.#anchors.push({ key: row.key, offset: this.#offsets.offsetOf(index) })
      }
    }
  }

  /** How far the rows in view moved since they were remembered. */
  #shift(): number {
    for (const { key, offset } of this.#anchors) {
      const index = this.#offsets.rows.findIndex((row) => row.key === key)
      if (index !== -1) return this.#offsets.offsetOf(index) - offset
    }
    return 0
  }

  #focusPending(window: HTMLElement): void {
    const key = this.#toFocus
    if (key === undefined) return
    for (const row of window.children) {
      if (!(row instanceof HTMLElement) || row.dataset['key'] !== key) continue
      this.#toFocus = undefined
      row.focus({ preventScroll: true })
      return
    }
  }
}
