import { isRecord } from '../../../src/core/record.ts'
import type {
  AgentEventEnvelope,
  Contact,
  ContactChange,
  LogEntry,
  PendingPermission,
} from '../../../src/protocol/index.ts'

/** An event of an agent, with its place in the log. */
export type EventEntry = LogEntry & AgentEventEnvelope
export type RequestEntry = LogEntry & PendingPermission
export type ResolvedEntry = LogEntry & {
  request_id: string
  behavior?: 'allow' | 'deny'
  by?: string
  reason?: string
}
export type InboundEntry = LogEntry & { content: string; chat_id?: string; client_id?: string }
/** What a `contact_changed` frame says. */
export interface ContactNews {
  readonly change: ContactChange
  readonly contact: Contact
}

/** Whether something the bridge sent is a frame of the log at all. */
export function isEntry(value: unknown): value is LogEntry {
  return isRecord(value) && typeof value['type'] === 'string' && typeof value['seq'] === 'number'
}

/**
 * The bridge holds its own frames to their schemas, so these guards look only at what tells the shapes apart. A
 * page that is older than its bridge shows a frame it does not know as such, and goes on.
 */
export function isEvent(entry: LogEntry): entry is EventEntry {
  const event = entry['event']
  return entry.type === 'agent_event' && isRecord(event) && typeof event['kind'] === 'string'
}

export function isRequest(entry: LogEntry): entry is RequestEntry {
  return entry.type === 'permission_request' && typeof entry['request_id'] === 'string'
}

export function isResolved(entry: LogEntry): entry is ResolvedEntry {
  return entry.type === 'permission_resolved' && typeof entry['request_id'] === 'string'
}

export function isInbound(entry: LogEntry): entry is InboundEntry {
  return entry.type === 'inbound_message' && typeof entry['content'] === 'string'
}

/** The changed contact of a `contact_changed` frame and why it changed; undefined for any other frame. */
export function readContactNews(entry: LogEntry): ContactNews | undefined {
  const { change, state } = entry
  return entry.type === 'contact_changed' && isContact(state) && isChange(change)
    ? { change, contact: state }
    : undefined
}

/** When it happened, in milliseconds since the epoch; 0 for a frame that does not say. */
export function timeOf(entry: LogEntry): number {
  const ts = entry['ts'] ?? entry['opened_at']
  return typeof ts === 'number' ? ts : 0
}

function isContact(value: unknown): value is Contact {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string'
}

function isChange(value: unknown): value is ContactChange {
  return typeof value === 'string'
}
