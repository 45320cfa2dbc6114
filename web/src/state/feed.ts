import type { BridgeClient } from '../../../src/client/index.ts'
import type { LogEntry } from '../../../src/protocol/index.ts'
import { isEntry } from '../model/entries.ts'
import { Timeline } from '../model/timeline.ts'

/** The largest page of history the bridge gives. */
export const pageSize = 1_000

/** A timeline with its source: all contacts, or one; live entries go in at its end, older pages in front. */
export class Feed {
  readonly contact: string | undefined
  readonly timeline = new Timeline()
  /** Everything the bridge still has is here. */
  isComplete = false
  /** What the bridge has begins after its first event: older ones were trimmed. */
  isTrimmedThere = false
  isLoading = false
  readonly #client: BridgeClient

  constructor(client: BridgeClient, contact: string | undefined) {
    this.#client = client
    this.contact = contact
  }

  /** Adds live entries that belong here. Returns how many events it took. */
  append(entries: readonly LogEntry[]): number {
    const { contact } = this
    const mine =
      contact === undefined
        ? entries
        : entries.filter((entry) => entry.contact === contact || entry.type === 'gap')
    return this.timeline.append(mine)
  }

  /** Notes how far back the bridge's log goes, and whether this page reaches its beginning. */
  noteOldest(oldestSeq: number, page: readonly LogEntry[]): void {
    this.isTrimmedThere = oldestSeq > 1
    const [first] = page
    // Of all contacts' entries a page may show fewer than it read: those this browser may not see are left out.
    const isLast = this.contact === undefined ? first?.seq === oldestSeq : page.length < pageSize
    if (isLast || first === undefined) this.isComplete = true
  }

  get canLoadEarlier(): boolean {
    return !this.isComplete && !this.isLoading && !this.timeline.trimmed
  }

  /** Loads the page before what is here. Returns whether anything changed. */
  async loadEarlier(signal: AbortSignal): Promise<boolean> {
    if (!this.canLoadEarlier) return false
    this.isLoading = true
    try {
      const { contact } = this
      const before = this.timeline.firstSeq
      const page = await this.#client.call(
        'history.page',
        { limit: pageSize, ...(before > 0 && { before }), ...(contact !== undefined && { contact }) },
        signal,
      )
      const entries = page.entries.filter(isEntry)
      this.noteOldest(page.oldest_seq, entries)
      if (this.timeline.lastSeq === 0) this.timeline.append(entries)
      else if (entries.length > 0 && !this.timeline.prepend(entries)) this.timeline.trimmed = true
      return true
    } finally {
      this.isLoading = false
    }
  }
}
