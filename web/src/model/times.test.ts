import { describe, expect, test } from 'vitest'
import {
  dayOf,
  formatAgo,
  formatDay,
  formatDuration,
  formatElapsed,
  formatExact,
  formatSeconds,
  formatTime,
} from './times.ts'

describe('a duration has as much precision as it deserves', () => {
  test.each([
    [0, '0 ms'],
    [8.4, '8 ms'],
    [999.6, '1.0 s'],
    [1_234, '1.2 s'],
    [9_949, '9.9 s'],
    [9_951, '10 s'],
    [59_400, '59 s'],
    [59_600, '1m 00s'],
    [80_000, '1m 20s'],
    [3_599_600, '1h 00m'],
    [7_500_000, '2h 05m'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  test.each([
    [-3, '0 s'],
    [7_900, '7 s'],
    [80_400, '1m 20s'],
  ])('%d ms of something that goes on is %s', (ms, text) => {
    expect(formatElapsed(ms)).toBe(text)
  })
})

test.each([
  [4_999, 'now'],
  [12_000, '12s'],
  [3_599_000, '59m'],
  [3_600_000, '1h'],
  [180_000_000, '2d'],
])('%d ms ago is %s', (ms, text) => {
  expect(formatAgo(ms)).toBe(text)
})

test('times of day are local and padded, and a hover knows everything', () => {
  const ts = new Date(2026, 10, 30, 9, 5, 7, 42).getTime()
  expect(formatTime(ts)).toBe('09:05')
  expect(formatSeconds(ts)).toBe('09:05:07')
  expect(formatExact(ts)).toContain('2026-11-30 09:05:07.042')
})

test('a day is named by how near it is', () => {
  const now = new Date(2026, 10, 30, 12).getTime()
  expect(formatDay(new Date(2026, 10, 30, 0, 0).getTime(), now)).toBe('Today')
  expect(formatDay(new Date(2026, 10, 29, 23, 59).getTime(), now)).toBe('Yesterday')
  expect(formatDay(new Date(2026, 10, 20).getTime(), now)).not.toContain('2026')
  expect(formatDay(new Date(2025, 10, 20).getTime(), now)).toContain('2025')
})

test('a day begins and ends at local midnight', () => {
  const { start, end } = dayOf(new Date(2026, 10, 30, 15).getTime())
  expect(new Date(start).getHours()).toBe(0)
  expect(dayOf(end - 1).start).toBe(start)
  expect(dayOf(end).start).toBe(end)
})
