import type { Hue, Style } from './style.ts'
import { fitWidth, padWidth, textWidth } from './text-width.ts'

/** One cell: printable text, and its colour. */
export interface Cell {
  readonly text: string
  readonly hue?: Hue | undefined
}

const gap = '  '

/**
 * Rows in aligned columns. On a terminal that is too narrow the widest column gives way, never below `minWidth`.
 */
export function formatTable(rows: readonly (readonly Cell[])[], style: Style, minWidth = 8): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, textWidth(cell.text))
    }
  }
  if (style.columns !== undefined) shrink(widths, style.columns, minWidth)
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0
        const text = fitWidth(cell.text, width)
        return style.paint(cell.hue, index === row.length - 1 ? text : padWidth(text, width))
      })
      .join(gap)
      .trimEnd(),
  )
}

function shrink(widths: number[], columns: number, minWidth: number): void {
  const total = () => widths.reduce((sum, width) => sum + width + gap.length, -gap.length)
  while (total() > columns) {
    const widest = Math.max(...widths)
    if (widest <= minWidth) return
    const index = widths.indexOf(widest)
    const others = Math.max(minWidth, ...widths.filter((_, other) => other !== index))
    const excess = total() - columns
    widths[index] = Math.max(minWidth, widest - excess, Math.min(others, widest - 1))
  }
}
