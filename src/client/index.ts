/** Talks to a running bridge from Node ≥ 24 or a browser. */
export { ClientError } from './client-error.ts'
export {
  createClient,
  type BridgeClient,
  type ClientOptions,
  type ClientStreamOptions,
  type OutgoingMessage,
} from './client.ts'
export { compareContacts, contactState, contactStates, type ContactState } from './contact-state.ts'
export type { StreamFilter, StreamStatus, StreamStatusListener } from './event-stream.ts'
export type { KnownFrame } from './known-frames.ts'
export type { LogFrame, OtherFrame, SnapshotItem, StreamItem, SubscribedItem } from './stream-items.ts'
