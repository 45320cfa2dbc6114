import type { ActivityRef, LogEntry, TodoItem } from '../../../src/protocol/index.ts'
import { isEvent, isRequest, isResolved, timeOf, type EventEntry } from './entries.ts'

/** What the log's newest entries say of one contact, beside what the bridge itself says of it. */
export interface ContactFacts {
  /** The newest event: its place and when it was. */
  lastSeq: number
  lastTs: number
  turn: 'none' | 'running' | 'completed' | 'aborted' | 'error' | 'unknown'
  turnStartedAt: number | undefined
  /** Place of the end of its last turn; 0 when none was seen. */
  turnEndedSeq: number
  error: string | undefined
  prompt: string | undefined
  reply: string | undefined
  /** Tools in use now, oldest first. */
  running: Map<string, ActivityRef>
  /** The tool it used last. */
  lastActivity: ActivityRef | undefined
  /** Open requests, oldest first. */
  asks: Map<string, Ask>
  todo: readonly TodoItem[]
  subagents: Set<string>
  /** Its session ended by itself, and nothing came after. */
  sessionEnded: boolean
}

export interface Ask {
  readonly requestId: string
  readonly ts: number
  readonly activity: ActivityRef | undefined
  readonly description: string | undefined
}

/** Facts of every contact, folded from the log's entries in order. */
export class Facts {
  readonly #byContact = new Map<string, ContactFacts>()
  readonly #contactOfRequest = new Map<string, string>()
  #lastSeq = 0

  get(contact: string): ContactFacts | undefined {
    return this.#byContact.get(contact)
  }

  /** Adds newer entries; what it has already is passed over. */
  append(entries: Iterable<LogEntry>): void {
    for (const entry of entries) {
      if (entry.seq <= this.#lastSeq) continue
      this.#lastSeq = entry.seq
      const { contact } = entry
      if (contact === undefined) continue
      const facts = this.#factsOf(contact)
      if (isEvent(entry)) {
        facts.lastSeq = entry.seq
        facts.lastTs = entry.ts
        this.#applyEvent(contact, facts, entry)
      } else if (isRequest(entry)) {
        const { request_id: requestId, activity, description } = entry
        this.#ask(contact, facts, { requestId, ts: timeOf(entry), activity, description })
      } else if (isResolved(entry)) this.#answer(entry.request_id)
    }
  }

  #factsOf(contact: string): ContactFacts {
    const known = this.#byContact.get(contact)
    if (known) return known
    const facts: ContactFacts = {
      lastSeq: 0,
      lastTs: 0,
      turn: 'none',
      turnStartedAt: undefined,
      turnEndedSeq: 0,
      error: undefined,
      prompt: undefined,
      reply: undefined,
      running: new Map(),
      lastActivity: undefined,
      asks: new Map(),
      todo: [],
      subagents: new Set(),
      sessionEnded: false,
    }
    this.#byContact.set(contact, facts)
    return facts
  }

  #ask(contact: string, facts: ContactFacts, ask: Ask): void {
    if (facts.asks.has(ask.requestId)) return
    facts.asks.set(ask.requestId, ask)
    this.#contactOfRequest.set(ask.requestId, contact)
  }

  #answer(requestId: string): void {
    const contact = this.#contactOfRequest.get(requestId)
    this.#contactOfRequest.delete(requestId)
    if (contact !== undefined) this.#byContact.get(contact)?.asks.delete(requestId)
  }

  #applyEvent(contact: string, facts: ContactFacts, { event, seq, ts }: EventEntry): void {
    facts.sessionEnded = event.kind === 'session.ended'
    switch (event.kind) {
      case 'session.started':
        startAfresh(facts)
        break
      case 'session.ended':
        endWork(facts)
        if (facts.turn === 'running') facts.turn = 'unknown'
        for (const id of facts.asks.keys()) this.#answer(id)
        break
      case 'turn.started':
        Object.assign(facts, { turn: 'running', turnStartedAt: ts, error: undefined, reply: undefined })
        facts.prompt = event.prompt ?? facts.prompt
        facts.todo = []
        break
      case 'turn.ended':
        endWork(facts)
        facts.turn = event.cause ?? 'completed'
        facts.turnEndedSeq = seq
        facts.error = event.error_message
        facts.reply = event.last_assistant_text ?? facts.reply
        break
      case 'message.user':
        facts.prompt = event.text
        break
      case 'message.assistant':
        if (event.subagent_id === undefined) facts.reply = event.text
        break
      case 'activity.started':
        facts.running.set(event.activity.id, event.activity)
        facts.lastActivity = event.activity
        break
      case 'activity.finished':
      case 'activity.failed':
        facts.running.delete(event.activity.id)
        facts.lastActivity = event.activity
        break
      case 'permission.requested':
        this.#ask(contact, facts, {
          requestId: event.request_id,
          ts,
          activity: event.activity,
          description: event.description,
        })
        break
      case 'permission.resolved':
        this.#answer(event.request_id)
        break
      case 'todo.updated':
        facts.todo = event.items
        break
      case 'subagent.started':
        facts.subagents.add(event.subagent_id)
        break
      case 'subagent.finished':
        facts.subagents.delete(event.subagent_id)
        break
    }
  }
}

function startAfresh(facts: ContactFacts): void {
  endWork(facts)
  Object.assign(facts, { turn: 'none', error: undefined, reply: undefined, prompt: undefined, todo: [] })
}

/** Nothing of the turn runs on, as far as anybody told. */
function endWork(facts: ContactFacts): void {
  facts.running.clear()
  facts.subagents.clear()
  facts.turnStartedAt = undefined
}
