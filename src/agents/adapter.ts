import type { ActivityKind, AgentEvent, TodoItem } from '../protocol/index.ts'

/** One hook as it came in, whatever agent it is from. */
export interface Hook {
  /** The agent's own name of the hook, such as `PreToolUse`. */
  readonly type: string
  /** The agent's own body; nothing in it can be relied on. */
  readonly payload: Readonly<Record<string, unknown>>
  /** When it happened, in milliseconds since the epoch: the time of arrival, or the spool's own. */
  readonly at: number
  /** The body was larger than the bridge takes; only its beginning was read. */
  readonly truncated?: boolean
}

/** One use of a tool, as one hook tells of it. What pairs the hooks of one use is {@link ./tracking/tracker.ts}'s business. */
export interface CallFact {
  /** The agent's own id of this use of the tool, where it gives one. */
  readonly callId?: string
  readonly tool: string
  readonly kind: ActivityKind
  readonly summary: string
  /** Equal for equal input of the same tool; empty when the input is not known. */
  readonly inputKey: string
  readonly subagentId?: string
  readonly errorMessage?: string
}

/**
 * What an adapter read out of one hook. `event` facts go out as they are; the others are what the
 * {@link ./tracking/tracker.ts} needs to pair starts with ends and to give turns their ids.
 */
export type Fact =
  | { readonly type: 'event'; readonly event: AgentEvent }
  | {
      readonly type: 'prompt'
      readonly text: string
      /** A prompt nobody typed, such as the notice of a background task. */
      readonly synthetic?: boolean
      /** The agent's own id of the prompt, where it gives one; the same prompt may be told by several hooks. */
      readonly messageId?: string
      /** Typed into an open turn it becomes part of it, and has no end of its own. */
      readonly joins?: true
    }
  | {
      readonly type: 'turn-end'
      readonly cause: 'completed' | 'aborted' | 'error' | 'unknown'
      readonly text?: string
      readonly errorMessage?: string
      readonly backgroundTasks?: number
      /** The hook tells of a state and not of a turn: it ends the open turn, and no other. */
      readonly onlyOpen?: true
      /** The last words were told by a hook of their own. */
      readonly wordsTold?: true
    }
  /** The agent's model failed, and the agent tries again: if its turn ends now, that is why. */
  | { readonly type: 'retry'; readonly text: string }
  | ({
      readonly type: 'activity'
      readonly phase: 'started' | 'finished' | 'failed'
      readonly durationMs?: number
      readonly outputPreview?: string
      readonly contentLength?: number
      readonly failureKind?: 'timeout' | 'error' | 'permission_denied' | 'interrupted' | 'unknown'
      readonly truncated?: true
    } & CallFact)
  /** The agent refused this use of a tool by itself. */
  | ({ readonly type: 'denied' } & CallFact)
  /** The agent is past these uses of tools; one whose end was never reported did not run. */
  | { readonly type: 'calls-over'; readonly calls: readonly CallFact[] }
  /** A permission is asked for; without a tool, for the named use of one, else for the one that started last. */
  | ({
      readonly type: 'request'
      /** The agent's own id of the request, where it gives one. */
      readonly requestId?: string
      readonly description?: string
    } & Partial<CallFact>)
  | {
      readonly type: 'request-answered'
      readonly requestId: string
      readonly decision: 'allow' | 'deny'
      readonly scope?: 'once' | 'session' | 'always' | 'unknown'
    }
  | {
      readonly type: 'question'
      /** The agent's own id of the question, where it gives one. */
      readonly requestId?: string
      readonly questions: readonly { readonly text: string; readonly options?: readonly string[] }[]
      readonly inputKey: string
      readonly tool: string
      readonly subagentId?: string
      /** Another hook of the agent tells the same question. */
      readonly retold?: true
    }
  /** The question with this id, else the oldest open one with this key, has its answer. */
  | { readonly type: 'question-answered'; readonly inputKey: string; readonly requestId?: string }
  /** One piece of what the agent says; a message is whole when its last piece and all before it are there. */
  | {
      readonly type: 'message'
      readonly messageId?: string
      readonly index: number
      readonly last: boolean
      readonly text: string
      readonly subagentId?: string
      /** These are the last words of their turn. */
      readonly final?: true
    }
  /** The end of a subagent; without an id, of the one with this type and task that started first. */
  | {
      readonly type: 'subagent-end'
      readonly subagentId?: string
      readonly subagentType?: string
      readonly task?: string
      readonly cause: 'completed' | 'aborted' | 'error' | 'unknown'
    }
  /** The agent tells that it waits for a permission: news only where no request told it already. */
  | { readonly type: 'permission-notice'; readonly text?: string }
  /** One entry of the agent's task list; the tracker knows the others. */
  | {
      readonly type: 'task'
      readonly id: string
      readonly text?: string
      readonly status?: TodoItem['status']
    }

/** What one hook says, in order. */
export interface ParsedHook {
  /** The conversation id the agent reports. */
  readonly sessionId?: string
  /** The agent's own turn id, where it has one. */
  readonly turnId?: string
  /** Equal for the hooks of one turn, where the agent says so. */
  readonly group?: string
  readonly directory?: string
  /** This hook starts or ends its session; `switched`: it ends, and the agent goes on with another (clear). */
  readonly session?: 'started' | 'ended' | 'switched'
  readonly facts: readonly Fact[]
  /** Tells this hook from others with the same facts, where those say next to nothing. */
  readonly identity?: string
}

/** Turns the hooks of one agent into facts. Pure: the same hook gives the same facts, and nothing throws. */
export interface Adapter {
  readonly agent: string
  /** The name of the hook in a body the agent posts itself; undefined when it is not one of its bodies. */
  nativeHookType(body: Readonly<Record<string, unknown>>): string | undefined
  parse(hook: Hook): ParsedHook
}
