import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitWidth, padWidth, textWidth } from './text-width.ts'

test.each([
  ['', 0],
  ['plain', 5],
  ['◆ ⠙ ● ○ ▲ → … ⏎', 15],
  ['日本', 4],
  ['한국', 4],
  ['ｗｉｄｅ', 8],
  ['👍', 2],
  ['👩‍👩‍👧', 2],
  ['❤️', 2],
  ['e\u0301', 1],
  ['⌚', 2],
])('%j takes %i cells', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test.each([
  ['plain', 5, 'plain'],
  ['plain text', 7, 'plain…'],
  ['日本語', 4, '日…'],
  ['ab', 1, '…'],
  ['ab', 0, ''],
])('fits %j into %i cells as %j', (text, width, fitting) => {
  expect(fitWidth(text, width)).toBe(fitting)
})

test('what was fitted and padded is exactly as wide as asked', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '日', '👍', '◆', 'e\u0301') })
  fc.assert(
    fc.property(text, fc.nat(30), (value, width) => {
      expect(textWidth(padWidth(fitWidth(value, width), width))).toBe(width)
    }),
  )
})
