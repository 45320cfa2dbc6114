import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventBytes, plainBytes, subscriberBytes } from './frame-bytes.ts'

test('a subscriber receives the frame with its place and contact, as valid JSON', () => {
  const frame = fc.dictionary(
    fc.string().filter((key) => key !== 'seq' && key !== 'contact' && key !== '__proto__'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(frame, fc.nat(), fc.option(fc.string(), { nil: undefined }), (value, seq, contact) => {
      const row = { seq, ts: 0, type: 't', kind: 't', contact, frame: JSON.stringify(value) }
      const expected = { ...value, seq, ...(contact !== undefined && { contact }) }
      expect(JSON.parse(subscriberBytes(row).toString())).toEqual(JSON.parse(JSON.stringify(expected)))
    }),
  )
})

test('the bytes of one row are put together once, and never taken for those of another', () => {
  const row = { seq: 1, ts: 0, type: 't', kind: 't', frame: '{"type":"t"}' }
  const other = { ...row, seq: 513 }
  expect(subscriberBytes(row).toString()).toBe('{"type":"t","seq":1}')
  expect(subscriberBytes({ ...row, frame: '{}' }).toString()).toBe('{"seq":1}')
  expect(subscriberBytes(row)).toBe(subscriberBytes(row))
  expect(subscriberBytes(other).toString()).toBe('{"type":"t","seq":513}')
  expect(plainBytes(row).toString()).toBe('{"type":"t"}')
  expect(eventBytes(row, 'e').toString()).toBe('id: e:1\ndata: {"type":"t","seq":1}\n\n')
})
