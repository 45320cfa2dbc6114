import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chainedHash,
  decodeAuditLine,
  encodeAuditLine,
  genesisHash,
  maxLineBytes,
  statedHash,
} from './audit-line.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const detailOf = (detail: string) => {
  const { line } = encodeAuditLine(genesisHash, { at, identity: 'ada', action: 'a', detail })
  return decodeAuditLine(Buffer.from(line))?.detail
}

test('a line is time, identity, action, detail and hash', () => {
  const { line, hash } = encodeAuditLine(genesisHash, {
    at,
    identity: 'ada',
    action: 'send',
    detail: 'm1 to c1',
  })
  expect(line).toBe(`2026-01-02T03:04:05.006Z\tada\tsend\tm1 to c1\t${hash}`)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
})

test('the hash covers the hash before and every column', () => {
  const record = { at, identity: 'ada', action: 'send', detail: 'm1' }
  const hashes = [
    encodeAuditLine(genesisHash, record),
    encodeAuditLine('f'.repeat(64), record),
    encodeAuditLine(genesisHash, { ...record, at: at + 1 }),
    encodeAuditLine(genesisHash, { ...record, identity: 'adam' }),
    encodeAuditLine(genesisHash, { ...record, action: 'sent' }),
    encodeAuditLine(genesisHash, { ...record, detail: 'm2' }),
  ].map(({ hash }) => hash)
  expect(new Set(hashes).size).toBe(hashes.length)
})

test('nobody is "-"', () => {
  expect(encodeAuditLine(genesisHash, { at, identity: '', action: '', detail: '' }).line).toContain(
    'Z\t-\t-\t\t',
  )
})

describe('B55 what would forge a line or turn a terminal', () => {
  test.each([
    ['a\tb', 'a b'],
    ['a\r\nb', 'a  b'],
    ['a\0\u001b[2J\u007f\u009bb', 'a  [2J  b'],
    ['a\u2028b\u2029c', 'a b c'],
    ['gnp\u202e.exe\u2066', 'gnp .exe '],
    ['lone \ud800 half', 'lone \ufffd half'],
    ['héllo 🙂', 'héllo 🙂'],
  ])('%j is written as %j', (detail, written) => {
    expect(detailOf(detail)).toBe(written)
  })

  test('a forged line in a detail stays a detail', () => {
    const forged = 'x\n2026-01-01T00:00:00.000Z\tmaster\tlockdown\t\t' + genesisHash
    expect(detailOf(forged)).toBe(forged.replace(/[\n\t]/g, ' '))
  })
})

test('long columns are cut, also in the middle of a pair', () => {
  expect(detailOf('x'.repeat(2_000))).toHaveLength(2_000)
  expect(detailOf('x'.repeat(2_001))).toBe(`${'x'.repeat(1_999)}…`)
  expect(detailOf(`${'x'.repeat(1_998)}🙂🙂`)).toBe(`${'x'.repeat(1_998)}\ufffd…`)
})

test('any record is one line that can be read, chained and is short enough', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3_000 })
  fc.assert(
    fc.property(text, text, text, (identity, action, detail) => {
      const { line, hash } = encodeAuditLine(genesisHash, { at, identity, action, detail })
      const bytes = Buffer.from(line)
      expect(bytes.includes(0x0a)).toBe(false)
      expect(bytes.length).toBeLessThanOrEqual(maxLineBytes)
      expect(statedHash(bytes)).toBe(hash)
      expect(chainedHash(genesisHash, bytes)).toBe(hash)
      expect(Object.keys(decodeAuditLine(bytes) ?? {})).toEqual(['ts', 'identity', 'action', 'detail'])
    }),
  )
})

test.each([
  '',
  'x',
  genesisHash,
  `\t${genesisHash}`,
  `a\tb\tc\t${genesisHash}`,
  `a\tb\tc\td\te\t${genesisHash}`,
])('%j is no line', (line) => {
  expect(decodeAuditLine(Buffer.from(line))).toBeUndefined()
})
