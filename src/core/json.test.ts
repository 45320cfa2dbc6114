import { describe, expect, test } from 'vitest'
import { parseJson } from './json.ts'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('JSON from outside', () => {
  test('is read as it is', () => {
    expect(parseJson('{"a":[1,null,{"b":"c"}]}')).toEqual({ a: [1, null, { b: 'c' }] })
    expect(parseJson(nested(64))).toBeInstanceOf(Array)
  })

  test.each(['', '{', '{"a":}', 'undefined', '\u0000'])('%j is no JSON', (text) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'invalid_json' }))
  })

  test.each([65, 5_000, 400_000])('B20 %d levels are refused, and the stack holds', (levels) => {
    const refused = expect.objectContaining({ code: 'body_too_deep', status: 400 })
    expect(() => parseJson(nested(levels))).toThrow(refused)
    expect(() => parseJson(`{"payload":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`)).toThrow(refused)
  })
})
