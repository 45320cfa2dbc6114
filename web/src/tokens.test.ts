import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contrastOf } from './contrast.ts'

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for what tells a control or its state apart. */
const textContrast = 4.5
const shapeContrast = 3

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const pairs = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
)

const grounds = ['ground', 'surface', 'hover', 'selected', 'inset']
const words = ['text', 'text-soft', 'text-faint', 'accent', 'asks', 'failed', 'done']

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const contrast = (front: string, ground: string) =>
    contrastOf(pairs.get(front)?.[theme] ?? '', pairs.get(ground)?.[theme] ?? '')

  test.each(words.flatMap((word) => grounds.map((ground) => [word, ground] as const)))(
    '%s can be read on %s',
    (word, ground) => {
      expect(contrast(word, ground)).toBeGreaterThanOrEqual(textContrast)
    },
  )

  test.each([
    ['on-accent', 'accent'],
    ['asks', 'asks-ground'],
    ['text', 'asks-ground'],
    ['text-soft', 'asks-ground'],
    ['text-faint', 'asks-ground'],
  ])('%s can be read on %s', (word, ground) => {
    expect(contrast(word, ground)).toBeGreaterThanOrEqual(textContrast)
  })

  test.each([
    ['line-strong', 'surface'],
    ['accent', 'surface'],
    ['accent', 'ground'],
    ['accent', 'selected'],
  ])('%s can be told from %s', (shape, ground) => {
    expect(contrast(shape, ground)).toBeGreaterThanOrEqual(shapeContrast)
  })
})

test('every colour is a pair, so that no theme lacks one', () => {
  const colours = [...css.matchAll(/--([\w-]+): [^;]*#/g)].map(([, name]) => name)
  expect(colours).toEqual([...pairs.keys()])
})

test('contrast is computed as WCAG says', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
