/** A row as `node:sqlite` returns it. */
export type Row = Record<string, unknown>

/** A text column that is never null. */
export function textOf(row: Row | undefined, column: string): string {
  const value = row?.[column]
  if (typeof value !== 'string') throw new TypeError(`column ${column} holds no text`)
  return value
}

/** A text column that may be null. */
export function optionalTextOf(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : textOf(row, column)
}

/** A number column that is never null. */
export function numberOf(row: Row | undefined, column: string): number {
  const value = row?.[column]
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw new TypeError(`column ${column} holds no number`)
  return Number(value)
}
