import type { z } from 'zod'
import type { Contact, LogPosition, PendingPermission, subscribedSchema } from '../protocol/index.ts'
import { isKnown, type KnownFrame } from './known-frames.ts'

/**
 * Any other frame of the log: a control for robots, whatever a program broadcast under a name of its own or of a
 * known frame, and what a newer bridge may add.
 */
export interface OtherFrame extends LogPosition {
  readonly type: 'other'
  /** As it came. */
  readonly frame: Readonly<Record<string, unknown>>
}

export type LogFrame = KnownFrame | OtherFrame

/** The stream has begun, or begun again. `gap`: frames before this are missing, and a snapshot follows. */
export type SubscribedItem = z.infer<typeof subscribedSchema>

/** What is true now, given in place of frames that are gone. */
export interface SnapshotItem {
  readonly type: 'snapshot'
  readonly contacts: readonly Contact[]
  readonly session_ids: readonly string[]
  readonly requests: readonly PendingPermission[]
}

export type StreamItem = LogFrame | SubscribedItem | SnapshotItem

/** The answer to `subscribe`; the bridge also says so on its own when frames are gone. */
export function isSubscribed(frame: object): frame is SubscribedItem {
  return (
    'type' in frame &&
    frame.type === 'subscribed' &&
    'epoch' in frame &&
    typeof frame.epoch === 'string' &&
    'resume' in frame &&
    'seq' in frame &&
    typeof frame.seq === 'number'
  )
}

/** What has a place in the log is a broadcast that only calls itself a snapshot. */
export function isSnapshot(frame: object): frame is SnapshotItem {
  return (
    'type' in frame &&
    frame.type === 'snapshot' &&
    !('seq' in frame) &&
    'contacts' in frame &&
    Array.isArray(frame.contacts)
  )
}

/** Reads a frame of the log; undefined when it has no place in it. */
export function readLogFrame(frame: Readonly<Record<string, unknown>>): LogFrame | undefined {
  const { seq, contact } = frame
  if (typeof seq !== 'number') return undefined
  if (isKnown(frame)) return frame
  return { type: 'other', seq, ...(typeof contact === 'string' && { contact }), frame }
}
