import type { ActivityRef, TodoItem } from '../../protocol/index.ts'
import type { TrackedRow } from './correlation.ts'
import { LateHooks } from './late-hooks.ts'
import { RecentMap } from './recent-map.ts'
import {
  isAbout,
  isSame,
  type Asked,
  type Call,
  type EndedTurn,
  type Request,
  type Subagent,
  type Turn,
} from './records.ts'

/** How many uses of tools are remembered by the agent's id; a repetition comes soon or never. */
const maxCalls = 2_000
const maxMessages = 500
const maxHooks = 100
const maxQueue = 20
const maxSubagents = 1_000
const maxTurns = 500
const maxSessions = 20
/**
 * What a tracker knows of its contact. All of it follows from the events it gave out, through
 * {@link TrackerMemory.remember} and nothing else, so that the log can restore it.
 */
export class TrackerMemory {
  sessionId: string | undefined
  sessionStartedAt: number | undefined
  /** The session has ended, and nothing has begun since. */
  over = false
  /** The ids it went by. */
  readonly ended = new RecentMap<string, true>(maxSessions)
  turn: Turn | undefined
  last: EndedTurn | undefined
  /** Prompts typed during the turn; each runs as its own turn after it. */
  queue: { text?: string }[] = []
  open: Call[] = []
  requests: Request[] = []
  tasks: (TodoItem & { id: string })[] = []
  /** Input keys of what was asked in this turn. */
  asked = new Set<string>()
  /** Running subagents. */
  readonly subagents = new RecentMap<string, Subagent>(maxSubagents)
  readonly endedSubagents = new RecentMap<string, true>(maxSubagents)
  readonly calls = new RecentMap<string, Call[]>(maxCalls)
  /** The agent's ids of messages, prompts and requests that were told. */
  readonly messages = new RecentMap<string, true>(maxMessages)
  readonly hooks = new RecentMap<string, number>(maxHooks)
  /** The ids of turns that have begun. */
  readonly turns = new RecentMap<string, true>(maxTurns)
  readonly superseded = new RecentMap<string, true>(maxSessions)
  readonly late = new LateHooks()

  /** Takes in one event that was given out. */
  remember(row: TrackedRow): void {
    const { event, correlation } = row
    const { turn } = this
    this.sessionId ??= row.sessionId
    if (this.over && event.kind !== 'session.ended' && this.#isUnended(row.sessionId)) {
      this.#becomeSession(row.sessionId)
      this.over = false
    }
    if (turn && row.turnId === turn.id && correlation.subagent === undefined) turn.group ??= correlation.group
    switch (event.kind) {
      case 'session.started':
        this.#startSession(row, event.cause === 'compact')
        break
      case 'session.ended':
        if (!this.isSuperseded(row.sessionId)) this.#endSession(row.sessionId)
        break
      case 'turn.started':
        this.#startTurn(row, event.cause)
        break
      case 'turn.ended':
        this.#endTurn(row, event.background_tasks === 0, event.last_assistant_text === undefined)
        break
      case 'message.user':
        if (correlation.queued) this.#enqueue({ text: event.text })
        break
      case 'message.assistant':
        this.#rememberMessage(row, event.text)
        break
      case 'notification':
        if (correlation.failing && turn) turn.failing = event.text
        break
      case 'activity.started':
        this.#startCall(event.activity, row)
        break
      case 'activity.finished':
      case 'activity.failed':
        this.#endCall(event.activity.id, row)
        break
      case 'permission.requested':
        this.requests.push({
          requestId: event.request_id,
          kind: 'permission',
          tool: correlation.tool,
          summary: event.activity?.summary ?? event.description ?? '',
          inputKey: correlation.input ?? '',
          subagentId: correlation.subagent,
          callId: correlation.call,
          openedAt: row.at,
          activity: this.#linkTo(event.activity?.id),
        })
        break
      case 'permission.resolved':
        this.requests = this.requests.filter((request) => request.requestId !== event.request_id)
        break
      case 'agent.question':
        this.#openQuestion(event.text, row)
        break
      case 'subagent.started':
        this.subagents.set(event.subagent_id, {
          turnId: row.turnId,
          type: event.subagent_type,
          task: event.task,
        })
        this.endedSubagents.delete(event.subagent_id)
        break
      case 'subagent.finished':
        this.subagents.delete(event.subagent_id)
        this.endedSubagents.set(event.subagent_id, true)
        this.requests = this.requests.filter((request) => request.subagentId !== event.subagent_id)
        break
      case 'todo.updated':
        if (correlation.tasks) {
          const ids = correlation.tasks
          this.tasks = event.items.map((item, index) => ({ ...item, id: ids[index] ?? '' }))
        }
        break
      default:
        if (correlation.answered !== undefined)
          this.requests = this.requests.filter(({ requestId }) => requestId !== correlation.answered)
    }
    if (correlation.message !== undefined) this.messages.set(correlation.message, true)
    if (correlation.hook !== undefined) this.hooks.set(correlation.hook, row.at)
  }

  /** An event of a turn whose start the log no longer holds: that turn is open until its end is remembered. */
  assumeTurn(id: string | undefined, group: string | undefined): void {
    if (id === undefined || this.turn || this.last) return
    this.turns.set(id, true)
    this.turn = { id, group, startedAt: undefined, shown: undefined, undisplayed: undefined }
  }

  /** A session that another one took the place of: its end ends nothing. */
  isSuperseded(sessionId: string | undefined): boolean {
    return sessionId !== undefined && this.superseded.has(sessionId)
  }

  /** The id under which a request already spoke of this use of a tool, before its start was told. */
  promisedId(call: Asked): string | undefined {
    return this.requests.find(
      ({ activity, ...request }) => activity?.known === false && isSame(request, call),
    )?.activity?.id
  }

  /** Whether a hook of this session comes after all that the session did was told to be over. */
  isAfterTheEnd(sessionId: string | undefined): boolean {
    return this.over && !this.#isUnended(sessionId)
  }

  /** Whether a session is another than the present one. */
  isReplacedBy(sessionId: string | undefined): boolean {
    return sessionId !== undefined && this.sessionId !== undefined && sessionId !== this.sessionId
  }

  /** Puts a prompt nobody typed behind the present turn. No event tells of it, so a restart forgets it. */
  enqueueSynthetic(hookKey: string | undefined, at: number): void {
    this.#enqueue({})
    if (hookKey !== undefined) this.hooks.set(hookKey, at)
  }

  #enqueue(prompt: { text?: string }): void {
    this.queue = [...this.queue, prompt].slice(-maxQueue)
  }

  #startSession({ sessionId, at }: TrackedRow, compacted: boolean): void {
    if (!compacted && this.isReplacedBy(sessionId)) {
      this.requests = []
      this.subagents.clear()
      this.queue = []
      this.tasks = []
    }
    this.#becomeSession(sessionId)
    this.ended.clear()
    if (!compacted) this.sessionStartedAt = at
    this.over = false
    this.hooks.clear()
  }

  #isUnended(sessionId: string | undefined): boolean {
    return sessionId !== undefined && !this.ended.has(sessionId)
  }

  #becomeSession(sessionId: string | undefined): void {
    if (sessionId === undefined || sessionId === this.sessionId) return
    if (this.sessionId !== undefined) this.superseded.set(this.sessionId, true)
    this.superseded.delete(sessionId)
    this.sessionId = sessionId
  }

  #endSession(sessionId: string | undefined): void {
    this.over = true
    for (const id of [sessionId, this.sessionId]) if (id !== undefined) this.ended.set(id, true)
    this.sessionStartedAt = undefined
    this.requests = []
    this.subagents.clear()
    this.queue = []
    this.tasks = []
    this.hooks.clear()
  }

  #startTurn(row: TrackedRow, cause: string | undefined): void {
    if (row.turnId === undefined) return
    this.turns.set(row.turnId, true)
    this.turn = {
      id: row.turnId,
      group: row.correlation.group,
      startedAt: row.at,
      shown: undefined,
      undisplayed: undefined,
    }
    this.over = false
    if (row.correlation.queued) this.queue = this.queue.slice(1)
    else if (cause === 'prompt' || cause === 'background') this.queue = []
    if (cause === 'prompt') {
      this.#becomeSession(row.sessionId)
      this.ended.clear()
    }
    this.asked.clear()
    this.late.forgetEnds()
    this.hooks.clear()
  }

  #endTurn(row: TrackedRow, nothingGoesOn: boolean, wordless: boolean): void {
    if (this.turn) this.last = { ...this.turn, endedAt: row.at, wordless }
    this.turn = undefined
    this.requests = nothingGoesOn ? [] : this.requests.filter(({ subagentId }) => subagentId !== undefined)
    this.asked.clear()
    this.late.forgetStarts()
    this.hooks.clear()
  }

  #rememberMessage({ correlation, turnId }: TrackedRow, words: string): void {
    if (!this.turn || turnId !== this.turn.id || correlation.subagent !== undefined) return
    this.turn.words = words
    this.turn.failing = undefined
    this.turn.shown = correlation.text
    if (correlation.undisplayed) this.turn.undisplayed = correlation.text
  }

  #startCall(ref: ActivityRef, row: TrackedRow): void {
    const { call: callId, input: inputKey = '', subagent: subagentId } = row.correlation
    const call: Call = {
      ref,
      callId,
      inputKey,
      subagentId,
      turnId: row.turnId,
      startedAt: row.at,
      open: true,
      lost: false,
    }
    this.open.push(call)
    if (this.turn && subagentId === undefined) this.turn.failing = undefined
    if (callId !== undefined) this.calls.set(callId, [...(this.calls.get(callId) ?? []), call].slice(-10))
    if (subagentId !== undefined && !this.subagents.has(subagentId))
      this.subagents.set(subagentId, { turnId: row.turnId })
    const request = this.requests.find(
      (open) =>
        !open.activity?.known && (open.callId === undefined ? isAbout(open, call) : open.callId === callId),
    )
    if (request) request.activity = { id: ref.id, known: true }
  }

  #endCall(id: string, row: TrackedRow): void {
    const index = this.open.findIndex((call) => call.ref.id === id)
    const [call] = index < 0 ? [] : this.open.splice(index, 1)
    if (!call) return
    call.open = false
    call.lost = row.correlation.lost === true
    this.requests = this.requests.filter((request) => request.activity?.id !== id)
    if (call.callId !== undefined) return
    const expected = { tool: call.ref.tool, inputKey: call.inputKey, subagentId: call.subagentId }
    if (row.correlation.early) this.late.expectStart(expected, row.at)
    if (call.lost) this.late.expectEnd(expected)
  }

  #openQuestion(text: string, { correlation, at }: TrackedRow): void {
    const { question: requestId, tool, input: inputKey = '', subagent: subagentId } = correlation
    this.asked.add(inputKey)
    if (requestId === undefined) return
    const call = this.open.find((open) => isAbout({ tool, inputKey, subagentId }, open))
    const activity = call && { id: call.ref.id, known: true }
    this.requests.push({
      requestId,
      kind: 'question',
      tool,
      summary: text,
      inputKey,
      subagentId,
      openedAt: at,
      activity,
    })
  }

  #linkTo(activityId: string | undefined): Request['activity'] {
    if (activityId === undefined) return undefined
    return { id: activityId, known: this.open.some((call) => call.ref.id === activityId) }
  }
}
