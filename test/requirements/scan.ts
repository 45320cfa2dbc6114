/** What one test file says about requirements. */
export interface Scan {
  /** Ids named by tests that run. */
  readonly verified: readonly string[]
  /** Ids named only behind `.skip` or `.todo`, which proves nothing. */
  readonly skipped: readonly string[]
  /** Arguments of `verifies` that are no plain string, so that nobody can tell which id they name. */
  readonly unreadable: readonly string[]
}

const commentOrString = /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const call = /\bverifies\(([^)]*)\)/g
const testStart = /\b(?:test|it|describe)((?:\.\w+)*)(?:<[^()]*>)?\(/g
const plainString = /^(['"`])([^'"`$\\]*)\1$/

/**
 * Reads the `verifies('…', …)` calls of a test file out of its text, over line breaks, and not in comments.
 * Ids hold neither commas nor brackets, which is why a pattern is enough and a parser is not needed. A test
 * counts as skipped by its own `.skip` or `.todo`; one inside `describe.skip` is not noticed.
 */
export function scanCalls(text: string): Scan {
  const code = text.replace(commentOrString, (match) => (match.startsWith('/') ? ' ' : match))
  const starts = [...code.matchAll(testStart)]
  const scan = { verified: [] as string[], skipped: [] as string[], unreadable: [] as string[] }
  for (const match of code.matchAll(call)) {
    const modifiers = starts.findLast((start) => start.index < match.index)?.[1] ?? ''
    const runs = !/\.(?:skip|todo)\b/.test(modifiers)
    for (const argument of (match[1] ?? '').split(',').map((part) => part.trim())) {
      const id = plainString.exec(argument)?.[2]
      if (id !== undefined) (runs ? scan.verified : scan.skipped).push(id)
      else if (argument !== '') scan.unreadable.push(argument)
    }
  }
  return scan
}
