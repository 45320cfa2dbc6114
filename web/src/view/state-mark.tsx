import { contactStates, type ContactState } from '../../../src/client/index.ts'

/** The glyph of each state, drawn so that all have one size and weight in every font. */
const shapes: Readonly<Record<ContactState, string>> = {
  asks: 'M8 1.5 14.5 8 8 14.5 1.5 8Z',
  failed: 'M8 2 15 14H1Z',
  done: 'M8 3a5 5 0 1 1 0 10a5 5 0 0 1 0-10Z',
  working: 'M8 3a5 5 0 1 1 0 10a5 5 0 0 1 0-10Z',
  idle: 'M8 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8Z',
  offline: 'M8 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8Z',
}

/** A state as its glyph in its hue. The word always stands beside it, so it says nothing to a screen reader. */
export function StateMark({ state }: { state: ContactState }) {
  return (
    <svg class={`mark is-${state}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={shapes[state]} />
    </svg>
  )
}

/** The word of a state, in its hue. */
export function StateWord({ state }: { state: ContactState }) {
  return <span class={`word is-${state}`}>{contactStates[state].word}</span>
}
