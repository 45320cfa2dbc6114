import { restoreTracker, type Tracker } from '../agents/tracking/tracker.ts'
import type { ContactState } from '../contacts/contact.ts'
import type { AgentEventEnvelope } from '../protocol/index.ts'
import type { EventLog } from '../store/log.ts'

/** How much of a contact's past is enough to go on with its open turn. */
const restoredRows = 500
/** Trackers kept in memory; the log restores any other. */
const maxTrackers = 2_000

/** The trackers of the contacts, made from the log whenever one is not in memory. */
export class Trackers {
  readonly #log: EventLog
  readonly #trackers = new Map<string, Tracker>()

  constructor(log: EventLog) {
    this.#log = log
  }

  /** The tracker of a contact, as far as its log goes. */
  of(contact: ContactState): Tracker {
    const tracker = this.#trackers.get(contact.id) ?? this.#restore(contact)
    this.#trackers.delete(contact.id)
    this.#trackers.set(contact.id, tracker)
    if (this.#trackers.size > maxTrackers) {
      const [oldest] = this.#trackers.keys()
      if (oldest !== undefined) this.#trackers.delete(oldest)
    }
    return tracker
  }

  /** Lets go of a tracker that is ahead of the log; the next look restores what is true. */
  forget(contact: ContactState): void {
    this.#trackers.delete(contact.id)
  }

  #restore(contact: ContactState): Tracker {
    const rows = this.#log.readPage({ contact: contact.id, limit: restoredRows })
    return restoreTracker(
      rows
        .filter((row) => row.type === 'agent_event')
        .map((row) => ({ envelope: parseEnvelope(row.frame), correlation: row.correlation })),
    )
  }
}

function parseEnvelope(frame: string): AgentEventEnvelope {
  // The log holds what ingest wrote, so its shape is known.
  return JSON.parse(frame)
}
