import type { AgentEvent } from '../../../src/protocol/index.ts'
import type { RequestAnswer, Step, StepBody, Turn } from '../model/steps.ts'
import type { IconName } from './icon.tsx'

/** The drawing of a step. */
export function iconOf({ body }: Step): IconName {
  switch (body.type) {
    case 'activity':
      return body.activity.kind
    case 'text':
      return body.from === 'user' ? 'user' : 'speech'
    case 'request':
      return body.activity?.kind ?? 'question'
    case 'session':
    case 'offline':
      return 'power'
    default:
      return icons[body.type]
  }
}

const icons = {
  question: 'question',
  todo: 'todo.write',
  subagent: 'subagent.spawn',
  compaction: 'fold',
  notification: 'bell',
  thinking: 'thought',
  continued: 'again',
  inbound: 'inbound',
  control: 'dial',
  gap: 'gap',
  unknown: 'dial',
} as const satisfies Partial<Record<StepBody['type'], IconName>>

/** How a request ended, or that it is open. */
export function answerWords(answer: RequestAnswer | undefined): string {
  if (!answer) return 'waits for an answer'
  const { decision, scope } = answer
  if (decision === 'deny') return 'denied'
  if (decision === 'allow')
    return scope && scope !== 'unknown' ? `allowed, ${scopeWords[scope] ?? scope}` : 'allowed'
  return answer.reason ?? 'closed without an answer'
}

const scopeWords: Readonly<Record<string, string>> = {
  once: 'once',
  session: 'for the session',
  always: 'always',
}

/** How a session began or ended, beside the words that say that it did. */
export const sessionCauses: Readonly<Record<string, string>> = {
  resume: 'resumed',
  clear: 'cleared',
  compact: 'after compacting',
  completed: 'its work was done',
  aborted: 'it was stopped',
  error: 'it failed',
  window_close: 'its window was closed',
  user_close: 'it was closed',
}

/** Why a turn began without a prompt of a person. */
export const turnCauses: Readonly<
  Record<NonNullable<Extract<AgentEvent, { kind: 'turn.started' }>['cause']>, string>
> = {
  prompt: 'a prompt',
  queued: 'a queued prompt',
  continued: 'goes on with its turn',
  background: 'a background task came back',
}

/** How a turn ended, where that is worth a word. */
export function outcomeWords(turn: Turn): string | undefined {
  if (turn.outcome === 'error') return 'failed'
  if (turn.outcome === 'aborted') return 'interrupted'
  if (turn.outcome === 'unknown') return turn.endedAt === undefined ? undefined : 'end not seen'
  return undefined
}

export const failureWords = {
  timeout: 'timed out',
  error: 'failed',
  permission_denied: 'not allowed',
  interrupted: 'interrupted',
  unknown: 'failed',
} as const

/** A count with its noun. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
}
