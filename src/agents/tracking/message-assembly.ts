/** Bounds of what is held of messages that are not whole yet, over all of them. */
const maxMessages = 20
const maxPieces = 2_000
const maxLength = 200_000

/** One piece of a message, as its hook has it. */
export interface Piece {
  readonly messageId: string
  readonly index: number
  readonly last: boolean
  readonly text: string
  readonly group: string | undefined
  readonly subagentId: string | undefined
}

interface Partial {
  readonly pieces: Map<number, string>
  readonly group: string | undefined
  readonly subagentId: string | undefined
  lastIndex: number | undefined
  length: number
  /** What it says was given out with the end of its turn. */
  covered: boolean
}

/** Puts messages together from pieces that may come in any order. */
export class MessageAssembly {
  readonly #partials = new Map<string, Partial>()

  /** Adds one piece; returns the text when its message is whole. A message past the bounds is cut short. */
  add(piece: Piece): string | undefined {
    const partial = this.#partials.get(piece.messageId) ?? {
      pieces: new Map<number, string>(),
      group: piece.group,
      subagentId: piece.subagentId,
      lastIndex: undefined,
      length: 0,
      covered: false,
    }
    this.#partials.set(piece.messageId, partial)
    const text = piece.text.slice(0, Math.max(0, maxLength - partial.length))
    if (!partial.pieces.has(piece.index) && partial.pieces.size < maxPieces) {
      partial.pieces.set(piece.index, text)
      partial.length += text.length
    }
    if (piece.last) partial.lastIndex = piece.index
    if (isWhole(partial)) {
      this.#partials.delete(piece.messageId)
      return textOf(partial)
    }
    this.#enforceBounds()
    return undefined
  }

  /**
   * Takes out what the main agent said of the turn that ends and never finished saying. What the turn's last
   * text holds is left, marked: its other pieces may still come, and are no news then.
   */
  takeUnfinished(group: string | undefined, lastText: string): string[] {
    const texts: string[] = []
    for (const [messageId, partial] of this.#partials) {
      const otherTurn = partial.group !== undefined && group !== undefined && partial.group !== group
      if (partial.covered || partial.subagentId !== undefined || otherTurn) continue
      const text = textOf(partial)
      if (lastText.includes(text.trim())) {
        partial.covered = true
      } else {
        this.#partials.delete(messageId)
        texts.push(text)
      }
    }
    return texts
  }

  #enforceBounds(): void {
    let length = 0
    for (const partial of this.#partials.values()) length += partial.length
    for (const [messageId, partial] of this.#partials) {
      if (this.#partials.size <= maxMessages && length <= maxLength) return
      this.#partials.delete(messageId)
      length -= partial.length
    }
  }
}

function isWhole({ pieces, lastIndex }: Partial): boolean {
  if (lastIndex === undefined) return false
  for (let index = 0; index <= lastIndex; index += 1) if (!pieces.has(index)) return false
  return true
}

function textOf({ pieces }: Partial): string {
  return [...pieces]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('')
}
