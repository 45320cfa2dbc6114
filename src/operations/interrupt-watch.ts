import type { ContactState } from '../contacts/contact.ts'
import type { ContactRegistry } from '../contacts/registry.ts'
import type { Clock } from '../core/clock.ts'
import type { HookIngest } from './ingest.ts'

/** A contact that had a hook this recently is asked later: its Stop may still be on its way. */
const quietMs = 4_000

/** Whether the agent in this process says that it is idle in this session; undefined when it says nothing. */
export type AskIdle = (agent: string, pid: string, sessionId: string) => Promise<boolean | undefined>

/**
 * Ends turns that were interrupted. Esc and a rejected dialog fire no hook, so a contact whose turn is open and
 * whose hooks are quiet is looked at; if its agent says twice in a row that it is idle, the turn is over (design,
 * "Status is evidence": working to ok needs confirmation).
 */
export class InterruptWatch {
  readonly #parts: { registry: ContactRegistry; ingest: HookIngest; askIdle: AskIdle; clock: Clock }
  /** The turn in which a contact was last seen idle. */
  readonly #seenIdle = new Map<string, string>()

  constructor(parts: { registry: ContactRegistry; ingest: HookIngest; askIdle: AskIdle; clock: Clock }) {
    this.#parts = parts
  }

  /** One look at every contact; the daemon calls it every few seconds, so an interrupt shows within two looks. */
  async look(): Promise<void> {
    const { registry, clock } = this.#parts
    const now = clock.now()
    for (const contact of registry.list()) {
      const isOpen = contact.status === 'live' && contact.turnId !== undefined
      if (isOpen && now - contact.lastSeenAt >= quietMs) await this.#lookAt(contact, contact.turnId)
      else this.#seenIdle.delete(contact.id)
    }
  }

  async #lookAt(contact: ContactState, turnId: string | undefined): Promise<void> {
    const { registry, ingest, askIdle } = this.#parts
    const pid = registry.pidOf(contact)
    if (pid === undefined || turnId === undefined || contact.sessionId === undefined) return
    const isIdle = await askIdle(contact.agent, pid, contact.sessionId)
    if (isIdle !== true) this.#seenIdle.delete(contact.id)
    else if (this.#seenIdle.get(contact.id) !== turnId) this.#seenIdle.set(contact.id, turnId)
    else {
      this.#seenIdle.delete(contact.id)
      await ingest.endTurn(contact, turnId)
    }
  }
}
