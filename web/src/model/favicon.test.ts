import { expect, test } from 'vitest'
import { faviconFor, titleFor } from './favicon.ts'

test('a tab says whether anybody asks', () => {
  expect(titleFor(0)).toBe('Agent Bridge')
  expect(titleFor(2)).toBe('◆ 2 · Agent Bridge')
  expect(decodeURIComponent(faviconFor(2))).toContain('>2</text>')
  expect(decodeURIComponent(faviconFor(12))).toContain('>9+</text>')
  expect(decodeURIComponent(faviconFor(0))).not.toContain('text')
})
