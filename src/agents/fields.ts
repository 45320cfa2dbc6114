/** The fields of a body nobody vouches for. */
export type Fields = Readonly<Record<string, unknown>>

const noFields: Fields = {}

/** The value as an object with fields; one without any when it is something else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : noFields
}

/** Whether the value is an object, and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a list; an empty one when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value when it is a text with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The value when it is a number from 0 up, such as a duration. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** At most `maxLength` UTF-16 units, with `…` for what was cut off; no character is cut in half. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = isHighSurrogate(text.charCodeAt(maxLength - 2)) ? maxLength - 2 : maxLength - 1
  return `${text.slice(0, cut)}…`
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** The first of the named fields that is a text, bounded. */
export function firstText(fields: Fields, names: readonly string[], maxLength: number): string | undefined {
  for (const name of names) {
    const text = textOf(fields[name])
    if (text !== undefined) return clip(text, maxLength)
  }
  return undefined
}

/** The same without the fields that have no value, as optional fields want it. */
export function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> }
export function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The value at a dotted path, such as `tool_response.error`. */
export function fieldAt(fields: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => ownField(fieldsOf(value), name), fields)
}

function ownField(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
