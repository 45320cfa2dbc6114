import type { AgentEvent } from '../protocol/index.ts'
import type { Fact } from './adapter.ts'
import { clip, fieldsOf, firstText, textOf, type Fields } from './fields.ts'
import { inputKeyOf } from './input-key.ts'

/** Bounds in UTF-16 units: what a person or the agent said, what went wrong, a line of explanation, an id. */
export const maxTextLength = 100_000
const maxErrorLength = 2_000
export const maxLineLength = 500
export const maxIdLength = 256
export const maxDirectoryLength = 4_096
/** The blocks of one `assistant_text`, and the calls of one batch, that are read. */
export const maxBlocks = 50
export const maxCalls = 200

/** Everything a reader of one hook needs. */
export interface Reading {
  readonly agent: string
  readonly payload: Fields
  readonly truncated: boolean
}

/** An event that goes out as it is. */
export function event(value: AgentEvent): Fact {
  return { type: 'event', event: value }
}

/** A hook that says nothing the vocabulary has a word for. */
export function unknown({ truncated }: Reading): Fact {
  return event(truncated ? { kind: 'unknown', truncated } : { kind: 'unknown' })
}

/** Whether only the beginning of a hook was read. */
export function truncationOf({ truncated }: Reading): { truncated?: true } {
  return truncated ? { truncated } : {}
}

/** What tells a hook from others that are `unknown` too: two of them may still be two different ones. */
export function identityOf(type: string, payload: Fields, facts: readonly Fact[]): string | undefined {
  const isUnknown = facts.some((fact) => fact.type === 'event' && fact.event.kind === 'unknown')
  return isUnknown ? `${type}:${inputKeyOf(payload)}` : undefined
}

/** Why a session began, in the words that Claude Code and Codex share. */
export function sessionStartCauseOf(source: unknown) {
  switch (source) {
    case 'startup':
    case 'resume':
    case 'clear':
    case 'compact':
      return source
    default:
      return 'unknown'
  }
}

/** Who wanted the conversation to be summed up. */
export function triggerOf(trigger: unknown): { trigger?: 'auto' | 'manual' } {
  return trigger === 'auto' || trigger === 'manual' ? { trigger } : {}
}

/** An id of the agent's, bounded. */
export function idOf(value: unknown): string | undefined {
  const id = textOf(value)
  return id === undefined ? undefined : id.slice(0, maxIdLength)
}

/** What went wrong, in the agent's words, bounded. */
export function errorOf(value: unknown): string | undefined {
  const text = textOf(value) ?? firstText(fieldsOf(value), ['message', 'error'], maxErrorLength)
  return text === undefined ? undefined : clip(text, maxErrorLength)
}
