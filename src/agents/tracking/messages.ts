import type { Fact } from '../adapter.ts'
import { clip } from '../fields.ts'
import { textKeyOf } from '../input-key.ts'
import type { HookRun } from './run.ts'
import { ensureTurn, isOfLastTurn, maxTextLength } from './turns.ts'

/** How long after a turn's end its last words may still be displayed; measured: 3 to 14 ms. */
const lateWordsMs = 2_000

/** A piece of what the agent says; it goes out when the message is whole, and never twice. */
export function takeMessage(run: HookRun, fact: Extract<Fact, { type: 'message' }>): void {
  const { memory, group } = run
  const { messageId, subagentId, final } = fact
  if (messageId !== undefined && memory.messages.has(messageId)) return
  const whole =
    messageId === undefined ? fact.text : run.messages.add({ ...fact, messageId, group, subagentId })
  if (whole === undefined || whole.trim() === '') return
  const text = clip(whole, maxTextLength)
  const key = textKeyOf(text)
  if (subagentId !== undefined) {
    run.emitIn(
      run.turnOf(subagentId),
      { kind: 'message.assistant', text, subagent_id: subagentId },
      { message: messageId, subagent: subagentId },
    )
    return
  }
  const { last, turn } = memory
  if (last && (group === undefined || group === last.group)) {
    if (last.undisplayed === key) {
      // The end of the turn brought these words already.
      last.undisplayed = undefined
      if (messageId !== undefined) memory.messages.set(messageId, true)
      return
    }
    const wordsOfLast = !turn && last.wordless && run.at - last.endedAt <= lateWordsMs
    if (wordsOfLast || isOfLastTurn(run)) {
      run.emitIn(last.id, { kind: 'message.assistant', text }, { message: messageId, text: key })
      return
    }
  }
  ensureTurn(run)
  run.emit({ kind: 'message.assistant', text, ...(final && { final }) }, { message: messageId, text: key })
}
