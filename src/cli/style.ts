/** The colours that carry a meaning; none is ever the only sign of it. */
export type Hue = 'amber' | 'red' | 'green' | 'blue' | 'grey' | 'bold'

const codes: Readonly<Record<Hue, string>> = {
  amber: '33',
  red: '31',
  green: '32',
  blue: '94',
  grey: '90',
  bold: '1',
}

/** How a stream is written to: with or without colour, and how wide it is. */
export interface Style {
  /** Cells of a line; undefined when nobody looks at it and lines may be as long as they are. */
  readonly columns: number | undefined
  paint(hue: Hue | undefined, text: string): string
}

/** The style for a stream: colour and a width only on a terminal, and no colour with `NO_COLOR`. */
export function styleFor(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>> = process.env,
): Style {
  const coloured = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return {
    get columns() {
      return stream.isTTY === true ? stream.columns || 80 : undefined
    },
    paint: (hue, text) =>
      coloured && hue !== undefined && text !== '' ? `\u001b[${codes[hue]}m${text}\u001b[0m` : text,
  }
}
