import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BridgeError } from './errors.ts'
import { encodeLine, LineSplitter } from './ndjson.ts'

function split(text: string, cuts: readonly number[], maxLineBytes = 1_000_000): string[] {
  const bytes = Buffer.from(text)
  const splitter = new LineSplitter(maxLineBytes)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).flatMap((end, index) => splitter.push(bytes.subarray(places[index], end)))
}

describe('splitting NDJSON', () => {
  test('gives the same lines wherever the stream is cut, also inside a character', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constant('a\u2028b\u2029c\u0085d'),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(fc.array(value), fc.array(fc.nat(5_000)), (values, cuts) => {
        const lines = split(values.map(encodeLine).join(''), cuts)
        expect(lines.map((line) => JSON.stringify(JSON.parse(line)))).toEqual(
          values.map((each) => JSON.stringify(each)),
        )
      }),
    )
  })

  test('takes CRLF, and keeps what is not finished', () => {
    const splitter = new LineSplitter(100)
    expect(splitter.push(Buffer.from('{"a":1}\r\n\n{"b"'))).toEqual(['{"a":1}', ''])
    expect(splitter.partial).toBe('{"b"')
  })

  test('refuses a line past the bound as soon as it is one, finished or not', () => {
    const refusal = new BridgeError('line_too_long', { maxBytes: 8 })
    expect(() => new LineSplitter(8).push(Buffer.from('123456789'))).toThrow(refusal)
    expect(() => new LineSplitter(8).push(Buffer.from('123456789\n'))).toThrow(refusal)
    const splitter = new LineSplitter(8)
    splitter.push(Buffer.from('1234'))
    expect(() => splitter.push(Buffer.from('56789'))).toThrow(refusal)
    expect(new LineSplitter(8).push(Buffer.from('12345678\n1'))).toEqual(['12345678'])
  })
})
