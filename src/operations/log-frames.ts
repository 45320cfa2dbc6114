import type { ClosedRequest, TrackedEvent } from '../agents/tracking/tracker.ts'
import { describeContact, type ContactState } from '../contacts/contact.ts'
import type { AgentEventEnvelope, ContactChange } from '../protocol/index.ts'
import { describeRequest, type OpenRequest } from '../requests/pending-requests.ts'
import type { LogAppend } from '../store/log.ts'
import type { Redact } from '../store/redaction.ts'

/** A request that has just left the list. */
export interface LeftRequest extends ClosedRequest {
  readonly open: OpenRequest
}

/** Makes the frames of the log out of what ingest found out: the shapes of `logFrameSchemas`, redacted. */
export class LogFrames {
  readonly #redact: Redact

  constructor(redact: Redact) {
    this.#redact = redact
  }

  event(contact: Pick<ContactState, 'id' | 'agent'>, tracked: TrackedEvent, at: number): LogAppend {
    const envelope: AgentEventEnvelope = {
      type: 'agent_event',
      agent: contact.agent,
      ts: at,
      ...(tracked.sessionId !== undefined && { session_id: tracked.sessionId }),
      ...(tracked.turnId !== undefined && { turn_id: tracked.turnId }),
      event: tracked.event,
    }
    return {
      ts: at,
      type: 'agent_event',
      kind: tracked.event.kind,
      contact: contact.id,
      correlation: tracked.correlation,
      frame: this.#redact(JSON.stringify(envelope)),
    }
  }

  requested(request: OpenRequest, at: number): LogAppend {
    const { agent, session_id, contact } = request
    const frame = {
      type: 'permission_request',
      ...describeRequest(request),
      agent,
      ...(session_id && { session_id }),
    }
    return rowOf(frame.type, contact, at, this.#redact(JSON.stringify(frame)))
  }

  /** A request that its agent no longer waits for; who answers one through the bridge tells so otherwise. */
  resolved(request: LeftRequest, at: number): LogAppend {
    const frame = {
      type: 'permission_resolved',
      request_id: request.requestId,
      ...(request.decision && { behavior: request.decision }),
      by: 'agent',
      reason: request.reason,
    }
    return rowOf(frame.type, request.open.contact, at, JSON.stringify(frame))
  }

  contactChanged(contact: ContactState, change: ContactChange, at: number): LogAppend {
    const frame = { type: 'contact_changed', ts: at, change, state: describeContact(contact) }
    return rowOf(frame.type, contact.id, at, this.#redact(JSON.stringify(frame)))
  }
}

/** The row of a frame whose kind is its type, as of all but an agent's events. */
function rowOf(type: string, contact: string | undefined, at: number, frame: string): LogAppend {
  return { ts: at, type, kind: type, contact, frame }
}
