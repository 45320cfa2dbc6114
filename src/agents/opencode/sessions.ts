import type { Fact } from '../adapter.ts'
import { amountOf, fieldsOf, firstText, present } from '../fields.ts'
import { errorOf, event, maxLineLength } from '../reading.ts'
import type { OpenCodeReading } from './reading.ts'

/**
 * A session that is idle has no turn open. OpenCode says so by two events, and again after an abort, so this ends
 * a turn that is open and nothing else.
 */
export const turnEnd: Fact = { type: 'turn-end', cause: 'completed', onlyOpen: true, wordsTold: true }

export function readSessionStart(): Fact[] {
  return [event({ kind: 'session.started', cause: 'startup' })]
}

/** `busy` comes with every step of a turn, after the prompt that began it. */
export function readStatus({ fields }: OpenCodeReading): Fact[] {
  const status = fieldsOf(fields.status)
  if (status.type === 'idle') return [turnEnd]
  if (status.type !== 'retry') return []
  const message = firstText(status, ['message'], maxLineLength) ?? 'the model failed'
  const attempt = amountOf(status.attempt)
  return [{ type: 'retry', text: attempt === undefined ? message : `${message} (attempt ${attempt})` }]
}

/** Esc is an error of a turn here; an error that is no session's is only passed on. */
export function readError({ fields }: OpenCodeReading): Fact[] {
  const error = fieldsOf(fields.error)
  const name = firstText(error, ['name'], maxLineLength)
  const words = errorOf(fields.error) ?? errorOf(error.data)
  const errorMessage = [name, words].filter((part) => part !== undefined).join(': ')
  const told = present({ errorMessage: errorMessage === '' ? undefined : errorMessage })
  if (fields.sessionID === undefined && fields.sessionId === undefined && fields.session_id === undefined)
    return [event({ kind: 'notification', ...present({ text: told.errorMessage }) })]
  if (name === 'MessageAbortedError') return [{ type: 'turn-end', cause: 'aborted', onlyOpen: true }]
  return [{ type: 'turn-end', cause: 'error', onlyOpen: true, ...told }]
}
