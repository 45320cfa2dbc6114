/** Letters, punctuation, arrows, boxes and the glyphs of the bridge: one cell each, and nothing that combines. */
const simple =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc\u2800-\u28ff]*$/
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
/** East Asian wide and fullwidth ranges of Unicode, as far as terminals agree on them. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u

/** Made when first needed: it takes longer to make than `bridge status` has. */
let segmenter: Intl.Segmenter | undefined

/** How many cells of a terminal `text` takes. It must be printable; see {@link ./safe-text.ts}. */
export function textWidth(text: string): number {
  if (simple.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment)
  return width
}

/** `text` cut to `maxWidth` cells, the last of them `…` when something is missing. */
export function fitWidth(text: string, maxWidth: number): string {
  if (textWidth(text) <= maxWidth) return text
  let width = 0
  let fitting = ''
  for (const { segment } of graphemes(text)) {
    width += graphemeWidth(segment)
    if (width > maxWidth - 1) break
    fitting += segment
  }
  return maxWidth > 0 ? `${fitting.trimEnd()}…` : ''
}

/** `text` with blanks behind it up to `width` cells. */
export function padWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

function graphemes(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{M}+$/u.test(grapheme)) return 0
  return emoji.test(grapheme) || wide.test(grapheme) ? 2 : 1
}
