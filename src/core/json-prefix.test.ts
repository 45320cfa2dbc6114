import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJsonPrefix } from './json-prefix.ts'

describe('reading the beginning of a JSON object', () => {
  test('keeps what is complete, and the beginning of a text that breaks off', () => {
    const text = '{"session_id":"S1","tool_input":{"command":"ls","n":1},"tool_response":"abc'
    expect(parseJsonPrefix(text)).toEqual({
      session_id: 'S1',
      tool_input: { command: 'ls', n: 1 },
      tool_response: 'abc',
    })
  })

  test.each([
    ['{"a":"x\\u00', { a: 'x' }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":12', {}],
    ['{"a":[1,2,{"b":true,"c":nul', { a: [1, 2, { b: true }] }],
    ['{"__proto__":{"x":1},"b":2', Object.fromEntries([['__proto__', { x: 1 }]])],
    ['{', {}],
  ])('%s', (text, expected) => {
    expect(parseJsonPrefix(text)).toEqual(expected)
  })

  test.each(['', '[1', 'null', '"a', 'x'])('refuses %j', (text) => {
    expect(parseJsonPrefix(text)).toBeUndefined()
  })

  test('reads a whole object as JSON.parse does, and never throws on a part of it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (object, cut) => {
          const text = JSON.stringify(object)
          expect(JSON.stringify(parseJsonPrefix(text))).toBe(JSON.stringify(JSON.parse(text)))
          parseJsonPrefix(text.slice(0, Math.floor(text.length * cut)))
        },
      ),
    )
  })

  test('survives nesting of any depth', () => {
    expect(parseJsonPrefix(`{"a":${'['.repeat(100_000)}`)).toBeDefined()
  })
})
