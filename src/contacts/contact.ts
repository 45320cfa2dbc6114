import { realpathSync } from 'node:fs'
import type { Contact, Health } from '../protocol/index.ts'

/** What is known of a contact in memory; a superset of what is stored. */
export interface ContactState {
  readonly id: string
  name: string
  readonly agent: string
  directory: string
  realDirectory: string
  status: 'live' | 'offline'
  health: Health
  reason: string
  sessionId: string | undefined
  turnId: string | undefined
  openRequests: number
  /** Its session has ended and its agent goes on with another one, whose first hook is still to come. */
  betweenSessions: boolean
  readonly createdAt: number
  lastSeenAt: number
}

/** A contact as every surface shows it. */
export function describeContact(contact: ContactState): Contact {
  return {
    id: contact.id,
    name: contact.name,
    agent: contact.agent,
    directory: contact.directory,
    status: contact.status,
    health: contact.health,
    transport: 'none',
    ...(contact.sessionId !== undefined && { session_id: contact.sessionId }),
    ...(contact.turnId !== undefined && { turn_id: contact.turnId }),
    reason: contact.reason,
    open_requests: contact.openRequests,
    created_at: contact.createdAt,
    last_seen_at: contact.lastSeenAt,
  }
}

/** The real path where it exists; what is shown keeps its symlinks. */
export function realDirectoryOf(directory: string): string {
  if (directory === '' || directory.includes('\0')) return directory
  try {
    return realpathSync.native(directory)
  } catch {
    // The directory may be on another machine or gone; its own spelling still identifies it.
    return directory
  }
}
