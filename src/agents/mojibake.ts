import { BridgeError } from '../core/errors.ts'

/** No agent nests its hooks anywhere near this deep (bug case B20 has 5,000 levels). */
const defaultMaxDepth = 64

/** What Windows-1252 has for the bytes 0x80 to 0x9F, in their order; the five it lacks stand for themselves. */
const highBytes = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const byteOf: ReadonlyMap<string, number> = new Map([
  ...Array.from(highBytes, (character, index): [string, number] => [character, 0x80 + index]),
  // Latin-1 has a character of the same number for each byte.
  ...Array.from({ length: 0x40 }, (_, index): [string, number] => [
    String.fromCharCode(0x80 + index),
    0x80 + index,
  ]),
])

/**
 * UTF-8 read as Windows-1252 or Latin-1: the punctuation from U+2000 to U+203F (bytes E2 80 xx), and the
 * no-break space (C2 A0).
 */
const damage = new RegExp(
  `\\u00e2[\\u20ac\\u0080]([\\u0080-\\u00bf${highBytes.replace(/[\u0080-\u00bf]/g, '')}])|\\u00c2\\u00a0`,
  'g',
)

/**
 * The same value with all its texts repaired whose UTF-8 was read as Windows-1252 or Latin-1 on the way here:
 * "donâ€™t" becomes "don’t". A value without such texts is returned itself, not copied.
 *
 * @param maxDepth how many objects and lists may be nested in one another
 * @throws BridgeError `body_too_deep`
 */
export function repairStrings<T>(value: T, maxDepth?: number): T
export function repairStrings(value: unknown, maxDepth = defaultMaxDepth): unknown {
  return repair(value, maxDepth, maxDepth)
}

function repair(value: unknown, levelsLeft: number, maxDepth: number): unknown {
  if (typeof value === 'string') return repairText(value)
  if (typeof value !== 'object' || value === null) return value
  if (levelsLeft === 0) throw new BridgeError('body_too_deep', { maxDepth })
  return Array.isArray(value)
    ? repairList(value, levelsLeft - 1, maxDepth)
    : repairFields(value, levelsLeft - 1, maxDepth)
}

function repairList(list: readonly unknown[], levelsLeft: number, maxDepth: number): readonly unknown[] {
  let copy: unknown[] | undefined
  for (const [index, item] of list.entries()) {
    const repaired = repair(item, levelsLeft, maxDepth)
    if (repaired === item) continue
    copy ??= [...list]
    copy[index] = repaired
  }
  return copy ?? list
}

function repairFields(fields: object, levelsLeft: number, maxDepth: number): object {
  let copy: object | undefined
  for (const [name, field] of Object.entries(fields)) {
    const repaired = repair(field, levelsLeft, maxDepth)
    if (repaired === field) continue
    copy ??= { ...fields }
    // Not by assignment: a body may have a field named `__proto__`.
    Object.defineProperty(copy, name, {
      value: repaired,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return copy ?? fields
}

function repairText(text: string): string {
  // Nearly no text has either; looking for them is far cheaper than the expression.
  if (!text.includes('\u00e2') && !text.includes('\u00c2\u00a0')) return text
  return text.replace(damage, (_, third: string | undefined) =>
    third === undefined ? '\u00a0' : String.fromCharCode(0x2000 + ((byteOf.get(third) ?? 0) - 0x80)),
  )
}
