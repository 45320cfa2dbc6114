import { batch, computed, signal } from '@preact/signals'
import {
  ClientError,
  type BridgeClient,
  type StreamItem,
  type StreamStatus,
} from '../../../src/client/index.ts'
import { formatCursor } from '../../../src/protocol/cursor.ts'
import type { Contact, LogEntry } from '../../../src/protocol/index.ts'
import { isEntry, readContactNews } from '../model/entries.ts'
import { Facts } from '../model/facts.ts'
import { buildRoster, countAsks, type RosterEntry } from '../model/roster.ts'
import { defaultMaxEvents } from '../model/timeline.ts'
import { announceAsks } from './announcements.ts'
import { Feed, pageSize } from './feed.ts'
import { loadSeen, markSeen, seen } from './seen.ts'

/** How the page is connected, and since when. */
export interface Connection {
  readonly status: StreamStatus
  readonly since: number
}

export interface DashboardOptions {
  readonly client: BridgeClient
  /** The bridge refuses this browser: its token is revoked, expired or lacks a right. */
  readonly onRefused: (problem: string) => void
}

/** The longest that entries wait to be shown. */
const hiddenFlushMs = 1_000
const retryMs = 2_000

/** Everything the page knows of one bridge, kept up to date by its stream. Close it to disconnect. */
export class Dashboard implements Disposable {
  readonly connection = signal<Connection>({ status: 'connecting', since: Date.now() })
  readonly contacts = signal<ReadonlyMap<string, Contact>>(new Map())
  /** The contact whose timeline is shown; undefined: all. */
  readonly selected = signal<string | undefined>(undefined)
  /** The timeline shown. Its contents change in place: read {@link changes} too. */
  readonly feed = signal<Feed>()
  /** Rises whenever a timeline or the facts changed. */
  readonly changes = signal(0)
  /** Events that came live, ever; for telling how many are new. */
  readonly liveEvents = signal(0)
  /** The first page is here, so that an empty list means that there is nothing. */
  readonly isLoaded = signal(false)
  readonly roster = computed(() => {
    void this.changes.value
    this.#lastRoster = buildRoster(
      this.contacts.value.values(),
      (id) => this.#facts.get(id),
      (id) => seen.value[id] ?? 0,
      this.#lastRoster,
    )
    return this.#lastRoster
  })
  readonly asks = computed(() => countAsks(this.roster.value))
  /** Something is under way whose seconds are counted. */
  readonly isBusy = computed(
    () =>
      this.connection.value.status !== 'live' ||
      this.roster.value.some(({ state }) => state === 'asks' || state === 'working'),
  )

  readonly #client: BridgeClient
  readonly #onRefused: DashboardOptions['onRefused']
  readonly #abort = new AbortController()
  #all: Feed
  #facts = new Facts()
  #lastRoster: readonly RosterEntry[] = []
  #epoch = ''
  #waiting: LogEntry[] = []
  #flushScheduled = false
  #contactsAreStale = false
  #contactsAreLoading = false

  constructor({ client, onRefused }: DashboardOptions) {
    this.#client = client
    this.#onRefused = onRefused
    this.#all = new Feed(client, undefined)
    this.feed.value = this.#all
    document.addEventListener('visibilitychange', this.#onVisible)
    void this.#run()
  }

  /** Shows one contact's timeline, or that of all. */
  select(contact: string | undefined): void {
    if (contact === this.selected.value && this.isLoaded.value) return
    batch(() => {
      this.selected.value = contact
      this.feed.value = contact === undefined ? this.#all : this.#feedOf(contact)
      this.changes.value += 1
    })
    this.#markSeen()
  }

  /** Loads the page of history before what is shown. */
  async loadEarlier(): Promise<void> {
    const feed = this.feed.value
    if (!feed?.canLoadEarlier || !this.isLoaded.value) return
    try {
      const loading = feed.loadEarlier(this.#abort.signal)
      this.changes.value += 1
      await loading
    } catch (error) {
      this.#refuseOrIgnore(error)
    }
    this.changes.value += 1
  }

  [Symbol.dispose](): void {
    this.#abort.abort()
    document.removeEventListener('visibilitychange', this.#onVisible)
  }

  /** A contact's own timeline begins with what is here of it already. */
  #feedOf(contact: string): Feed {
    const feed = new Feed(this.#client, contact)
    feed.append(this.#all.timeline.entries(contact))
    feed.isTrimmedThere = this.#all.isTrimmedThere
    feed.isComplete = this.#all.isComplete
    return feed
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort
    while (!signal.aborted) {
      try {
        const after = await this.#loadNewest()
        for await (const item of this.#client.stream({ after, signal, onStatus: this.#onStatus })) {
          await this.#take(item)
        }
      } catch (error) {
        if (signal.aborted) return
        this.#refuseOrIgnore(error)
        this.#onStatus('lost')
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  /** Starts from the newest page of history. Returns the cursor behind it. */
  async #loadNewest(): Promise<string> {
    const page = await this.#client.call('history.page', { limit: pageSize }, this.#abort.signal)
    const entries = page.entries.filter(isEntry)
    this.#epoch = page.epoch
    this.#facts = new Facts()
    this.#facts.append(entries)
    this.#waiting = []
    this.#all = new Feed(this.#client, undefined)
    this.#all.append(entries)
    this.#all.noteOldest(page.oldest_seq, entries)
    loadSeen(page.epoch)
    await this.#loadContacts()
    batch(() => {
      const selected = this.selected.value
      this.feed.value = selected === undefined ? this.#all : this.#feedOf(selected)
      this.isLoaded.value = true
      this.changes.value += 1
    })
    this.#markSeen()
    return formatCursor({ epoch: page.epoch, seq: page.last_seq })
  }

  async #take(item: StreamItem): Promise<void> {
    if (item.type === 'subscribed') {
      if (item.epoch !== this.#epoch) await this.#loadNewest()
      else if (item.resume === 'gap') await this.#fillGap(item.seq)
      // What a contact is may change without a frame while the bridge restarts.
      this.#contactsAreStale = true
      this.#schedule()
    } else if (item.type === 'snapshot') {
      this.contacts.value = new Map(item.contacts.map((contact) => [contact.id, contact]))
    } else if (isEntry(item)) {
      this.#waiting.push(item)
      this.#schedule()
    }
  }

  /** Fetches what the bridge still has of a hole in the stream, and marks what it has not. */
  async #fillGap(upTo: number): Promise<void> {
    this.#flush()
    let after = this.#all.timeline.lastSeq
    while (after < upTo) {
      const page = await this.#client.call('history.page', { after, limit: pageSize }, this.#abort.signal)
      if (page.last_seq - Math.max(after, page.oldest_seq) > defaultMaxEvents) {
        await this.#loadNewest()
        return
      }
      const missing = page.oldest_seq - after - 1
      if (missing > 0) this.#waiting.push({ type: 'gap', seq: after + 1, missing })
      const entries = page.entries.filter(isEntry)
      this.#waiting.push(...entries)
      after = entries.at(-1)?.seq ?? upTo
    }
    this.#flush()
  }

  readonly #onStatus = (status: StreamStatus) => {
    const isBack = status === 'live' || this.connection.value.status === 'live'
    // Attempts to connect do not begin anew what began when the connection was lost.
    const since = isBack ? Date.now() : this.connection.value.since
    const shown = status === 'connecting' && this.isLoaded.value ? 'lost' : status
    this.connection.value = { status: shown, since }
  }

  readonly #onVisible = () => {
    this.#flush()
    this.#markSeen()
  }

  #schedule(): void {
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    const flush = () => {
      if (!this.#flushScheduled) return
      this.#flushScheduled = false
      this.#flush()
    }
    requestAnimationFrame(flush)
    // A hidden page gets no frames, and its title still has to say who asks.
    setTimeout(flush, hiddenFlushMs)
  }

  #flush(): void {
    const entries = this.#waiting
    this.#waiting = []
    if (entries.length > 0) this.#apply(entries)
    if (this.#contactsAreStale)
      void this.#loadContacts().catch((error: unknown) => this.#refuseOrIgnore(error))
  }

  #apply(entries: readonly LogEntry[]): void {
    batch(() => {
      const taken = this.#all.append(entries)
      const feed = this.feed.value
      this.liveEvents.value += feed && feed !== this.#all ? feed.append(entries) : taken
      this.#facts.append(entries)
      this.#applyContacts(entries)
      this.changes.value += 1
    })
    announceAsks(entries, (id) => this.contacts.value.get(id)?.name)
    this.#markSeen()
  }

  #applyContacts(entries: readonly LogEntry[]): void {
    const contacts = new Map(this.contacts.value)
    for (const entry of entries) {
      const news = readContactNews(entry)
      if (news) contacts.set(news.contact.id, news.contact)
      const { contact: id } = entry
      if ((id !== undefined && !contacts.has(id)) || (entry.type === 'contact_changed' && !news)) {
        this.#contactsAreStale = true
      }
    }
    this.contacts.value = contacts
  }

  async #loadContacts(): Promise<void> {
    if (this.#contactsAreLoading) return
    this.#contactsAreLoading = true
    this.#contactsAreStale = false
    try {
      const { contacts } = await this.#client.call('contacts.list', {}, this.#abort.signal)
      this.contacts.value = new Map(contacts.map((contact) => [contact.id, contact]))
    } finally {
      this.#contactsAreLoading = false
    }
    // Something changed while the list was on its way.
    if (this.#contactsAreStale) this.#schedule()
  }

  /** What is on the screen of somebody who looks at it is seen. */
  #markSeen(): void {
    const id = this.selected.value
    const facts = id === undefined ? undefined : this.#facts.get(id)
    if (id === undefined || !facts || document.hidden) return
    if (facts.turnEndedSeq > (seen.peek()[id] ?? 0)) markSeen(id, facts.lastSeq)
  }

  #refuseOrIgnore(error: unknown): void {
    if (this.#abort.signal.aborted || !(error instanceof ClientError)) return
    if (error.status === 401) this.#onRefused('This browser is not signed in any more.')
    else if (error.status === 403) this.#onRefused('This token may not read what the agents do.')
  }
}
