import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routes } from '../../protocol/index.ts'
import { rawControls } from './raw-controls.ts'

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
      fc.constantFrom(
        ...['verb', 'action', 'params', 'delta', 'delta_v', 'delta_a', 'v', 'a', 'value', 'driver_id'],
        ...['target_v', 'display_mode', 'color', 'r', 'g', 'b', 'angle', 'duration_ms'],
      ),
      fc.oneof(fc.jsonValue(), fc.double(), fc.constantFrom('face', 'text', 30, -90, 1e9)),
    )
    fc.assert(
      fc.property(fc.constantFrom(...rawControls), body, (control, given) => {
        const frame = control.frameOf(given)
        if (typeof frame !== 'object' || control.route === 'rawBroadcast') return
        expect(frame['type']).toBeTypeOf('string')
        const { duration_ms: durationMs, position, r, g, b } = frame
        if (typeof durationMs === 'number') {
          expect(durationMs).toBeGreaterThanOrEqual(0)
          expect(durationMs).toBeLessThanOrEqual(120_000)
        }
        if (frame['type'] === 'set_servo_position') {
          expect(frame['angle']).toBe(position)
          expect(Math.abs(Number(position))).toBeLessThanOrEqual(90)
        }
        for (const byte of [r, g, b]) {
          if (byte !== undefined) expect(Number(byte) >= 0 && Number(byte) <= 255).toBe(true)
        }
      }),
    )
  })
})
