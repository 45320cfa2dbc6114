import { expect, test } from 'vitest'
import { formatAge, formatCount, formatDuration } from './amounts.ts'
import { parseSpan } from './spans.ts'

const minute = 60_000
const hour = 60 * minute

test.each([
  [0, '0s'],
  [4, '4ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [1_249, '1.2s'],
  [9_940, '9.9s'],
  [9_960, '10s'],
  [59_900, '59s'],
  [minute, '1m'],
  [80_000, '1m 20s'],
  [2 * hour + 3 * minute, '2h 3m'],
  [76 * hour, '3d 4h'],
])('%i ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('ages, counts and spans', () => {
  expect([59_000, 5 * minute, 2 * hour, 80 * hour].map((ms) => formatAge(0, ms))).toEqual([
    'now',
    '5m',
    '2h',
    '3d',
  ])
  expect([0, 999, 1_234, 1_234_567].map(formatCount)).toEqual(['0', '999', '1,234', '1,234,567'])
  expect(['45s', '90m', '12h', '30d'].map((span) => parseSpan('--expires', span))).toEqual([
    45, 5_400, 43_200, 2_592_000,
  ])
})

test.each(['', '0d', '-1d', '30', '1.5h', '3w', '30d '])('refuses the span %j', (span) => {
  expect(() => parseSpan('--expires', span)).toThrow('--expires takes a span such as 30d, 12h or 90m.')
})
