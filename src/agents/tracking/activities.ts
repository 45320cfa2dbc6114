import type { ActivityRef } from '../../protocol/index.ts'
import type { CallFact, Fact } from '../adapter.ts'
import { mayEqual, type Call } from './records.ts'
import { closeRequestsAbout, failCall, findOpen } from './open-calls.ts'
import type { HookRun } from './run.ts'
import { ensureTurn } from './turns.ts'

type ActivityFact = Extract<Fact, { type: 'activity' }>
type DeniedFact = Extract<Fact, { type: 'denied' }>

/**
 * Whether a hook about a tool tells nothing new: the same was told before under the same id, or it is the late
 * other half of an activity that is told in full already.
 */
export function isStale(run: HookRun, fact: ActivityFact | DeniedFact): boolean {
  const { memory, at } = run
  const { tool, inputKey, callId, subagentId } = fact
  const known = callId === undefined ? [] : (memory.calls.get(callId) ?? [])
  const own = known.filter((call) => call.ref.tool === tool)
  if (fact.type === 'activity' && fact.phase === 'started') {
    if (callId === undefined) return memory.late.takeStart({ tool, inputKey, subagentId }, at)
    return own.some((call) => mayEqual(call.inputKey, inputKey))
  }
  if (findOpen(run, fact)) return false
  if (callId === undefined) return memory.late.takeEnd({ tool, inputKey, subagentId })
  return own.some((call) => call.lost || mayEqual(call.inputKey, inputKey))
}

/** A start, an end, or an end whose start was never told. */
export function takeActivity(run: HookRun, fact: ActivityFact): void {
  if (fact.phase === 'started') startCall(run, fact)
  else endCall(run, fact)
}

/** The agent refused a use of a tool by itself. */
export function takeDenied(run: HookRun, fact: DeniedFact): void {
  const call = findOpen(run, fact) ?? startCall(run, fact)
  failCall(run, call, 'permission_denied', fact.errorMessage)
}

/** The agent is past these uses: one that is open still never ran, since something denied it. */
export function takeCallsOver(run: HookRun, { calls }: Extract<Fact, { type: 'calls-over' }>): void {
  for (const fact of calls) {
    const call = findOpen(run, fact)
    if (call) failCall(run, call, 'permission_denied', fact.errorMessage)
  }
}

function startCall(run: HookRun, fact: CallFact & { readonly truncated?: true }): Call {
  const { memory } = run
  const { callId, tool, inputKey, subagentId } = fact
  if (subagentId === undefined) ensureTurn(run)
  const id =
    callId !== undefined && !memory.calls.has(callId)
      ? callId
      : (memory.promisedId({ tool, inputKey, subagentId }) ?? `act_${run.mintId()}`)
  run.emitIn(
    run.turnOf(subagentId),
    {
      kind: 'activity.started',
      activity: { id, kind: fact.kind, tool, summary: fact.summary },
      ...subagentOf(subagentId),
      ...(fact.truncated && { truncated: true }),
    },
    { call: callId, input: inputKey, subagent: subagentId },
  )
  const started = memory.open.at(-1)
  if (started?.ref.id !== id) throw new Error(`activity ${id} was given out but not remembered`)
  return started
}

function endCall(run: HookRun, fact: ActivityFact): void {
  const known = findOpen(run, fact)
  const call = known ?? startCall(run, fact)
  closeRequestsAbout(run, call, 'the tool ran', 'allow')
  const durationMs = fact.durationMs ?? (known && Math.max(0, run.at - known.startedAt))
  const told = {
    activity: refOf(call, fact),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
    ...subagentOf(call.subagentId),
    ...(fact.truncated && { truncated: fact.truncated }),
  }
  const correlation = { subagent: call.subagentId, early: known ? undefined : (true as const) }
  if (fact.phase === 'finished') {
    const { outputPreview, contentLength } = fact
    run.emitIn(
      call.turnId,
      {
        kind: 'activity.finished',
        ...told,
        ...(outputPreview !== undefined && { output_preview: outputPreview }),
        ...(contentLength !== undefined && { content_length: contentLength }),
      },
      correlation,
    )
  } else {
    const { errorMessage, failureKind } = fact
    run.emitIn(
      call.turnId,
      {
        kind: 'activity.failed',
        ...told,
        ...(errorMessage !== undefined && { error_message: errorMessage }),
        ...(failureKind !== undefined && { failure_kind: failureKind }),
      },
      correlation,
    )
  }
}

function subagentOf(subagentId: string | undefined): { subagent_id?: string } {
  return subagentId === undefined ? {} : { subagent_id: subagentId }
}

/** What ran in the end: the input may have been changed on the way. */
function refOf(call: Call, { summary }: CallFact): ActivityRef {
  return summary === '' || summary === call.ref.summary ? call.ref : { ...call.ref, summary }
}
