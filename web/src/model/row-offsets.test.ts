import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowOffsets } from './row-offsets.ts'

const rowsOf = (...keys: string[]) => keys.map((key) => ({ key }))

test('rows are where their heights put them, measured or estimated', () => {
  const offsets = new RowOffsets(() => 10)
  offsets.setRows(rowsOf('a', 'b', 'c'))
  expect(offsets.total).toBe(30)
  expect(offsets.measure(1, 25.5)).toBe(true)
  expect(offsets.measure(1, 25.5)).toBe(false)
  expect([0, 1, 2, 3].map((index) => offsets.offsetOf(index))).toEqual([0, 10, 35.5, 45.5])
  expect([0, 9.9, 10, 35.4, 35.5, 1_000, -5].map((y) => offsets.indexAt(y))).toEqual([0, 0, 1, 1, 2, 2, 0])
})

test('a measured row keeps its height when rows come in front of it, and when it goes and comes back', () => {
  const offsets = new RowOffsets(() => 10)
  const [a, b] = rowsOf('a', 'b')
  if (!a || !b) throw new Error('there are no rows')
  offsets.setRows([a, b])
  offsets.measure(0, 40)
  offsets.setRows([...rowsOf('x', 'y'), a, b])
  expect(offsets.offsetOf(3)).toBe(60)
  offsets.setRows([b])
  expect(offsets.total).toBe(10)
  offsets.setRows([a, b])
  expect(offsets.total).toBe(50)
})

test('an empty list has no height, and its first row is row 0', () => {
  const offsets = new RowOffsets(() => 10)
  expect(offsets.total).toBe(0)
  expect(offsets.indexAt(50)).toBe(0)
})

test('gives the same offsets as adding up, whatever happened before', () => {
  const heights = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 90 })), { maxLength: 60 })
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 6 }),
      heights,
      (lengths, measured) => {
        const offsets = new RowOffsets(() => 10)
        const known = new Map<string, number>()
        for (const length of lengths) {
          const rows = rowsOf(...Array.from({ length }, (_, index) => `${index}`))
          offsets.setRows(rows)
          for (const [index, height] of measured.filter(([index]) => index < length)) {
            offsets.measure(index, height)
            known.set(`${index}`, height)
          }
          let top = 0
          for (const [index, row] of rows.entries()) {
            expect(offsets.offsetOf(index)).toBe(top)
            expect(rows.length === 0 ? 0 : offsets.indexAt(top)).toBe(index)
            top += known.get(row.key) ?? 10
          }
          expect(offsets.total).toBe(top)
        }
      },
    ),
  )
})
