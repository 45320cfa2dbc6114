import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import { safeJson, safeLine } from './safe-text.ts'

// What a terminal acts on, spelled apart from the code under test.
const steering = (code: number) =>
  code < 0x20 ||
  (code >= 0x7f && code <= 0x9f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069) ||
  code === 0x2028 ||
  code === 0x2029
const steeringIn = (text: string) =>
  Array.from(text)
    .filter((character) => steering(character.codePointAt(0) ?? 0))
    .map((one) => JSON.stringify(one))

const anyText = fc.string({ unit: 'binary', maxLength: 300 })

describe('safeLine', () => {
  test.each([
    ['\u001b[2J\u001b]0;x\u0007', '␛[2J␛]0;x␇'],
    ['\u009b31m', '\\u009b31m'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['one\r\n12:00:00 forged\nline\rend', 'one⏎ 12:00:00 forged⏎ line⏎ end'],
    ['a\tb\u0000c\u007f', 'a b␀c␡'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    [`tag${String.fromCodePoint(0xe0041)}`, 'tag\\udb40\\udc41'],
    ['\ud800 alone', '\ufffd alone'],
    [`<img src=x onerror="fetch('//x')">`, `<img src=x onerror="fetch('//x')">`],
    ['日本 👩‍👩‍👧 café', '日本 👩‍👩‍👧 café'],
  ])('shows %j as %j' + verifies('B55'), (text, shown) => {
    expect(safeLine(text)).toBe(shown)
  })

  test('bounds length and piled marks', () => {
    expect(safeLine('x'.repeat(100_000)).length).toBe(2_001)
    expect(safeLine(`a${'\u0301'.repeat(200)}b`)).toBe(`a${'\u0301'.repeat(4)}b`)
  })

  test('never lets a steering character through, and stays one line', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(steeringIn(safeLine(text))).toEqual([])
      }),
    )
  })
})

describe('safeJson', () => {
  test('reads as the same value, and steers nothing', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = safeJson(value, indent)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(steeringIn(text.replaceAll('\n', ''))).toEqual([])
        expect(text.split('\n').length === 1 || indent !== undefined).toBe(true)
      }),
    )
  })
})
