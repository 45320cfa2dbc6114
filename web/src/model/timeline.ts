import type { LogEntry } from '../../../src/protocol/index.ts'
import { applyEvent, type StepPlace } from './apply-event.ts'
import {
  isEvent,
  isInbound,
  isRequest,
  isResolved,
  readContactNews,
  timeOf,
  type EventEntry,
  type RequestEntry,
  type ResolvedEntry,
} from './entries.ts'
import {
  createBase,
  createTurn,
  endUnseen,
  keepNewest,
  type Item,
  type Note,
  type Step,
  type StepBody,
  type Turn,
} from './steps.ts'
import { laneOf, requestKey, TimelineIndex } from './timeline-index.ts'

/** How many events a page holds: some hours of several busy agents, and little enough for a phone. */
export const defaultMaxEvents = 20_000
/** An item with more events than this loses its older half where others would be dropped whole. */
const largeItemEvents = 1_000

/** Events that only a running turn has: a turn whose beginning is not held is known to run by these. */
const livelyKinds: ReadonlySet<string> = new Set([
  'activity.started',
  'message.user',
  'permission.requested',
  'subagent.started',
  'thinking',
])

/**
 * What happened, as turns and notes in the order of their beginnings. It is a fold over the log: the same
 * entries give the same timeline, in whatever portions they come. Holds at most `maxEvents` events; beyond them
 * the oldest turns go.
 */
export class Timeline {
  readonly maxEvents: number
  /** True once something was dropped: what is older cannot be loaded into this timeline any more. */
  trimmed = false
  /** Events held; frames that show nothing here are not counted. */
  eventCount = 0
  /** The first and last places it was given; 0 before anything came. */
  firstSeq = 0
  lastSeq = 0
  #items: Item[] = []
  readonly #index = new TimelineIndex()

  constructor(maxEvents = defaultMaxEvents) {
    this.maxEvents = maxEvents
  }

  get items(): readonly Item[] {
    return this.#items
  }

  /** Adds newer entries; what it has already is passed over. Returns how many events it took. */
  append(entries: Iterable<LogEntry>): number {
    let taken = 0
    for (const entry of entries) {
      if (entry.seq <= this.lastSeq) continue
      this.lastSeq = entry.seq
      if (this.firstSeq === 0) this.firstSeq = entry.seq
      const before = this.eventCount
      this.#apply(entry)
      taken += this.eventCount - before
      while (this.eventCount > this.maxEvents) this.#trim()
    }
    return taken
  }

  /** Adds older entries, unless it is full. Returns whether it took them. */
  prepend(entries: readonly LogEntry[]): boolean {
    if (this.trimmed || this.eventCount + entries.length > this.maxEvents) return false
    const older = entries.filter((entry) => this.firstSeq === 0 || entry.seq < this.firstSeq)
    const held = this.entries()
    const { lastSeq, firstSeq } = this
    this.#clear()
    this.append([...older, ...held])
    // Places whose frames show nothing count as given all the same.
    this.lastSeq = Math.max(this.lastSeq, lastSeq)
    this.firstSeq = older[0]?.seq ?? firstSeq
    return true
  }

  /** Every entry held, in order. */
  entries(contact?: string): LogEntry[] {
    const wanted =
      contact === undefined
        ? this.#items
        : this.#items.filter((item) => item.contact === contact || isGap(item))
    return wanted.flatMap((item) => item.entries).toSorted((a, b) => a.seq - b.seq)
  }

  #clear(): void {
    this.#items = []
    this.#index.clear()
    this.eventCount = 0
    this.firstSeq = 0
    this.lastSeq = 0
  }

  #apply(entry: LogEntry): void {
    if (isEvent(entry)) this.#applyEvent(entry)
    else if (isRequest(entry)) this.#applyRequest(entry)
    else if (isResolved(entry)) this.#applyResolved(entry)
    else if (isInbound(entry)) {
      const { content, chat_id: chatId = '', client_id: clientId = '' } = entry
      this.#addNote(entry, { type: 'inbound', text: content, chatId, clientId })
    } else if (entry.type === 'gap') {
      this.#addNote(entry, { type: 'gap', missing: Number(entry['missing']) })
    } else if (entry.type === 'contact_changed') {
      const news = readContactNews(entry)
      if (news?.change === 'offline') this.#addNote(entry, { type: 'offline', reason: news.contact.reason })
    } else this.#addNote(entry, { type: 'control', name: entry.type })
  }

  #applyEvent(entry: EventEntry): void {
    const lane = laneOf(entry)
    const { event } = entry
    if (event.kind === 'session.started' || event.kind === 'session.ended') {
      this.#applySession(lane, entry, event)
      return
    }
    const known = this.#placeNamedBy(lane, entry)
    const item = known?.item ?? this.#turnOf(lane, entry) ?? this.#newNote(entry)
    this.#attach(item, entry)
    if (event.kind === 'turn.started' && item.type === 'turn') this.#startTurn(lane, item, entry.ts)
    applyEvent(item, entry, this.#index.stepsOf(lane, item))
    if (event.kind === 'turn.ended' && this.#index.running.get(lane) === item)
      this.#index.running.delete(lane)
  }

  /** The step that this event goes on with, wherever its turn is. */
  #placeNamedBy(lane: string, { event }: EventEntry): StepPlace | undefined {
    switch (event.kind) {
      case 'activity.finished':
      case 'activity.failed':
        return this.#index.places.get(`${lane}/activity:${event.activity.id}`)
      case 'subagent.finished':
        return this.#index.places.get(`${lane}/subagent:${event.subagent_id}`)
      case 'permission.requested':
      case 'permission.resolved':
        return this.#index.places.get(requestKey(event.request_id))
      default:
        return undefined
    }
  }

  #turnOf(lane: string, entry: EventEntry): Turn | undefined {
    const isStart = entry.event.kind === 'turn.started'
    if (entry.turn_id === undefined && !isStart) return this.#index.running.get(lane)
    const key = `${lane}/${entry.turn_id ?? `#${entry.seq}`}`
    const known = this.#index.turns.get(key)
    const isRunning = !this.#index.running.has(lane) && livelyKinds.has(entry.event.kind)
    if (known) {
      if (isRunning && known.outcome === 'unknown' && known.endedAt === undefined) {
        known.outcome = 'running'
        this.#index.running.set(lane, known)
      }
      return known
    }
    const base = this.#base(`turn:${key}`, entry)
    const turn = createTurn(base, { turnId: entry.turn_id, isRunning: isRunning || isStart, begun: isStart })
    this.#index.turns.set(key, turn)
    this.#items.push(turn)
    if (isRunning) this.#index.running.set(lane, turn)
    return turn
  }

  #startTurn(lane: string, turn: Turn, ts: number): void {
    const previous = this.#index.running.get(lane)
    if (previous && previous !== turn) endUnseen(previous, ts)
    this.#index.running.set(lane, turn)
  }

  #applySession(
    lane: string,
    entry: EventEntry,
    event: Extract<EventEntry['event'], { kind: 'session.started' | 'session.ended' }>,
  ): void {
    const isEnd = event.kind === 'session.ended'
    const open = this.#index.running.get(lane)
    if (open && isEnd) {
      endUnseen(open, entry.ts)
      this.#index.running.delete(lane)
    }
    const body: StepBody = {
      type: 'session',
      phase: isEnd ? 'ended' : 'started',
      cause: event.cause,
      ...(isEnd && { durationMs: event.duration_ms }),
    }
    const last = this.#index.lastItems.get(lane)
    const [step] = last?.steps ?? []
    // The contact went offline by its session's end: one line says both.
    if (isEnd && last && step?.body.type === 'offline') {
      this.#attach(last, entry)
      step.body = body
    } else this.#addNote(entry, body)
  }

  #applyRequest(entry: RequestEntry): void {
    const place = this.#index.places.get(requestKey(entry.request_id))
    const { request_id: requestId, activity, description } = entry
    if (place) {
      this.#attach(place.item, entry)
      const { body } = place.step
      if (body.type === 'request') {
        body.activity ??= activity
        body.description ??= description
      }
      return
    }
    const body: StepBody = { type: 'request', requestId, activity, description }
    this.#index.places.set(requestKey(requestId), this.#addStep(entry, body))
  }

  #applyResolved(entry: ResolvedEntry): void {
    const { request_id: requestId, behavior: decision, by, reason } = entry
    const place = this.#index.places.get(requestKey(requestId))
    if (!place) {
      const answer = { ts: timeOf(entry), decision, by, reason }
      const body: StepBody = { type: 'request', requestId, answer }
      this.#index.places.set(requestKey(requestId), this.#addNote(entry, body))
      return
    }
    this.#attach(place.item, entry)
    const { body } = place.step
    if (body.type !== 'request') return
    const ts = timeOf(entry) || body.answer?.ts || 0
    body.answer = { ...body.answer, ts, by, reason, decision: decision ?? body.answer?.decision }
  }

  /** Adds a step to the running turn of the entry's contact, or as a note. */
  #addStep(entry: LogEntry, body: StepBody): StepPlace {
    const turn = this.#index.running.get(laneOf(entry))
    if (!turn) return this.#addNote(entry, body)
    this.#attach(turn, entry)
    const step: Step = { key: `${turn.key}/${entry.seq}`, ts: timeOf(entry), seq: entry.seq, body }
    turn.steps.push(step)
    return { item: turn, step }
  }

  #addNote(entry: LogEntry, body: StepBody): StepPlace {
    const note = this.#newNote(entry)
    this.#attach(note, entry)
    const step: Step = { key: note.key, ts: note.ts, seq: entry.seq, body }
    note.steps.push(step)
    return { item: note, step }
  }

  #newNote(entry: LogEntry): Note {
    const note: Note = { type: 'note', ...this.#base(`note:${entry.seq}`, entry) }
    this.#items.push(note)
    return note
  }

  #base(key: string, entry: LogEntry) {
    // A frame without a time happened when the one before it did.
    return createBase(key, entry, timeOf(entry) || (this.#items.at(-1)?.ts ?? 0))
  }

  #attach(item: Item, entry: LogEntry): void {
    item.entries.push(entry)
    item.revision += 1
    this.#index.lastItems.set(laneOf(entry), item)
    this.eventCount += 1
  }

  /** Drops the oldest item, or the older half of a large one. Done entry by entry, so portions do not matter. */
  #trim(): void {
    const [oldest] = this.#items
    if (!oldest) return
    this.trimmed = true
    const isLarge = oldest.type === 'turn' && oldest.entries.length > largeItemEvents
    const kept = isLarge ? oldest.entries.length - (oldest.entries.length >> 1) : 0
    this.eventCount -= oldest.entries.length - kept
    if (isLarge) {
      keepNewest(oldest, kept)
      this.#index.forgetStepsBefore(oldest, oldest.entries[0]?.seq ?? 0)
      return
    }
    this.#items.shift()
    this.#index.forgetItem(oldest)
  }
}

function isGap(item: Item): boolean {
  return item.steps[0]?.body.type === 'gap'
}
