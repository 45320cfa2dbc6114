import fc from 'fast-check'
import { expect, test } from 'vitest'
import { styleFor } from './style.ts'
import { formatTable } from './table.ts'
import { textWidth } from './text-width.ts'

const cells = (rows: string[][]) => rows.map((row) => row.map((text) => ({ text })))

test('aligns columns and adds nothing at the ends of lines', () => {
  const rows = cells([
    ['◆', 'vint', '~/api'],
    ['○', 'codex-2', '日本'],
    ['●', 'x', ''],
  ])
  expect(formatTable(rows, styleFor({}))).toEqual(['◆  vint     ~/api', '○  codex-2  日本', '●  x'])
})

test('the widest columns give way on a narrow terminal, and no line is longer than it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'é', '日'), maxLength: 60 })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, word, word), { minLength: 1 }),
      fc.integer({ min: 30, max: 200 }),
      (rows, columns) => {
        const style = styleFor({ isTTY: true, columns }, { NO_COLOR: '1' })
        for (const line of formatTable(cells(rows), style))
          expect(textWidth(line)).toBeLessThanOrEqual(columns)
      },
    ),
  )
})

test('colour goes to a terminal only, and not with NO_COLOR', () => {
  const row = [[{ text: 'asks', hue: 'amber' as const }]]
  const terminal = { isTTY: true, columns: 80 }
  expect(formatTable(row, styleFor(terminal, {}))).toEqual(['\u001b[33masks\u001b[0m'])
  expect(formatTable(row, styleFor(terminal, { NO_COLOR: '1' }))).toEqual(['asks'])
  expect(formatTable(row, styleFor(terminal, { TERM: 'dumb' }))).toEqual(['asks'])
  expect(formatTable(row, styleFor({ isTTY: false }, {}))).toEqual(['asks'])
})
