import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subscriberText } from './frame-text.ts'

test('a subscriber receives the frame with its place and contact, as valid JSON', () => {
  const frame = fc.dictionary(
    fc.string().filter((key) => key !== 'seq' && key !== 'contact' && key !== '__proto__'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(frame, fc.nat(), fc.option(fc.string(), { nil: undefined }), (value, seq, contact) => {
      const row = { seq, ts: 0, type: 't', kind: 't', contact, frame: JSON.stringify(value) }
      const expected = { ...value, seq, ...(contact !== undefined && { contact }) }
      expect(JSON.parse(subscriberText(row))).toEqual(JSON.parse(JSON.stringify(expected)))
    }),
  )
})

test('the text of one row is put together once', () => {
  const row = { seq: 1, ts: 0, type: 't', kind: 't', frame: '{"type":"t"}' }
  expect(subscriberText(row)).toBe('{"type":"t","seq":1}')
  expect(subscriberText({ ...row, frame: '{}' })).toBe('{"seq":1}')
  expect(subscriberText(row)).toBe(subscriberText(row))
})
