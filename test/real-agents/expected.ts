/**
 * What a scenario must bring: names in order, separated by blanks. Names in braces may come in any order among
 * themselves, as in `Start {Read Count} End`: an agent runs the hooks of parallel work at the same time.
 */
export interface Expected {
  inOrder: string
  /**
   * Names that may land anywhere, since the agent does not wait for their hooks: one for each occurrence, or with a
   * plus sign where there may be any number but none.
   */
  anywhere?: string
}

/** Says how names differ from what was expected; undefined when they do not. */
export function difference(actual: readonly string[], expected: Expected): string | undefined {
  const loose = words(expected.anywhere ?? '')
  const many = loose.filter((word) => word.endsWith('+')).map((word) => word.slice(0, -1))
  const counted = loose.filter((word) => !word.endsWith('+'))
  const floated = actual.filter((name) => counted.includes(name))
  let fits = sameBag(floated, counted) && many.every((name) => actual.includes(name))
  const rest = actual.filter((name) => !counted.includes(name) && !many.includes(name))
  let at = 0
  for (const step of expected.inOrder.match(/\{[^}]*\}|\S+/g) ?? []) {
    const names = words(step.replaceAll(/[{}]/g, ''))
    fits &&= sameBag(rest.slice(at, at + names.length), names)
    at += names.length
  }
  if (fits && at === rest.length) return undefined
  const more = loose.length > 0 ? `; anywhere: ${loose.join(' ')}` : ''
  return `expected: ${expected.inOrder}${more}\n  came:     ${actual.join(' ')}`
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function sameBag(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join(' ') === other.toSorted().join(' ')
}
