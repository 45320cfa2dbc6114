import type { Adapter, Hook, ParsedHook } from '../agents/adapter.ts'
import { repairStrings } from '../agents/mojibake.ts'
import type { TrackedEvent } from '../agents/tracking/tracker.ts'
import type { ContactState } from '../contacts/contact.ts'
import type { HookSource } from '../contacts/contact-keys.ts'
import type { ContactRegistry } from '../contacts/registry.ts'
import type { SessionActivity } from '../contacts/session-activity.ts'
import type { Clock } from '../core/clock.ts'
import type { AgentEvent } from '../protocol/index.ts'
import type { PendingRequests } from '../requests/pending-requests.ts'
import { translateWriteError } from '../store/database.ts'
import type { EventLog, LogAppend } from '../store/log.ts'
import type { Redact } from '../store/redaction.ts'
import { HookIds } from './hook-ids.ts'
import { endWithoutReply, type FindReply } from './late-reply.ts'
import { LogFrames } from './log-frames.ts'
import { listAsked, unlistAbandoned, unlistClosed } from './request-list.ts'
import type { SourceLimits } from './source-limits.ts'
import { Trackers } from './trackers.ts'

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

/** How far back the log is searched for hook ids at start. */
const rememberedRows = 50_000
/** Changes of contacts that are kept while nothing can be stored; the newest of each contact says it all. */
const maxUntoldChanges = 1_000

/** Takes hooks in: parsed, given to their contact, paired, redacted, committed. */
export class HookIngest {
  readonly #parts: IngestParts
  readonly #frames: LogFrames
  readonly #trackers: Trackers
  readonly #hookIds: HookIds
  #contactChanges: LogAppend[] = []

  constructor(parts: IngestParts) {
    this.#parts = parts
    this.#frames = new LogFrames(parts.redact)
    this.#trackers = new Trackers(parts.log)
    this.#hookIds = new HookIds(parts.log.recentHooks(rememberedRows))
    parts.registry.onChange((contact, change) => {
      const now = parts.clock.now()
      this.#contactChanges.push(this.#frames.contactChanged(contact, change, now))
      if (change !== 'offline') return
      const left = unlistAbandoned(parts.requests, contact)
      this.#contactChanges.push(...left.map((request) => this.#frames.resolved(request, now)))
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
    const end = endWithoutReply(parsed, events)
    if (end) this.#appendLateReply(contact, hook, end).catch(this.#parts.onError)
  }

  /** Lets the contact's tracker take what was reported, and commits what follows from it. */
  async #apply(
    contact: ContactState,
    parsed: ParsedHook,
    at: number,
    hookId: string | undefined,
  ): Promise<readonly TrackedEvent[]> {
    const { registry, requests } = this.#parts
    const tracker = this.#trackers.of(contact)
    const output = tracker.apply(parsed, at)
    const opened = listAsked(requests, contact, output.events, at)
    const closed = unlistClosed(requests, output.closedRequests, output.events)
    // A hook that says nothing after its session has ended was only late: its agent is not back.
    if (output.events.length > 0 || tracker.state.health !== 'unknown') registry.revive(contact)
    if (contact.status === 'live') registry.update(contact, tracker.state)
    this.#followSession(contact, parsed, at)
    const frames = [
      ...output.events.map((tracked) => this.#frames.event(contact, tracked, at)),
      ...opened.map((request) => this.#frames.requested(request, at)),
      ...closed.map((request) => this.#frames.resolved(request, at)),
    ]
    try {
      await this.#commit(frames, hookId)
    } catch (error) {
      // What is in memory is ahead of the log now: forget it, and the log restores what is true.
      this.#trackers.forget(contact)
      for (const request of opened) requests.close(request.request_id)
      for (const { open } of closed) requests.open(open)
      throw error
    }
    return output.events
  }

  /**
   * Ends a turn whose agent is idle without having said so: an interrupt, or a dialog that was rejected (bug case
   * B19). Another turn that has begun meanwhile stays as it is.
   */
  async endTurn(contact: ContactState, turnId: string): Promise<void> {
    if (this.#trackers.of(contact).state.turnId !== turnId) return
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
      frames.push(this.#frames.event(contact, toTracked(event, sessionId, turnId), at))
    }
    await this.#commit(frames)
  }

  /** A request was answered elsewhere than in the agent: its contact no longer waits for it. */
  closeRequest(contactId: string, requestId: string): void {
    const contact = this.#parts.registry.get(contactId)
    if (!contact) return
    const tracker = this.#trackers.of(contact)
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

  #restoreHealth(contact: ContactState): void {
    this.#parts.registry.update(contact, this.#trackers.of(contact).state)
    if (contact.sessionId !== undefined)
      this.#parts.sessions.touch(contact.sessionId, contact.lastSeenAt, contact.id)
  }

  /** Appends what the agent said last, where it is found after all; by then its hook is answered. */
  async #appendLateReply(contact: ContactState, hook: IncomingHook, end: TrackedEvent): Promise<void> {
    const { findReply, log, clock } = this.#parts
    const text = await findReply(contact.agent, hook)
    if (text === undefined) return
    const event: AgentEvent = { kind: 'message.assistant', text, final: true }
    const tracked = toTracked(event, end.sessionId, end.turnId)
    await log.append([this.#frames.event(contact, tracked, clock.now())])
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

function healthAfter(contact: ContactState, event: AgentEvent, turnId: string | undefined) {
  const { health, reason, openRequests } = contact
  if (event.kind === 'turn.started')
    return { health: 'working', reason: 'its turn started', turnId, openRequests } as const
  if (event.kind === 'turn.ended') {
    return { health: 'ok', reason: 'its turn ended', turnId: undefined, openRequests } as const
  }
  return { health, reason, turnId: contact.turnId, openRequests }
}
