import { contactState, contactStates, type ContactState } from '../../../src/client/index.ts'
import type { ActivityRef, Contact } from '../../../src/protocol/index.ts'
import type { ContactFacts } from './facts.ts'

/** One line on what a contact does or did: words of ours, a tool, and text of the agent. */
export interface Doing {
  readonly tool?: string
  readonly text: string
}

export interface RosterEntry {
  readonly contact: Contact
  readonly state: ContactState
  readonly doing: Doing
  /** Since when it is so. */
  readonly since: number
}

/**
 * The state of a contact for a person. `seenSeq` is how far its timeline was looked at here: a turn that ended
 * behind it is done and not yet seen, also when its agent has fallen silent since, but not when it has left.
 */
export function stateOf(contact: Contact, facts: ContactFacts | undefined, seenSeq: number): ContactState {
  const state = contactState(contact)
  if (state !== 'idle' && state !== 'offline') return state
  const isUnseen = facts !== undefined && facts.turnEndedSeq > seenSeq && !facts.sessionEnded
  if (facts?.turn === 'error' && (isUnseen || state === 'idle')) return 'failed'
  return facts?.turn === 'completed' && isUnseen ? 'done' : state
}

const ranks = new Map<string, number>(Object.keys(contactStates).map((state, index) => [state, index]))

/**
 * The roster: by state, then the longest waiting of those that ask, the latest of the others. An entry that says
 * the same as in `previous` is that very object, so that what shows it can stay as it is.
 */
export function buildRoster(
  contacts: Iterable<Contact>,
  factsOf: (id: string) => ContactFacts | undefined,
  seenOf: (id: string) => number,
  previous: readonly RosterEntry[] = [],
): RosterEntry[] {
  const known = new Map(previous.map((entry) => [entry.contact.id, entry]))
  const roster: RosterEntry[] = []
  for (const contact of contacts) {
    const facts = factsOf(contact.id)
    const state = stateOf(contact, facts, seenOf(contact.id))
    const entry = {
      contact,
      state,
      doing: doingOf(contact, facts, state),
      since: sinceOf(contact, facts, state),
    }
    const before = known.get(contact.id)
    roster.push(before && isSame(before, entry) ? before : entry)
  }
  return roster.sort(
    (a, b) =>
      (ranks.get(a.state) ?? 0) - (ranks.get(b.state) ?? 0) ||
      (a.state === 'asks' ? a.since - b.since : 0) ||
      // Steady places for those at work: a list that reorders with every event cannot be read.
      (a.state === 'done' || a.state === 'offline' ? b.since - a.since : 0) ||
      compareText(a.contact.name, b.contact.name) ||
      compareText(a.contact.id, b.contact.id),
  )
}

function isSame(a: RosterEntry, b: RosterEntry): boolean {
  return (
    a.contact === b.contact &&
    a.state === b.state &&
    a.since === b.since &&
    a.doing.text === b.doing.text &&
    a.doing.tool === b.doing.tool
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** How many contacts wait for an answer. */
export function countAsks(roster: readonly RosterEntry[]): number {
  return roster.filter((entry) => entry.state === 'asks').length
}

function sinceOf(contact: Contact, facts: ContactFacts | undefined, state: ContactState): number {
  const [ask] = facts?.asks.values() ?? []
  if (state === 'asks' && ask) return ask.ts
  if (state === 'working' && facts?.turnStartedAt !== undefined) return facts.turnStartedAt
  return Math.max(contact.last_seen_at, facts?.lastTs ?? 0)
}

function doingOf(contact: Contact, facts: ContactFacts | undefined, state: ContactState): Doing {
  const [ask] = facts?.asks.values() ?? []
  if (state === 'asks') {
    if (ask?.activity) return withTool(ask.activity, ask.description)
    if (ask?.description) return { text: ask.description }
    return { text: contact.reason }
  }
  if (state === 'failed') return facts?.error ? { text: facts.error } : { text: 'its turn failed' }
  if (state === 'working' && facts) return workOf(facts)
  if (state === 'offline') return { text: contact.reason }
  if (facts?.reply) return { text: facts.reply }
  if (facts?.prompt) return { text: facts.prompt }
  return { text: contact.reason }
}

function workOf(facts: ContactFacts): Doing {
  const running = [...facts.running.values()].at(-1)
  const current = facts.todo.find((item) => item.status === 'in_progress')
  if (running) return withTool(running)
  if (facts.subagents.size > 1) return { text: `${facts.subagents.size} subagents` }
  if (current) return { text: current.text }
  if (facts.lastActivity) return { text: `thinks, after ${facts.lastActivity.tool}` }
  if (facts.prompt) return { text: facts.prompt }
  return { text: 'thinks' }
}

function withTool({ tool, summary }: ActivityRef, description?: string): Doing {
  return { tool, text: summary || (description ?? '') }
}
