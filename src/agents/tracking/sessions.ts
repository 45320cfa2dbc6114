import type { AgentEvent } from '../../protocol/index.ts'
import type { Fact } from '../adapter.ts'
import { closeCalls } from './open-calls.ts'
import type { HookRun } from './run.ts'
import { endTurn } from './turns.ts'

/** Gives out an event as it is, after what must have ended by then. */
export function takeEvent(run: HookRun, event: AgentEvent): void {
  const { memory, parsed } = run
  const { sessionId } = parsed
  switch (event.kind) {
    case 'session.started':
      if (event.cause !== 'compact' && memory.isReplacedBy(sessionId))
        closeEverything(run, 'another session began')
      run.emit(event)
      break
    case 'session.ended': {
      const startedAt = memory.isSuperseded(sessionId) ? undefined : memory.sessionStartedAt
      if (!memory.isSuperseded(sessionId)) closeEverything(run, 'its session ended')
      run.emit(startedAt === undefined ? event : { ...event, duration_ms: Math.max(0, run.at - startedAt) })
      break
    }
    case 'subagent.started':
      if (!memory.subagents.has(event.subagent_id)) run.emit(event, { subagent: event.subagent_id })
      break
    case 'subagent.finished':
      finishSubagent(run, event)
      break
    default:
      run.emit(event)
  }
}

/** The end of a subagent that the agent may not name: then it is one that is like it, the oldest first. */
export function takeSubagentEnd(run: HookRun, fact: Extract<Fact, { type: 'subagent-end' }>): void {
  const { subagents } = run.memory
  const { subagentId, subagentType: type, task, cause } = fact
  const id =
    subagentId ??
    subagents.find((one) => one.type === type && one.task === task) ??
    subagents.find((one) => one.type === type)
  if (id !== undefined) finishSubagent(run, { kind: 'subagent.finished', subagent_id: id, cause })
}

function closeEverything(run: HookRun, reason: string): void {
  endTurn(run, { cause: 'aborted', reason })
  for (const request of run.memory.requests) run.closeRequest(request, reason)
  closeCalls(run, () => true, 'interrupted')
}

function finishSubagent(run: HookRun, event: Extract<AgentEvent, { kind: 'subagent.finished' }>): void {
  const { memory } = run
  const id = event.subagent_id
  if (memory.endedSubagents.has(id)) return
  for (const request of memory.requests)
    if (request.subagentId === id) run.closeRequest(request, 'its subagent ended')
  closeCalls(run, (call) => call.subagentId === id, 'unknown')
  run.emitIn(run.turnOf(id), event, { subagent: id })
}
