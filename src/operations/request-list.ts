import type { ClosedRequest, TrackedEvent } from '../agents/tracking/tracker.ts'
import type { ContactState } from '../contacts/contact.ts'
import type { OpenRequest, PendingRequests } from '../requests/pending-requests.ts'
import type { LeftRequest } from './log-frames.ts'

/** Puts what an agent has just asked on the list. */
export function listAsked(
  requests: PendingRequests,
  contact: ContactState,
  events: readonly TrackedEvent[],
  at: number,
): OpenRequest[] {
  const asked = events.flatMap(({ event, sessionId }): OpenRequest[] =>
    event.kind === 'permission.requested'
      ? [
          {
            request_id: event.request_id,
            agent: contact.agent,
            contact: contact.id,
            opened_at: at,
            ...(sessionId !== undefined && { session_id: sessionId }),
            ...(event.activity && { activity: event.activity }),
            ...(event.description !== undefined && { description: event.description }),
          },
        ]
      : [],
  )
  for (const request of asked) requests.open(request)
  return asked
}

/** Takes what the tracker saw answered or abandoned off the list; what was not on it is nobody's news. */
export function unlistClosed(
  requests: PendingRequests,
  closed: readonly ClosedRequest[],
  events: readonly TrackedEvent[],
): LeftRequest[] {
  const resolved = events.flatMap(({ event }) =>
    event.kind === 'permission.resolved'
      ? [{ requestId: event.request_id, decision: event.decision, reason: 'answered in the terminal' }]
      : [],
  )
  const all = new Map([...resolved, ...closed].map((request) => [request.requestId, request]))
  return [...all.values()].flatMap((request) => unlist(requests, request))
}

/** Nobody waits any more for what an agent that went away had asked. */
export function unlistAbandoned(requests: PendingRequests, contact: ContactState): LeftRequest[] {
  return requests
    .list()
    .filter((request) => request.contact === contact.id)
    .flatMap(({ request_id: requestId }) => unlist(requests, { requestId, reason: contact.reason }))
}

function unlist(requests: PendingRequests, request: ClosedRequest): LeftRequest[] {
  const open = requests.close(request.requestId)
  return open ? [{ open, ...request }] : []
}
