/** Marks by piece of work. */
export type Marks = Readonly<Record<string, readonly string[]>>

/**
 * What is promised and not built yet, by the piece of work that will build it. A mark is an id, or
 * everything below a path (`A:http.*`, `C:*`). Take a mark away together with the first test that verifies
 * it; the gate in `requirements.test.ts` asks for it, and says what a wider mark must shrink to.
 */
export const pending: Marks = {
  'issue 4': ['B01', 'B03', 'B04', 'B05', 'B06', 'B08', 'B09', 'B10', 'B13', 'B14'],
  'issue 5': ['D:*', 'B27', 'B28', 'B29', 'B30', 'B31', 'B32', 'B35', 'B37', 'B38', 'B40', 'B41'],
  'issue 6': ['A:verdict.*', 'B49', 'B50'],
  'issue 7': ['B:*', 'B43'],
  'later: peer plugins': ['C:*', 'B42', 'B44', 'B46', 'B48'],
  'later: phone app': ['B58'],
}

/** True when a mark, an id or a path ending in `*`, covers the id. */
export function covers(mark: string, id: string): boolean {
  return mark.endsWith('*') ? id.startsWith(mark.slice(0, -1)) : mark === id
}
