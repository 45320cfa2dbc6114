import type { Audit } from '../access/audit.ts'
import { mayReach, type Identity } from '../access/identity.ts'
import type { Clock } from '../core/clock.ts'
import { isRecord } from '../core/record.ts'
import { newPrefixedId } from '../core/ids.ts'
import type { PendingRequests } from '../requests/pending-requests.ts'
import type { Chats } from '../store/chats.ts'
import type { EventLog } from '../store/log.ts'
import type { Redact } from '../store/redaction.ts'
import type { HookIngest } from './ingest.ts'

export interface BroadcastParts {
  readonly log: EventLog
  readonly chats: Chats
  readonly requests: PendingRequests
  readonly ingest: HookIngest
  readonly audit: Audit
  readonly redact: Redact
  readonly clock: Clock
}

/** What came of a verdict on a request (seed agent-bridge-readme, "Note on permission verdicts"). */
export interface VerdictOutcome {
  /** It was open, and is closed now. */
  readonly applied: boolean
  /** It was given to the agent. No hook is held open yet, so the agent's own prompt still stands. */
  readonly reached: boolean
  readonly note: string
}

/** A frame that goes to everybody: messages of chats, verdicts, raw controls. The same by HTTP and WebSocket. */
export class Broadcasts {
  readonly #parts: BroadcastParts

  constructor(parts: BroadcastParts) {
    this.#parts = parts
  }

  /**
   * Broadcasts a message and keeps it in its chat. It is not typed into an agent.
   *
   * @returns the chat's id, minted when none was given
   */
  async sendMessage(message: {
    content: string
    chatId: string | undefined
    clientId: string
    meta: unknown
  }): Promise<string> {
    const { chats, clock } = this.#parts
    const chatId = message.chatId ?? newPrefixedId('chat')
    const ts = clock.now()
    chats.add(chatId, { direction: 'inbound', content: message.content, ts, client_id: message.clientId })
    await this.#append(ts, {
      type: 'inbound_message',
      content: message.content,
      chat_id: chatId,
      client_id: message.clientId,
      meta: flatMeta(message.meta),
    })
    return chatId
  }

  /** Closes an open request with a verdict and tells everybody. */
  async resolvePermission(
    requestId: string,
    behavior: 'allow' | 'deny',
    caller: Identity,
  ): Promise<VerdictOutcome> {
    const { requests, audit, clock, ingest } = this.#parts
    const open = requests.get(requestId)
    const mine = open !== undefined && (open.contact === undefined || mayReach(caller, open.contact))
    const closed = mine ? requests.close(requestId) : undefined
    if (!closed) {
      return {
        applied: false,
        reached: false,
        note: 'This request is not open: it was answered, or its turn is over.',
      }
    }
    audit.write(caller.name, 'permission-resolved', `${requestId} ${behavior}`)
    const frame = { type: 'permission_resolved', request_id: requestId, behavior, by: 'remote' }
    try {
      await this.#append(clock.now(), frame, closed.contact)
    } catch (error) {
      // Nobody was told, so it is open still.
      requests.open(closed)
      throw error
    }
    if (closed.contact !== undefined) ingest.closeRequest(closed.contact, requestId)
    await ingest.commitContactChanges()
    return {
      applied: true,
      reached: false,
      note: 'The request is closed here. The prompt in the agent itself still has to be answered.',
    }
  }

  /** Broadcasts a control frame as it is. */
  async control(frame: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#append(this.#parts.clock.now(), frame)
  }

  async #append(ts: number, frame: Readonly<Record<string, unknown>>, contact?: string): Promise<void> {
    const type = typeof frame['type'] === 'string' ? frame['type'] : 'broadcast'
    await this.#parts.log.append([
      { ts, type, kind: type, contact, frame: this.#parts.redact(JSON.stringify(frame)) },
    ])
  }
}

/** Only plain texts under plain names pass, as the seed's original has it. */
function flatMeta(meta: unknown): Record<string, string> {
  if (!isRecord(meta)) return {}
  return Object.fromEntries(
    Object.entries(meta).filter(
      (entry): entry is [string, string] =>
        /^[A-Za-z_][A-Za-z0-9_]*$/.test(entry[0]) && typeof entry[1] === 'string',
    ),
  )
}
