import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routes } from '../../protocol/index.ts'
import { rawControls } from './raw-controls.ts'

/** Every field that a control reads. */
const fields =
  'verb action params delta delta_v delta_a v a value driver_id target_v display_mode color r g b angle duration_ms'.split(
    ' ',
  )

function isAbsentOrWithin(value: unknown, min: number, max: number): boolean {
  return value === undefined || (typeof value === 'number' && value >= min && value <= max)
}

describe('raw controls', () => {
  test('every declared raw route has its control, and each example works', () => {
    const declared = Object.keys(routes).filter(
      (name) => name.startsWith('raw') && name !== 'rawCapabilities',
    )
    expect(rawControls.map(({ route }) => route).sort()).toEqual(declared.sort())
    for (const { example, frameOf } of rawControls) expect(frameOf(example)).toBeTypeOf('object')
  })

  test('whatever the body is, a control gives a frame or nothing, and never more than its bounds', () => {
    const body = fc.dictionary(
      fc.constantFrom(...fields),
      fc.oneof(fc.jsonValue(), fc.double(), fc.constantFrom('face', 'text', 30, -90, 1e9)),
    )
    fc.assert(
      fc.property(fc.constantFrom(...rawControls), body, (control, given) => {
        const frame = control.frameOf(given)
        fc.pre(typeof frame === 'object' && control.route !== 'rawBroadcast')
        const {
          type,
          duration_ms: durationMs,
          position,
          angle,
          r,
          g,
          b,
        }: Record<string, unknown> = { ...frame }
        expect(type).toBeTypeOf('string')
        expect(angle).toBe(position)
        expect(isAbsentOrWithin(durationMs, 0, 120_000)).toBe(true)
        expect(isAbsentOrWithin(angle, -90, 90)).toBe(true)
        for (const byte of [r, g, b]) expect(isAbsentOrWithin(byte, 0, 255)).toBe(true)
      }),
    )
  })
})
