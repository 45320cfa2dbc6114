import type { Identity } from '../access/identity.ts'
import { mayReach } from '../access/tokens.ts'
import { describeContact } from '../contacts/contact.ts'
import type { ContactRegistry } from '../contacts/registry.ts'
import type { SessionActivity } from '../contacts/session-activity.ts'
import { describeRequest, type PendingRequests } from '../requests/pending-requests.ts'

/** What a reader with a gap is given instead of the frames it missed. */
export type Snapshot = (identity: Identity) => Record<string, unknown>

export function createSnapshot(parts: {
  registry: ContactRegistry
  sessions: SessionActivity
  requests: PendingRequests
}): Snapshot {
  return (identity) => ({
    type: 'snapshot',
    contacts: parts.registry
      .list()
      .filter((contact) => mayReach(identity, contact.id))
      .map(describeContact),
    session_ids: parts.sessions.idsFor(identity),
    requests: parts.requests
      .list()
      .filter((request) => request.contact === undefined || mayReach(identity, request.contact))
      .map(describeRequest),
  })
}
