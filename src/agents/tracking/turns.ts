import type { Fact } from '../adapter.ts'
import { clip } from '../fields.ts'
import { textKeyOf } from '../input-key.ts'
import { closeCalls } from './open-calls.ts'
import type { HookRun } from './run.ts'

/** The longest text that goes out in one event, in UTF-16 units. */
export const maxTextLength = 100_000

/**
 * A prompt: it joins the open turn of its own group or waits behind it, as the agent does it; any other open turn
 * was interrupted unseen.
 */
export function takePrompt(run: HookRun, fact: Extract<Fact, { type: 'prompt' }>): void {
  const { memory, group } = run
  const { text, synthetic, messageId, joins } = fact
  if (messageId !== undefined && memory.messages.has(messageId)) return
  const told = { message: messageId }
  const ofOpenTurn = group === undefined ? joins === true : memory.turn?.group === group
  if (memory.turn && ofOpenTurn) {
    if (!synthetic) run.emit({ kind: 'message.user', text }, joins ? told : { ...told, queued: true })
    else if (!joins) memory.enqueueSynthetic(run.hookKey, run.at)
    return
  }
  if (memory.turn) endTurn(run, { cause: 'aborted', reason: 'the next prompt came' })
  if (synthetic) {
    startTurn(run, { cause: 'background', prompt: text, ...told })
  } else {
    startTurn(run, { cause: 'prompt', prompt: text })
    run.emit({ kind: 'message.user', text }, told)
  }
}

/** The end of a turn; one whose start was never told is started first, so that the two balance. */
export function takeTurnEnd(run: HookRun, fact: Extract<Fact, { type: 'turn-end' }>): void {
  const { memory, group } = run
  if (memory.turn && isOfLastTurn(run)) return
  if (fact.onlyOpen) {
    const open = memory.turn
    if (!open || (group !== undefined && open.group !== undefined && open.group !== group)) return
  }
  ensureTurn(run)
  if (fact.cause === 'completed' && memory.turn?.failing !== undefined) {
    endTurn(run, { cause: 'error', errorMessage: memory.turn.failing, reason: 'its model failed' })
    return
  }
  const text = fact.text ?? (fact.wordsTold ? memory.turn?.words : undefined)
  if (text !== undefined && fact.cause !== 'error') {
    const key = textKeyOf(text)
    if (memory.turn?.shown !== key)
      run.emit({ kind: 'message.assistant', text, final: true }, { text: key, undisplayed: true })
  }
  endTurn(run, { ...fact, ...(text !== undefined && { text }), reason: 'its turn ended' })
}

/** The agent's model failed and is tried again. */
export function takeRetry(run: HookRun, { text }: Extract<Fact, { type: 'retry' }>): void {
  ensureTurn(run)
  run.emit({ kind: 'notification', text }, { failing: true })
}

/** Whether the hook belongs to the turn that ended last, and came after another one had begun. */
export function isOfLastTurn({ memory, group }: HookRun): boolean {
  const { turn, last } = memory
  return group !== undefined && group === last?.group && turn?.group !== undefined && turn.group !== group
}

/**
 * Makes sure that a turn is open for what the main agent just did. Where none is, the agent went on by itself:
 * with a prompt that waited, or because something kept its last turn from ending.
 */
export function ensureTurn(run: HookRun): void {
  const { memory, group } = run
  if (memory.turn) {
    const own = group === undefined || memory.turn.group === undefined || memory.turn.group === group
    if (own || isOfLastTurn(run)) return
    endTurn(run, { cause: 'aborted', reason: 'the agent went on to another turn' })
  }
  const { last } = memory
  const continues = last !== undefined && (group === undefined || group === last.group)
  const [next] = continues && group !== undefined ? [] : memory.queue
  if (next) {
    const prompted = next.text !== undefined
    startTurn(run, { cause: prompted ? 'queued' : 'background', prompt: next.text, queued: true })
  } else {
    startTurn(run, { cause: continues ? 'continued' : undefined })
  }
}

interface Start {
  readonly cause: 'prompt' | 'queued' | 'continued' | 'background' | undefined
  readonly prompt?: string | undefined
  readonly queued?: true
  /** The agent's id of a prompt that no other event tells of. */
  readonly message?: string | undefined
}

function startTurn(run: HookRun, { cause, prompt, queued, message }: Start): void {
  const { memory, parsed } = run
  const { turnId } = parsed
  run.emitIn(
    turnId === undefined || memory.turns.has(turnId) ? run.mintId() : turnId,
    { kind: 'turn.started', ...(prompt && { prompt }), ...(cause && { cause }) },
    { queued, message },
  )
}

interface End {
  readonly cause: 'completed' | 'aborted' | 'error' | 'unknown'
  readonly reason: string
  readonly text?: string
  readonly errorMessage?: string
  readonly backgroundTasks?: number
}

/** Ends the open turn with everything of the main agent that is open in it. Background subagents go on. */
export function endTurn(run: HookRun, end: End): void {
  const { memory } = run
  const { turn } = memory
  if (!turn) return
  for (const text of run.messages.takeUnfinished(turn.group, end.text ?? ''))
    if (text.trim() !== '')
      run.emit({ kind: 'message.assistant', text: clip(text, maxTextLength) }, { text: textKeyOf(text) })
  const nothingGoesOn = end.backgroundTasks === 0
  const ends = (subagentId: string | undefined) => subagentId === undefined || nothingGoesOn
  for (const request of memory.requests) if (ends(request.subagentId)) run.closeRequest(request, end.reason)
  closeCalls(run, (call) => ends(call.subagentId), end.cause === 'aborted' ? 'interrupted' : 'unknown')
  run.emit({
    kind: 'turn.ended',
    cause: end.cause,
    ...(end.text !== undefined && { last_assistant_text: end.text }),
    ...(end.errorMessage !== undefined && { error_message: end.errorMessage }),
    ...(end.backgroundTasks !== undefined && { background_tasks: end.backgroundTasks }),
    ...(turn.startedAt !== undefined && { duration_ms: Math.max(0, run.at - turn.startedAt) }),
  })
}
