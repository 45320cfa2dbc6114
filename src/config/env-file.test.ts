import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outcomeOf } from '../../test/fixtures/outcome.ts'
import { parseEnvFile, readEnvFile } from './env-file.ts'

const valuesOf = (text: string) =>
  Object.fromEntries([...parseEnvFile(text, '.env')].map(([name, { value }]) => [name, value]))

test.each([
  ['A=1', { A: '1' }],
  ['  A = 1  ', { A: '1' }],
  ['export A=1', { A: '1' }],
  ['A=', { A: '' }],
  ['A="two words"', { A: 'two words' }],
  ["A='two words'", { A: 'two words' }],
  ['A="say \\"hi\\"\\n\\\\ \\d"', { A: 'say "hi"\n\\ \\d' }],
  ["A='no \\n here'", { A: 'no \\n here' }],
  ['A=b#c', { A: 'b#c' }],
  ['A=b # c', { A: 'b' }],
  ['A=# c', { A: '' }],
  ['A="b # c" # d', { A: 'b # c' }],
  ['A=b=c', { A: 'b=c' }],
  ["A=it's", { A: "it's" }],
  ['# A=1\n\n   # x\nB=2', { B: '2' }],
  ['A=1\r\nB=2\r\n', { A: '1', B: '2' }],
  ['\uFEFFA=1', { A: '1' }],
  ['A=1\nA=2', { A: '2' }],
  ['', {}],
])('%j', (text, expected) => {
  expect(valuesOf(text)).toEqual(expected)
})

test('a value knows its line', () => {
  expect(parseEnvFile('# one\n\nA=1', '.env').get('A')).toEqual({ value: '1', line: 3 })
})

test.each([
  ['A=1\nnonsense', '.env:2: this line: must be NAME=value, or a comment that begins with #'],
  ['1A=1', '.env:1: this line: must be NAME=value, or a comment that begins with #'],
  ['A="open', '.env:1: A: has a quote that is not closed, or text behind the closing one'],
  ["A='a'b", '.env:1: A: has a quote that is not closed, or text behind the closing one'],
])('%j is refused by its line', (text, message) => {
  expect(() => parseEnvFile(text, '.env')).toThrow(message)
})

test('any text is read or refused, never a crash', () => {
  const line = fc.oneof(fc.string(), fc.constantFrom('A=', 'export ', '"', "'", '\\', '#', '\n', '\0', '='))
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      expect(['read', 'config_invalid']).toContain(outcomeOf(() => parseEnvFile(lines.join(''), '.env')))
    }),
  )
})

test('a missing file is an empty one, a directory is an error', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bridge-env-'))
  expect(readEnvFile(join(directory, '.env')).size).toBe(0)
  mkdirSync(join(directory, '.env'))
  expect(() => readEnvFile(join(directory, '.env'))).toThrow('cannot be read: it is a directory, not a file')
})
