import { describe, expect, test } from 'vitest'
import { ManualClock } from '../core/clock.ts'
import { SourceLimits } from './source-limits.ts'

const refused = expect.objectContaining({ code: 'rate_limited', status: 429 })

function takeMany(limits: SourceLimits, source: string, count: number): void {
  for (let n = 0; n < count; n += 1) limits.take(source)
}

describe('limits per source', () => {
  test('a source may burst, is then refused, and gets its share back with time', () => {
    const clock = new ManualClock()
    const limits = new SourceLimits(clock)
    takeMany(limits, 'wild', 5_000)
    expect(() => limits.take('wild')).toThrow(refused)
    clock.advance(100)
    takeMany(limits, 'wild', 100)
    expect(() => limits.take('wild')).toThrow(refused)
  })

  test('one source gone wild costs the others nothing', () => {
    const limits = new SourceLimits(new ManualClock())
    takeMany(limits, 'wild', 5_000)
    expect(() => limits.take('wild')).toThrow(refused)
    expect(() => limits.take('calm')).not.toThrow()
  })

  test('nobody saves up more than one burst', () => {
    const clock = new ManualClock()
    const limits = new SourceLimits(clock)
    limits.take('calm')
    clock.advance(3_600_000)
    takeMany(limits, 'calm', 5_000)
    expect(() => limits.take('calm')).toThrow(refused)
  })

  test('sources without number cost bounded memory, and the busy one is not forgotten for them', () => {
    const limits = new SourceLimits(new ManualClock())
    takeMany(limits, 'wild', 5_000)
    for (let n = 0; n < 4_000; n += 1) limits.take(`source-${n}`)
    expect(() => limits.take('wild')).toThrow(refused)
    for (let n = 0; n < 5_000; n += 1) limits.take(`other-${n}`)
    // The longest unseen goes first, which gives it a full burst again and nothing worse.
    expect(() => limits.take('wild')).not.toThrow()
  })
})
