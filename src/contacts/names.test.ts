import { expect, test } from 'vitest'
import { newId } from '../core/ids.ts'
import { generateName } from './names.ts'

test('names are words without spaces, and stay so when all words are taken', () => {
  const taken = new Set<string>()
  for (let n = 0; n < 400; n += 1) {
    const name = generateName(newId(), (candidate) => taken.has(candidate))
    expect(taken.has(name)).toBe(false)
    expect(name).toMatch(/^[a-z]+(-\d+)?$/)
    taken.add(name)
  }
})

test('the same id gets the same name', () => {
  expect(generateName('seed', () => false)).toBe(generateName('seed', () => false))
})
