/**
 * The candidate a mistyped `word` was probably meant to be: equal but for case and separators, or few edits
 * away (a third of its length, at most 3).
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word)
  const bound = Math.min(3, Math.ceil(wanted.length / 3))
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate), bound)
    if (distance <= bound && (best === undefined || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '')
}

/** Levenshtein distance with transpositions; anything over `bound` may come back as `bound + 1`. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) return bound + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(substituted, at(last, j) + 1, at(row, j - 1) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
