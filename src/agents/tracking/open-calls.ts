import type { CallFact, Fact } from '../adapter.ts'
import { mayEqual, type Call } from './records.ts'
import type { HookRun } from './run.ts'

type FailureKind = NonNullable<Extract<Fact, { type: 'activity' }>['failureKind']>

/** The open activity that a hook ends: by its id, else the oldest of the same tool with the same input. */
export function findOpen({ memory }: HookRun, fact: CallFact): Call | undefined {
  const same = memory.open.filter((call) => call.ref.tool === fact.tool)
  const byId = fact.callId === undefined ? [] : same.filter((call) => call.callId === fact.callId)
  // A permission hook may change the input, so that the end of a call has another than its start.
  const [first] = byId
  if (first) return byId.find((call) => mayEqual(call.inputKey, fact.inputKey)) ?? first
  const unnamed = fact.callId === undefined ? same : same.filter((call) => call.callId === undefined)
  const own = unnamed.filter((call) => call.subagentId === fact.subagentId)
  return (
    own.find((call) => call.inputKey === fact.inputKey) ??
    own.find((call) => mayEqual(call.inputKey, fact.inputKey))
  )
}

/** Closes open activities whose end nobody will tell. */
export function closeCalls(run: HookRun, which: (call: Call) => boolean, failureKind: FailureKind): void {
  for (const call of run.memory.open.filter(which)) failCall(run, call, failureKind)
}

/** Tells that an activity came to nothing, without a hook of its own that says so. */
export function failCall(run: HookRun, call: Call, failureKind: FailureKind, errorMessage?: string): void {
  if (failureKind === 'permission_denied') closeRequestsAbout(run, call, 'the tool was denied', 'deny')
  else closeRequestsAbout(run, call, 'its activity was closed')
  const { ref, subagentId, startedAt, turnId } = call
  run.emitIn(
    turnId,
    {
      kind: 'activity.failed',
      activity: ref,
      duration_ms: Math.max(0, run.at - startedAt),
      ...(errorMessage !== undefined && { error_message: errorMessage }),
      failure_kind: failureKind,
      ...(subagentId !== undefined && { subagent_id: subagentId }),
    },
    { subagent: subagentId, lost: true },
  )
}

/** Closes what the agent had asked about a use of a tool: what became of that tells the answer. */
export function closeRequestsAbout(
  run: HookRun,
  call: Call,
  reason: string,
  decision?: 'allow' | 'deny',
): void {
  for (const request of run.memory.requests)
    if (request.activity?.id === call.ref.id) run.closeRequest(request, reason, decision)
}
