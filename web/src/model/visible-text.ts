/** A piece of text as it is, or a character that would not show, or would change how others show. */
export type TextPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'mark'; readonly text: string; readonly name: string }

/** More combining marks on one character than any script needs; the rest is told as a number. */
const maxMarks = 6

/**
 * What must not act on a page or a reader (bug case B55): C0 and C1 controls but tab and newline, characters
 * that reorder or hide text, spaces without width, tags and fillers, unpaired surrogates; and heaps of
 * combining marks. Joiners are looked at apart, since emoji and several scripts need them.
 */
const suspects = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f]`,
    String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f]`,
    String.raw`[\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
    String.raw`\p{Surrogate}`,
    String.raw`\p{M}{${maxMarks + 1},}`,
  ].join('|'),
  'gu',
)

const zeroWidthJoiner = '\u200d'
const zeroWidthNonJoiner = '\u200c'

/** Splits text into what may be shown as it is and marks for what may not. */
export function splitVisible(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let shown = 0
  const show = (end: number) => {
    if (end > shown) pieces.push({ type: 'text', text: text.slice(shown, end) })
  }
  for (const match of text.matchAll(suspects)) {
    const [found] = match
    const end = match.index + found.length
    if (isNeededJoiner(text, match.index, found)) continue
    const isHeap = /^\p{M}{2}/u.test(found)
    show(isHeap ? match.index + lengthOfMarks(found) : match.index)
    pieces.push(isHeap ? heapMark(found) : markOf(found))
    shown = end
  }
  show(text.length)
  return pieces
}

/** The same as one string, for titles and labels, where there are no elements. */
export function visibleText(text: string): string {
  return splitVisible(text)
    .map((piece) => piece.text)
    .join('')
}

/** The beginning of a text that may be long, cut between characters, and whether it was cut. */
export function beginningOf(text: string, maxLength: number): { text: string; isCut: boolean } {
  if (text.length <= maxLength) return { text, isCut: false }
  const last = text.charCodeAt(maxLength - 1)
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength
  return { text: text.slice(0, end), isCut: true }
}

/** Controls by their short names, since few fonts have pictures of them; everything else by its number. */
function markOf(character: string): TextPiece {
  const code = character.codePointAt(0) ?? 0
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const short = code === 0x7f ? 'DEL' : (shortNames[code] ?? number)
  return { type: 'mark', text: `\u2039${short}\u203a`, name: `${number} ${longNames[code] ?? ''}`.trim() }
}

function heapMark(marks: string): TextPiece {
  const more = Array.from(marks).length - maxMarks
  return { type: 'mark', text: `\u2039+${more} marks\u203a`, name: `${more} more combining marks` }
}

function lengthOfMarks(marks: string): number {
  return Array.from(marks).slice(0, maxMarks).join('').length
}

/** Joiners between emoji, and between letters of scripts that are written joined. */
function isNeededJoiner(text: string, index: number, found: string): boolean {
  if (found !== zeroWidthJoiner && found !== zeroWidthNonJoiner) return false
  const before = text.slice(Math.max(0, index - 4), index)
  const after = text.slice(index + 1, index + 3)
  const joinsEmoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u.test(before)
  if (found === zeroWidthJoiner && joinsEmoji && /^\p{Extended_Pictographic}/u.test(after)) return true
  return /[\p{L}\p{M}]$/u.test(before) && /^[\p{L}\p{M}]/u.test(after) && !/[\p{Script=Latin}]$/u.test(before)
}

/** C0, from U+0000 on. */
const shortNames = (
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI ' +
  'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'
).split(' ')

/** What the ones met most often do. */
const longNames: Readonly<Record<number, string>> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0x9b: 'control sequence introducer',
  0xad: 'soft hyphen',
  0x200b: 'space without width',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'end of a direction',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'end of an isolate',
  0xfeff: 'space without width',
}
