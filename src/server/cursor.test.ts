import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTestStore, testFrame } from '../../test/fixtures/store.ts'
import type { EventLog } from '../store/log.ts'
import { findPlace } from './cursor.ts'

async function openLog(rows: number, kept = rows): Promise<EventLog> {
  const { log } = createTestStore()
  await log.append(Array.from({ length: rows }, (_, n) => testFrame(n)))
  log.retain({ maxEvents: kept, beforeTs: 0, budgetMs: 1_000 })
  return log
}

describe('the place of a reader', () => {
  test('a reader that asks for nothing starts at the end', async () => {
    const log = await openLog(3)
    expect(findPlace(log, undefined)).toEqual({ after: 3, resume: 'ok' })
  })

  test('a place of this epoch is continued from, written in any form', async () => {
    const log = await openLog(3)
    for (const asked of [1, '1', `${log.epoch}:1`]) {
      expect(findPlace(log, asked)).toEqual({ after: 1, resume: 'ok' })
    }
    expect(findPlace(log, 0)).toEqual({ after: 0, resume: 'ok' })
    expect(findPlace(log, 3)).toEqual({ after: 3, resume: 'ok' })
  })

  test.each([
    ['another epoch', () => 'another-epoch:1'],
    ['garbage', () => 'garbage'],
    ['an empty text', () => ''],
    ['an epoch without a place', (log: EventLog) => `${log.epoch}:`],
    ['a negative place', (log: EventLog) => `${log.epoch}:-1`],
    ['a place ahead of the log', (log: EventLog) => `${log.epoch}:4`],
    ['a number ahead of the log', () => 4],
    ['a place beyond all numbers', (log: EventLog) => `${log.epoch}:9999999999999999999`],
  ])('B26 %s is a gap, which goes on from now', async (_name, ask) => {
    const log = await openLog(3)
    expect(findPlace(log, ask(log))).toEqual({ after: 3, resume: 'gap' })
  })

  test('B26 a place is good exactly as long as every frame after it is there', async () => {
    const log = await openLog(10, 4)
    expect(log.oldestSeq).toBe(7)
    expect(findPlace(log, 6)).toEqual({ after: 6, resume: 'ok' })
    expect(findPlace(log, 5)).toEqual({ after: 10, resume: 'gap' })
  })

  test('whatever is asked for, the answer is a place that can be read from', async () => {
    const log = await openLog(10, 4)
    const anything = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.nat(12),
      fc.nat(12).map((seq) => `${log.epoch}:${seq}`),
    )
    fc.assert(
      fc.property(anything, (asked) => {
        const { after } = findPlace(log, asked)
        expect(after).toBeGreaterThanOrEqual(log.oldestSeq - 1)
        expect(after).toBeLessThanOrEqual(log.lastSeq)
      }),
    )
  })
})
