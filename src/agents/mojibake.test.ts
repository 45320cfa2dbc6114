import { expect, test } from 'vitest'
import { BridgeError } from '../core/errors.ts'
import { repairStrings } from './mojibake.ts'

const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
const windows1252 = new TextDecoder('windows-1252')
const cp1252 = (text: string) => windows1252.decode(Buffer.from(text, 'utf8'))

test.each([
  'don’t',
  '“quoted”',
  'a—b – c',
  'and so on…',
  '• item',
  'no\u00a0break',
  '\u2028\u200b',
  '‰ ′ ‹›',
])('%j is repaired however its UTF-8 was misread', (text) => {
  expect(repairStrings(latin1(text))).toBe(text)
  expect(repairStrings(cp1252(text))).toBe(text)
})

test.each(['plain', 'âme', 'château', 'Â', 'â€', 'äöü ß', '€ 5', 'don’t', '日本語 😀', ''])(
  '%j is left as it is',
  (text) => {
    expect(repairStrings(text)).toBe(text)
  },
)

test('what needs no repair is handed back, not copied', () => {
  const body = { a: [{ b: 'c' }, 1, null, true], d: 'e' }
  expect(repairStrings(body)).toBe(body)
})

test('only what was repaired is copied, and nothing is changed in place', () => {
  const kept = { text: 'fine' }
  const body = { prompt: cp1252('don’t'), list: [kept, cp1252('…')] }
  const repaired = repairStrings(body)
  expect(repaired).toEqual({ prompt: 'don’t', list: [kept, '…'] })
  expect(repaired.list[0]).toBe(kept)
  expect(body.prompt).not.toBe('don’t')
})

test('a field named __proto__ stays a field', () => {
  const body: unknown = JSON.parse(`{"__proto__": {"text": "${cp1252('’')}"}}`)
  expect(JSON.stringify(repairStrings(body))).toBe('{"__proto__":{"text":"’"}}')
})

test('B20 a body nested 5,000 deep is refused, not a stack overflow', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep: unknown = JSON.parse(`${open.repeat(5_000)}1${close.repeat(5_000)}`)
    expect(() => repairStrings(deep)).toThrow(new BridgeError('body_too_deep', { maxDepth: 64 }))
    expect(repairStrings(JSON.parse(`${open.repeat(64)}1${close.repeat(64)}`))).toBeDefined()
    expect(() => repairStrings(JSON.parse(`${open.repeat(65)}1${close.repeat(65)}`))).toThrow('64 levels')
  }
})
