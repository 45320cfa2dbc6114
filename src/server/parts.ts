import type { Logger } from 'pino'
import type { Audit } from '../access/audit.ts'
import type { OriginRules } from '../access/origin-rules.ts'
import type { Tickets } from '../access/tickets.ts'
import type { Tokens } from '../access/tokens.ts'
import type { Adapter } from '../agents/adapter.ts'
import type { Config } from '../config/config.ts'
import type { SessionActivity } from '../contacts/session-activity.ts'
import type { Clock } from '../core/clock.ts'
import type { FirebaseReader } from '../notify/firebase.ts'
import type { Broadcasts } from '../operations/broadcasts.ts'
import type { Dispatch } from '../operations/dispatch.ts'
import type { HookIngest } from '../operations/ingest.ts'
import type { PendingRequests } from '../requests/pending-requests.ts'
import type { Chats } from '../store/chats.ts'
import type { EventLog } from '../store/log.ts'
import type { Snapshot } from './snapshot.ts'

/** What the network surfaces work on. The daemon puts it together. */
export interface ServerParts {
  readonly config: Config
  readonly clock: Clock
  readonly logger: Logger
  readonly log: EventLog
  readonly ingest: HookIngest
  readonly dispatch: Dispatch
  readonly broadcasts: Broadcasts
  readonly chats: Chats
  readonly requests: PendingRequests
  readonly sessions: SessionActivity
  readonly snapshot: Snapshot
  readonly tokens: Tokens
  readonly tickets: Tickets
  readonly originRules: OriginRules
  readonly audit: Audit
  readonly firebase: FirebaseReader | undefined
  readonly adapters: ReadonlyMap<string, Adapter>
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}
