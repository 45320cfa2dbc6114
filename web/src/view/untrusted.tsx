import { beginningOf, splitVisible } from '../model/visible-text.ts'

/** Longest text put where it is clamped to one line, or to a few; more could not be seen there anyway. */
const maxLine = 400
const maxStart = 1_600

interface UntrustedProps {
  /** Text of an agent, a machine or a person: never markup, and nothing in it acts on the page. */
  readonly text: string
  /** `line`: its beginning, as one line; `start`: its beginning with its own lines; `whole`: all of it. */
  readonly show?: 'line' | 'start' | 'whole'
}

/**
 * Text nobody vouches for (bug case B55): text nodes only, in a direction of its own, with the characters made
 * visible that would hide something or reorder what stands around them.
 */
export function Untrusted({ text, show = 'line' }: UntrustedProps) {
  const { text: shown, isCut } = cut(text, show)
  return (
    <bdi>
      {splitVisible(shown).map((piece) =>
        piece.type === 'text' ? (
          piece.text
        ) : (
          <span class="hidden-character" title={piece.name}>
            {piece.text}
          </span>
        ),
      )}
      {isCut && '…'}
    </bdi>
  )
}

function cut(text: string, show: NonNullable<UntrustedProps['show']>): { text: string; isCut: boolean } {
  if (show === 'whole') return { text, isCut: false }
  const start = beginningOf(text.trim(), show === 'line' ? maxLine : maxStart)
  return show === 'line' ? { ...start, text: oneLine(start.text) } : start
}

/** Line ends as a sign: what follows them must not look like a line of its own. */
function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ⏎ ').replace(/\t/g, ' ')
}
