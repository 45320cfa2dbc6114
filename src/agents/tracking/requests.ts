import type { Fact } from '../adapter.ts'
import { isAbout, isSame, type Call } from './records.ts'
import { repeatMs } from './repetition.ts'
import type { HookRun } from './run.ts'
import { ensureTurn } from './turns.ts'

type RequestFact = Extract<Fact, { type: 'request' }>

/**
 * A permission the agent asks for. It belongs to the open activity with its input that nobody asked about yet;
 * where there is none, the same request within a second is the same one.
 */
export function takeRequest(run: HookRun, fact: RequestFact): void {
  const { memory, at } = run
  const { tool, kind = 'tool.unknown', summary = '', inputKey = '', subagentId } = fact
  const repeats = memory.requests.some(
    (open) =>
      (tool === undefined || (open.tool === tool && open.inputKey === inputKey)) &&
      open.subagentId === subagentId &&
      Math.abs(at - open.openedAt) <= repeatMs,
  )
  const known = fact.requestId !== undefined && memory.messages.has(fact.requestId)
  if (known || (fact.requestId === undefined && repeats && !findUnasked(run, fact))) return
  if (subagentId === undefined) ensureTurn(run)
  const call = findUnasked(run, fact)
  const activity =
    call?.ref ?? (tool === undefined ? undefined : { id: `act_${run.mintId()}`, kind, tool, summary })
  run.emitIn(
    run.turnOf(subagentId),
    {
      kind: 'permission.requested',
      request_id: fact.requestId ?? run.mintId(),
      ...(activity && { activity }),
      ...(fact.description !== undefined && { description: fact.description }),
    },
    {
      tool: tool ?? call?.ref.tool,
      call: tool === undefined ? fact.callId : undefined,
      input: tool === undefined ? call?.inputKey : inputKey,
      subagent: subagentId,
      message: fact.requestId,
    },
  )
}

/** The answer to a request, as the agent tells it. */
export function takeRequestAnswer(run: HookRun, fact: Extract<Fact, { type: 'request-answered' }>): void {
  const open = run.memory.requests.find((request) => request.requestId === fact.requestId)
  if (open) run.closeRequest(open, 'it was answered', fact.decision, fact.scope)
}

/** A question with its choices. An agent may tell one question by two hooks; it is one question. */
export function takeQuestion(run: HookRun, fact: Extract<Fact, { type: 'question' }>): void {
  const { memory } = run
  const { tool, inputKey, subagentId } = fact
  if (fact.retold && memory.asked.has(inputKey)) return
  if (fact.requestId !== undefined && memory.messages.has(fact.requestId)) return
  const asked = { tool, inputKey, subagentId }
  const started = memory.open.at(-1)
  // Its other hook came first: the activity that has just started is the question's.
  const known =
    started && memory.requests.some((open) => isSame(open, asked) && open.activity?.id === started.ref.id)
  if (known) return
  if (subagentId === undefined) ensureTurn(run)
  let question: string | undefined = fact.requestId ?? run.mintId()
  for (const { text, options } of fact.questions) {
    run.emitIn(
      run.turnOf(subagentId),
      { kind: 'agent.question', text, ...(options && { options: [...options] }) },
      { question, tool, input: inputKey, subagent: subagentId, message: fact.requestId },
    )
    question = undefined
  }
}

/** The answer to a question that is no use of a tool. */
export function takeAnswer(run: HookRun, fact: Extract<Fact, { type: 'question-answered' }>): void {
  const open = run.memory.requests.find(
    ({ kind, inputKey, requestId }) =>
      kind === 'question' &&
      (fact.requestId === undefined ? inputKey === fact.inputKey : requestId === fact.requestId),
  )
  if (!open) return
  run.answered = open.requestId
  run.closeRequest(open, 'it was answered')
}

function findUnasked({ memory }: HookRun, fact: RequestFact): Call | undefined {
  const { tool, inputKey = '', subagentId, callId } = fact
  const unasked = memory.open.filter(
    (call) => !memory.requests.some((request) => request.activity?.id === call.ref.id),
  )
  if (tool === undefined) {
    const own = unasked.filter((call) => call.subagentId === subagentId)
    return callId === undefined ? own.at(-1) : own.find((call) => call.callId === callId)
  }
  const free = unasked.filter((call) => isAbout({ tool, inputKey, subagentId }, call))
  return free.find((call) => callId !== undefined && call.callId === callId) ?? free[0]
}
