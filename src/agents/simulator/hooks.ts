import { SeededRandom } from './random.ts'

/** One hook of a simulated session. */
export interface SimulatedHook {
  /** How long after the hook before it, in milliseconds. */
  readonly delayMs: number
  readonly hookType: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** One use of a tool in the story. */
export interface Tool {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly id: string
}

/** Writes hooks with the shapes and the order that Claude Code's have. */
export class HookWriter {
  readonly random: SeededRandom
  readonly sessionId: string
  readonly #directory: string
  #promptId: string | undefined
  #hooks: SimulatedHook[] = []

  constructor(seed: number, sessionId: string | undefined, directory: string) {
    this.random = new SeededRandom(seed)
    this.sessionId = sessionId ?? this.random.uuid()
    this.#directory = directory
  }

  /** The hooks written since the last call. */
  take(): SimulatedHook[] {
    const hooks = this.#hooks
    this.#hooks = []
    return hooks
  }

  /** Adds a hook after a pause of about `pauseMs`. */
  hook(hookType: string, pauseMs: number, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#hooks.push({
      delayMs: Math.round(pauseMs * (0.7 + 0.6 * this.random.next())),
      hookType,
      payload: {
        session_id: this.sessionId,
        transcript_path: `${this.#directory}/.simulator/${this.sessionId}.jsonl`,
        cwd: this.#directory,
        permission_mode: 'default',
        ...(this.#promptId !== undefined && { prompt_id: this.#promptId }),
        hook_event_name: hookType,
        ...fields,
      },
    })
  }

  prompt(text: string, pauseMs: number): void {
    this.#promptId = this.random.uuid()
    this.hook('UserPromptSubmit', pauseMs, { prompt: text })
  }

  /** What the agent says, in as many pieces as it has lines. */
  say(text: string, pauseMs = 900): void {
    const messageId = this.random.uuid()
    const lines = text.split('\n')
    for (const [index, line] of lines.entries()) {
      const last = index === lines.length - 1
      this.hook('MessageDisplay', index === 0 ? pauseMs : 5, {
        message_id: messageId,
        index,
        final: last,
        delta: last ? line : `${line}\n`,
      })
    }
  }

  tool(name: string, input: Readonly<Record<string, unknown>>): Tool {
    return { name, input, id: `toolu_${this.random.hex(24)}` }
  }

  start(tool: Tool, pauseMs = 500, fields: Readonly<Record<string, unknown>> = {}): void {
    this.hook('PreToolUse', pauseMs, { ...usedBy(tool), tool_use_id: tool.id, ...fields })
  }

  /** The dialog that asks for the tool, and after a while the answer that lets it run. */
  ask(tool: Tool, pauseMs = 40): void {
    this.hook('PermissionRequest', pauseMs, usedBy(tool))
  }

  finish(
    tool: Tool,
    pauseMs: number,
    response: unknown,
    fields: Readonly<Record<string, unknown>> = {},
  ): void {
    this.hook('PostToolUse', pauseMs, {
      ...usedBy(tool),
      tool_response: response,
      tool_use_id: tool.id,
      duration_ms: pauseMs,
      ...fields,
    })
  }

  fail(tool: Tool, pauseMs: number, error: string): void {
    this.hook('PostToolUseFailure', pauseMs, {
      ...usedBy(tool),
      tool_use_id: tool.id,
      error,
      is_interrupt: false,
      duration_ms: pauseMs,
    })
  }

  batch(...tools: Tool[]): void {
    this.hook('PostToolBatch', 20, {
      tool_calls: tools.map((tool) => ({ ...usedBy(tool), tool_use_id: tool.id, tool_response: 'done' })),
    })
  }

  /** The last words of a turn and its end. */
  stop(text: string): void {
    this.say(text)
    this.hook('Stop', 30, {
      stop_hook_active: false,
      last_assistant_message: text,
      background_tasks: [],
      session_crons: [],
    })
  }
}

function usedBy({ name, input }: Tool): { tool_name: string; tool_input: Readonly<Record<string, unknown>> } {
  return { tool_name: name, tool_input: input }
}
