import { newId } from '../../core/ids.ts'
import type { AgentEvent } from '../../protocol/index.ts'
import type { ParsedHook } from '../adapter.ts'
import type { Correlation } from './correlation.ts'
import type { TrackerMemory } from './memory.ts'
import type { MessageAssembly } from './message-assembly.ts'
import type { Request } from './records.ts'

/** One event as the tracker gives it out, with the turn and session it belongs to. */
export interface TrackedEvent {
  readonly event: AgentEvent
  readonly turnId?: string
  readonly sessionId?: string
  /** What the log keeps beside the event for `restoreTracker`; it is not for readers. */
  readonly correlation?: string
}

/** A request that is no longer open. Without a decision it is not known how it was answered, or whether. */
export interface ClosedRequest {
  readonly requestId: string
  readonly decision?: 'allow' | 'deny'
  /** Why it is closed, in a few words. */
  readonly reason: string
}

/** For how long a permission was given. */
export type PermissionScope = NonNullable<Extract<AgentEvent, { kind: 'permission.resolved' }>['scope']>

/** What a tracker is made of. */
export interface TrackerParts {
  readonly memory: TrackerMemory
  readonly messages: MessageAssembly
  /** Makes the ids of turns, requests and activities that have none. */
  readonly mintId?: (() => string) | undefined
}

/** The work on one hook: what it knows, and what comes out of it. */
export class HookRun {
  readonly memory: TrackerMemory
  readonly messages: MessageAssembly
  readonly parsed: ParsedHook
  readonly at: number
  /** The key of a hook without ids, where it has one. */
  readonly hookKey: string | undefined
  readonly events: TrackedEvent[] = []
  readonly closedRequests: ClosedRequest[] = []
  readonly mintId: () => string
  /** The question that this hook answered. */
  answered: string | undefined

  constructor(parts: TrackerParts, parsed: ParsedHook, at: number, hookKey: string | undefined) {
    this.memory = parts.memory
    this.messages = parts.messages
    this.mintId = parts.mintId ?? newId
    this.parsed = parsed
    this.at = at
    this.hookKey = hookKey
  }

  /** The agent's name for the hooks of this turn. */
  get group(): string | undefined {
    return this.parsed.group ?? this.parsed.turnId
  }

  /** The turn that what a subagent does belongs to: the one that started it. */
  turnOf(subagentId: string | undefined): string | undefined {
    const { subagents, turn } = this.memory
    if (subagentId === undefined || !subagents.has(subagentId)) return turn?.id
    return subagents.get(subagentId)?.turnId
  }

  /** Gives out one event of the open turn, or of none. */
  emit(event: AgentEvent, correlation: Correlation = {}): void {
    this.emitIn(this.memory.turn?.id, event, correlation)
  }

  /** Gives out one event of a turn, and remembers it. */
  emitIn(turnId: string | undefined, event: AgentEvent, correlation: Correlation): void {
    const { sessionId } = this.parsed
    const stored = { group: this.group, hook: this.hookKey, answered: this.answered, ...correlation }
    this.memory.remember({ event, at: this.at, turnId, sessionId, correlation: stored })
    this.events.push({
      event,
      ...(turnId !== undefined && { turnId }),
      ...(sessionId !== undefined && { sessionId }),
      correlation: JSON.stringify(stored),
    })
  }

  /** Closes a request; where the decision is known, the stream hears of a permission's. */
  closeRequest(
    request: Request,
    reason: string,
    decision?: 'allow' | 'deny',
    scope: PermissionScope = 'unknown',
  ): void {
    const { requestId, kind, subagentId } = request
    this.memory.requests = this.memory.requests.filter((open) => open !== request)
    this.closedRequests.push({ requestId, reason, ...(decision && { decision }) })
    if (kind !== 'permission' || !decision) return
    this.emitIn(
      this.turnOf(subagentId),
      { kind: 'permission.resolved', request_id: requestId, decision, scope },
      { subagent: subagentId },
    )
  }
}
