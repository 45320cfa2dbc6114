import { contactState, contactStates, type ContactState } from '../../../src/client/index.ts'
import type { ActivityRef, Contact } from '../../../src/protocol/index.ts'
import type { ContactFacts } from './facts.ts'

/** One line on what a contact does or did: words of ours, a tool, and text of the agent. */
export interface Doing {
  readonly tool?: string
  readonly text: string
  /** The text is the agent's or a machine's, not ours. */
  readonly quoted: boolean
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

const order = Object.keys(contactStates)

/** The roster: by state, then the longest waiting of those that ask, the latest of the others. */
export function buildRoster(
  contacts: Iterable<Contact>,
  factsOf: (id: string) => ContactFacts | undefined,
  seenOf: (id: string) => number,
): RosterEntry[] {
  const roster: RosterEntry[] = []
  for (const contact of contacts) {
    const facts = factsOf(contact.id)
    const state = stateOf(contact, facts, seenOf(contact.id))
    roster.push({
      contact,
      state,
      doing: doingOf(contact, facts, state),
      since: sinceOf(contact, facts, state),
    })
  }
  return roster.sort(
    (a, b) =>
      order.indexOf(a.state) - order.indexOf(b.state) ||
      (a.state === 'asks' ? a.since - b.since : 0) ||
      // Steady places for those at work: a list that reorders with every event cannot be read.
      (a.state === 'done' || a.state === 'offline' ? b.since - a.since : 0) ||
      a.contact.name.localeCompare(b.contact.name) ||
      a.contact.id.localeCompare(b.contact.id),
  )
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
    if (ask?.description) return quote(ask.description)
    return { text: contact.reason, quoted: false }
  }
  if (state === 'failed')
    return facts?.error ? quote(facts.error) : { text: 'its turn failed', quoted: false }
  if (state === 'working' && facts) return workOf(facts)
  if (state === 'offline') return { text: contact.reason, quoted: false }
  if (facts?.reply) return quote(facts.reply)
  if (facts?.prompt) return quote(facts.prompt)
  return { text: contact.reason, quoted: false }
}

function workOf(facts: ContactFacts): Doing {
  const running = [...facts.running.values()].at(-1)
  const current = facts.todo.find((item) => item.status === 'in_progress')
  if (running) return withTool(running)
  if (facts.subagents.size > 1) return { text: `${facts.subagents.size} subagents`, quoted: false }
  if (current) return quote(current.text)
  if (facts.lastActivity) return { text: `thinks, after ${facts.lastActivity.tool}`, quoted: false }
  if (facts.prompt) return quote(facts.prompt)
  return { text: 'thinks', quoted: false }
}

function withTool({ tool, summary }: ActivityRef, description?: string): Doing {
  return { tool, text: summary || (description ?? ''), quoted: true }
}

function quote(text: string): Doing {
  return { text, quoted: true }
}
