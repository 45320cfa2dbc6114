import type { Adapter, Hook, ParsedHook } from '../agents/adapter.ts'
import { repairStrings } from '../agents/mojibake.ts'
import { restoreTracker, type ClosedRequest, type TrackedEvent, type Tracker } from '../agents/tracker.ts'
import {
  describeContact,
  type ContactRegistry,
  type ContactState,
  type HookSource,
} from '../contacts/registry.ts'
import type { SessionActivity } from '../contacts/session-activity.ts'
import type { AgentEvent, AgentEventEnvelope, ContactChange } from '../protocol/index.ts'
import type { OpenRequest, PendingRequests } from '../requests/pending-requests.ts'
import { describeRequest } from '../requests/pending-requests.ts'
import { translateWriteError } from '../store/database.ts'
import type { EventLog, LogAppend } from '../store/log.ts'
import type { Redact } from '../store/redaction.ts'
import type { Clock } from '../core/clock.ts'
import { HookIds } from './hook-ids.ts'
import type { SourceLimits } from './source-limits.ts'

/** A hook as its transport hands it over. */
export interface IncomingHook extends Hook {
  readonly source: HookSource
  /** Unique per hook; a repetition with the same id is taken once. */
  readonly id?: string | undefined
}

/** Events that are classified already: a simulator's, or a program's of the user. */
export interface ClassifiedEvents {
  readonly agent: string
  readonly source: HookSource
  readonly events: readonly {
    event: AgentEvent
    sessionId?: string | undefined
    turnId?: string | undefined
  }[]
  readonly at: number
}

/** Looks for a reply that a hook did not carry; undefined when there is none within its bound. */
export type FindReply = (agent: string, hook: Hook) => Promise<string | undefined>

export interface IngestParts {
  readonly log: EventLog
  readonly registry: ContactRegistry
  readonly sessions: SessionActivity
  readonly requests: PendingRequests
  readonly adapters: ReadonlyMap<string, Adapter>
  readonly limits: SourceLimits
  readonly redact: Redact
  readonly clock: Clock
  readonly findReply: FindReply
  /** Told of what goes wrong after the hook was answered. */
  readonly onError: (error: unknown) => void
}

/** A request that has just left the list. */
interface LeftRequest extends ClosedRequest {
  readonly open: OpenRequest
}

/** How far back the log is searched for hook ids at start. */
const rememberedRows = 50_000
/** How much of a contact's past is enough to go on with its open turn. */
const restoredRows = 500
/** Changes of contacts that are kept while nothing can be stored; the newest of each contact says it all. */
const maxUntoldChanges = 1_000
/** Trackers kept in memory; the log restores any other. */
const maxTrackers = 2_000

/** Takes hooks in: parsed, given to their contact, paired, redacted, committed. */
export class HookIngest {
  readonly #parts: IngestParts
  readonly #trackers = new Map<string, Tracker>()
  readonly #hookIds: HookIds
  #contactChanges: LogAppend[] = []

  constructor(parts: IngestParts) {
    this.#parts = parts
    this.#hookIds = new HookIds(parts.log.recentHooks(rememberedRows))
    parts.registry.onChange((contact, change) => {
      this.#contactChanges.push(this.#contactFrame(contact, change))
      if (change === 'offline') this.#contactChanges.push(...this.#abandonRequests(contact))
    })
    for (const contact of parts.registry.list()) {
      if (contact.status === 'live') this.#restoreHealth(contact)
    }
    this.#contactChanges = []
  }

  /**
   * Takes one hook in; resolves when its events are committed. A hook of an agent nobody knows leaves only its
   * session behind.
   *
   * @throws BridgeError `body_too_deep`, `rate_limited`, `disk_full`, `unavailable`; nothing is stored then
   */
  async ingest(agentName: string, hook: IncomingHook): Promise<void> {
    const agent = agentName.toLowerCase()
    const adapter = this.#parts.adapters.get(agent)
    const payload = repairStrings(hook.payload)
    if (!adapter) {
      this.#parts.limits.take(agent)
      this.#touchSession(payload, hook)
      return
    }
    const store = () => this.#store(adapter, { ...hook, payload }).catch(throwTranslated)
    await (hook.id === undefined ? store() : this.#hookIds.once(hook.id, store))
  }

  async #store(adapter: Adapter, hook: IncomingHook): Promise<void> {
    const parsed = adapter.parse(hook)
    // What names no session and says nothing is nobody's, such as a notice of the agent's own housekeeping.
    if (parsed.sessionId === undefined && parsed.facts.length === 0) return
    const { registry, limits } = this.#parts
    limits.take(hook.source.contact ?? hook.source.pid ?? parsed.sessionId ?? adapter.agent)
    const contact = registry.resolve({
      agent: adapter.agent,
      source: hook.source,
      sessionId: parsed.sessionId,
      directory: parsed.directory,
      at: hook.at,
    })
    const events = await this.#apply(contact, parsed, hook.at, hook.id)
    this.#lookForReply(adapter.agent, hook, parsed, events, contact)
  }

  /** Lets the contact's tracker take what was reported, and commits what follows from it. */
  async #apply(
    contact: ContactState,
    parsed: ParsedHook,
    at: number,
    hookId: string | undefined,
  ): Promise<readonly TrackedEvent[]> {
    const { agent } = contact
    const { registry } = this.#parts
    const tracker = this.#trackerOf(contact)
    const output = tracker.apply(parsed, at)
    const opened = this.#openRequests(output.events, contact, agent, at)
    const closed = this.#closeRequests(output.closedRequests, output.events)
    // A hook that says nothing after its session has ended was only late: its agent is not back.
    if (output.events.length > 0 || tracker.state.health !== 'unknown') registry.revive(contact)
    if (contact.status === 'live') registry.update(contact, tracker.state)
    this.#followSession(contact, parsed, at)
    const frames = [
      ...output.events.map((tracked) => this.#eventFrame(agent, contact.id, tracked, at)),
      ...opened.map((request) => this.#requestFrame(request, at)),
      ...closed.map((request) => this.#resolvedFrame(request, at)),
    ]
    try {
      await this.#commit(frames, hookId)
    } catch (error) {
      // What is in memory is ahead of the log now: forget it, and the log restores what is true.
      this.#trackers.delete(contact.id)
      for (const request of opened) this.#parts.requests.close(request.request_id)
      for (const { open } of closed) this.#parts.requests.open(open)
      throw error
    }
    return output.events
  }

  /**
   * Ends a turn whose agent is idle without having said so: an interrupt, or a dialog that was rejected (bug case
   * B19). Another turn that has begun meanwhile stays as it is.
   */
  async endTurn(contact: ContactState, turnId: string): Promise<void> {
    if (this.#trackerOf(contact).state.turnId !== turnId) return
    const facts = [{ type: 'turn-end', cause: 'aborted', onlyOpen: true }] as const
    const parsed = { ...(contact.sessionId !== undefined && { sessionId: contact.sessionId }), facts }
    await this.#apply(contact, parsed, this.#parts.clock.now(), undefined).catch(throwTranslated)
  }

  /**
   * Appends events that are classified already; they pass no tracker and open no requests.
   *
   * @throws BridgeError `rate_limited`, `disk_full`, `unavailable`
   */
  ingestClassified(classified: ClassifiedEvents): Promise<void> {
    return this.#storeClassified(classified).catch(throwTranslated)
  }

  async #storeClassified({ agent, source, events, at }: ClassifiedEvents): Promise<void> {
    const { registry, sessions, limits } = this.#parts
    const frames: LogAppend[] = []
    for (const { event, sessionId, turnId } of events) {
      limits.take(source.contact ?? sessionId ?? agent)
      const contact = registry.resolve({ agent, source, sessionId, directory: undefined, at })
      registry.revive(contact)
      if (sessionId !== undefined) {
        if (event.kind === 'session.ended') sessions.end(sessionId)
        else sessions.touch(sessionId, at, contact.id)
      }
      registry.update(contact, healthAfter(contact, event, turnId))
      if (event.kind === 'session.ended') registry.markOffline(contact, 'its session ended')
      frames.push(this.#eventFrame(agent, contact.id, toTracked(event, sessionId, turnId), at))
    }
    await this.#commit(frames)
  }

  /** A request was answered elsewhere than in the agent: its contact no longer waits for it. */
  closeRequest(contactId: string, requestId: string): void {
    const contact = this.#parts.registry.get(contactId)
    if (!contact) return
    const tracker = this.#trackerOf(contact)
    tracker.closeRequest(requestId)
    this.#parts.registry.update(contact, tracker.state)
  }

  /** Commits contact changes that no hook caused, such as a contact gone silent. */
  async commitContactChanges(): Promise<void> {
    await this.#commit([])
  }

  /** Commits frames behind what is to be told of contacts; what could not be told is told with the next commit. */
  async #commit(frames: readonly LogAppend[], hook?: string): Promise<void> {
    const changes = this.#contactChanges
    this.#contactChanges = []
    const [first, ...rest] = [...changes, ...frames]
    if (!first) return
    try {
      await this.#parts.log.append([{ ...first, hook }, ...rest])
    } catch (error) {
      this.#contactChanges = [...changes, ...this.#contactChanges].slice(-maxUntoldChanges)
      throw error
    }
  }

  #touchSession(payload: Readonly<Record<string, unknown>>, hook: IncomingHook): void {
    const id = ['session_id', 'sessionId', 'sessionID', 'conversation_id']
      .map((key) => payload[key])
      .find((value) => typeof value === 'string' && value !== '')
    if (typeof id !== 'string') return
    if (/session[._]?end|session\.deleted/i.test(hook.type)) this.#parts.sessions.end(id)
    else this.#parts.sessions.touch(id, hook.at)
  }

  #followSession(contact: ContactState, { session, sessionId }: ParsedHook, at: number): void {
    const { registry, sessions } = this.#parts
    if (session === undefined || session === 'started') {
      if (sessionId !== undefined && contact.status === 'live') sessions.touch(sessionId, at, contact.id)
      return
    }
    if (sessionId !== undefined) sessions.end(sessionId)
    if (sessionId !== undefined && sessionId !== contact.sessionId) return
    if (session === 'switched') contact.betweenSessions = true
    else registry.markOffline(contact, 'its session ended')
  }

  #trackerOf(contact: ContactState): Tracker {
    const tracker = this.#trackers.get(contact.id) ?? this.#restore(contact)
    this.#trackers.delete(contact.id)
    this.#trackers.set(contact.id, tracker)
    if (this.#trackers.size > maxTrackers) {
      const [oldest] = this.#trackers.keys()
      if (oldest !== undefined) this.#trackers.delete(oldest)
    }
    return tracker
  }

  #restore(contact: ContactState): Tracker {
    const rows = this.#parts.log.readPage({ contact: contact.id, limit: restoredRows })
    return restoreTracker(
      rows
        .filter((row) => row.type === 'agent_event')
        .map((row) => ({ envelope: parseEnvelope(row.frame), correlation: row.correlation })),
    )
  }

  #restoreHealth(contact: ContactState): void {
    const tracker = this.#restore(contact)
    this.#trackers.set(contact.id, tracker)
    this.#parts.registry.update(contact, tracker.state)
    if (contact.sessionId !== undefined)
      this.#parts.sessions.touch(contact.sessionId, contact.lastSeenAt, contact.id)
  }

  #openRequests(
    events: readonly TrackedEvent[],
    contact: ContactState,
    agent: string,
    at: number,
  ): OpenRequest[] {
    const opened: OpenRequest[] = []
    for (const { event, sessionId } of events) {
      if (event.kind !== 'permission.requested') continue
      opened.push({
        request_id: event.request_id,
        agent,
        contact: contact.id,
        opened_at: at,
        ...(sessionId !== undefined && { session_id: sessionId }),
        ...(event.activity && { activity: event.activity }),
        ...(event.description !== undefined && { description: event.description }),
      })
    }
    for (const request of opened) this.#parts.requests.open(request)
    return opened
  }

  /** Takes what the tracker saw answered or abandoned off the list; what was not on it is nobody's news. */
  #closeRequests(closed: readonly ClosedRequest[], events: readonly TrackedEvent[]): LeftRequest[] {
    const resolved = events.flatMap(({ event }) =>
      event.kind === 'permission.resolved'
        ? [{ requestId: event.request_id, decision: event.decision, reason: 'answered in the terminal' }]
        : [],
    )
    const all = new Map([...resolved, ...closed].map((request) => [request.requestId, request]))
    return [...all.values()].flatMap((request) => {
      const open = this.#parts.requests.close(request.requestId)
      return open ? [{ open, ...request }] : []
    })
  }

  /** Nobody waits any more for what an agent that went away had asked. */
  #abandonRequests(contact: ContactState): LogAppend[] {
    const { requests, clock } = this.#parts
    return requests
      .list()
      .filter((request) => request.contact === contact.id)
      .flatMap(({ request_id: requestId }) => {
        const open = requests.close(requestId)
        const left = { requestId, reason: contact.reason }
        return open ? [this.#resolvedFrame({ open, ...left }, clock.now())] : []
      })
  }

  #eventFrame(agent: string, contact: string, tracked: TrackedEvent, at: number): LogAppend {
    const envelope: AgentEventEnvelope = {
      type: 'agent_event',
      agent,
      ts: at,
      ...(tracked.sessionId !== undefined && { session_id: tracked.sessionId }),
      ...(tracked.turnId !== undefined && { turn_id: tracked.turnId }),
      event: tracked.event,
    }
    return {
      ts: at,
      type: 'agent_event',
      kind: tracked.event.kind,
      contact,
      correlation: tracked.correlation,
      frame: this.#parts.redact(JSON.stringify(envelope)),
    }
  }

  #requestFrame(request: OpenRequest, at: number): LogAppend {
    const { agent, session_id } = request
    const frame = {
      type: 'permission_request',
      ...describeRequest(request),
      agent,
      ...(session_id && { session_id }),
    }
    return {
      ts: at,
      type: 'permission_request',
      kind: 'permission_request',
      contact: request.contact,
      frame: this.#parts.redact(JSON.stringify(frame)),
    }
  }

  #resolvedFrame(request: LeftRequest, at: number): LogAppend {
    const frame = {
      type: 'permission_resolved',
      request_id: request.requestId,
      ...(request.decision && { behavior: request.decision }),
      by: 'agent',
      reason: request.reason,
    }
    return {
      ts: at,
      type: 'permission_resolved',
      kind: 'permission_resolved',
      contact: request.open.contact,
      frame: JSON.stringify(frame),
    }
  }

  #contactFrame(contact: ContactState, change: ContactChange): LogAppend {
    const ts = this.#parts.clock.now()
    const frame = { type: 'contact_changed', ts, change, state: describeContact(contact) }
    return {
      ts,
      type: 'contact_changed',
      kind: 'contact_changed',
      contact: contact.id,
      frame: this.#parts.redact(JSON.stringify(frame)),
    }
  }

  /** Where a turn ended and its hook did not say with which words, the transcript may, a little later. */
  #lookForReply(
    agent: string,
    hook: IncomingHook,
    parsed: ParsedHook,
    events: readonly TrackedEvent[],
    contact: ContactState,
  ): void {
    const lacksText = parsed.facts.some(
      (fact) => fact.type === 'turn-end' && fact.cause === 'completed' && fact.text === undefined,
    )
    const ended = events.find(({ event }) => event.kind === 'turn.ended')
    if (!lacksText || !ended) return
    const { findReply, log, onError } = this.#parts
    const appendReply = async () => {
      const text = await findReply(agent, hook)
      if (text === undefined) return
      const event: AgentEvent = { kind: 'message.assistant', text, final: true }
      const { sessionId, turnId } = ended
      await log.append([
        this.#eventFrame(agent, contact.id, toTracked(event, sessionId, turnId), this.#parts.clock.now()),
      ])
    }
    appendReply().catch(onError)
  }
}

function toTracked(
  event: AgentEvent,
  sessionId: string | undefined,
  turnId: string | undefined,
): TrackedEvent {
  return { event, ...(sessionId !== undefined && { sessionId }), ...(turnId !== undefined && { turnId }) }
}

function throwTranslated(error: unknown): never {
  throw translateWriteError(error)
}

function parseEnvelope(frame: string): AgentEventEnvelope {
  // The log holds what this class wrote, so its shape is known.
  return JSON.parse(frame)
}

function healthAfter(contact: ContactState, event: AgentEvent, turnId: string | undefined) {
  const { health, reason, openRequests } = contact
  if (event.kind === 'turn.started')
    return { health: 'working', reason: 'its turn started', turnId, openRequests } as const
  if (event.kind === 'turn.ended') {
    return { health: 'ok', reason: 'its turn ended', turnId: undefined, openRequests } as const
  }
  return { health, reason, turnId: contact.turnId, openRequests }
}
