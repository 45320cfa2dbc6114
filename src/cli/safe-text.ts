/**
 * Characters that could steer a terminal or mislead its reader (bug case B55): C0 and C1 controls with DEL, line
 * and paragraph separators, marks and overrides of writing direction, invisible characters and tags.
 */
const unsafe =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** More marks on one character than any script uses pile up over the lines above. */
const markPile = /(\p{M}{4})\p{M}+/gu

/**
 * Foreign text as one line that only prints: what is not printable is shown as a symbol or its code, so that
 * nothing is hidden, and the length is bounded.
 *
 * @param maxLength in characters; what is cut off is marked with `…`
 */
export function safeLine(text: string, maxLength = 2_000): string {
  const head = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return head
    .toWellFormed()
    .replace(/\r\n?|\n/g, '⏎ ')
    .replace(/\t/g, ' ')
    .replace(unsafe, show)
    .replace(markPile, '$1')
    .trimEnd()
}

/** JSON of a value without a raw character that could steer a terminal; it reads as the same value. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unsafe, (character) =>
    character === '\n' ? character : escapeUnits(character),
  )
}

function show(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return escapeUnits(character)
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, '0')
    return `\\u${unit}`
  }).join('')
}
