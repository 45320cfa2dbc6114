import fc from 'fast-check'
import type { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { testFrame as frame } from '../../test/fixtures/store.ts'
import { openDatabase } from './database.ts'
import { EventLog, matches } from './log.ts'
import { migrationsOf } from './schema.ts'

function openLog(path = ':memory:'): { log: EventLog; database: DatabaseSync } {
  const { database } = openDatabase(path, migrationsOf([]), 0)
  return { log: new EventLog(database), database }
}

describe('the log', () => {
  test('numbers frames without holes and resolves with the place of the last', async () => {
    const { log } = openLog()
    const places = await Promise.all([
      log.append([frame(1), frame(2)]),
      log.append([frame(3)]),
      log.append([]),
    ])
    expect(places.slice(0, 2)).toEqual([2, 3])
    expect(log.readAfter(0, 10).map((row) => [row.seq, row.ts])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })

  test('appends of one turn of the loop are one transaction and wake readers once', async () => {
    const { log } = openLog()
    let wakes = 0
    using _ = log.onCommit(() => (wakes += 1))
    await Promise.all(Array.from({ length: 100 }, (_, n) => log.append([frame(n)])))
    expect(wakes).toBe(1)
    expect(log.lastSeq).toBe(100)
  })

  test('reads the same from memory and from the database', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.nat(450),
        fc.integer({ min: 1, max: 450 }),
        async (n, after, limit) => {
          const { log, database } = openLog()
          await log.append(Array.from({ length: n }, (_, index) => frame(index)))
          const cold = new EventLog(database)
          expect(cold.readAfter(after, limit)).toEqual(log.readAfter(after, limit))
        },
      ),
      { numRuns: 50 },
    )
  })

  test('retention cuts at the front only, keeps the newest row and never reuses a place', async () => {
    const { log, database } = openLog()
    await log.append(Array.from({ length: 20 }, (_, n) => frame(n)))
    while (log.retain({ maxEvents: 5, beforeTs: 0, budgetMs: 50 }));
    expect(log.oldestSeq).toBe(16)
    expect(log.readAfter(0, 100).map((row) => row.seq)).toEqual([16, 17, 18, 19, 20])
    while (log.retain({ maxEvents: 1000, beforeTs: 1_000, budgetMs: 50 }));
    expect(log.readAfter(0, 100).map((row) => row.seq)).toEqual([20])
    const reopened = new EventLog(database)
    expect(await reopened.append([frame(21)])).toBe(21)
  })

  test('pages by contact and kind in both directions', async () => {
    const { log } = openLog()
    await log.append(
      Array.from({ length: 30 }, (_, n) =>
        frame(n, { contact: n % 2 ? 'odd' : 'even', kind: n % 3 ? 'a' : 'b' }),
      ),
    )
    expect(log.readPage({ contact: 'odd', limit: 3 }).map((row) => row.seq)).toEqual([26, 28, 30])
    expect(log.readPage({ contact: 'odd', kind: 'b', after: 4, limit: 2 }).map((row) => row.seq)).toEqual([
      10, 16,
    ])
    expect(log.readPage({ before: 4, limit: 2 }).map((row) => row.seq)).toEqual([2, 3])
  })

  test('a page for somebody bound to contacts is full of what they may see', async () => {
    const { log } = openLog()
    const contacts = ['mine', 'other', undefined]
    await log.append(Array.from({ length: 30 }, (_, n) => frame(n, { contact: contacts[n % 3] })))
    const page = log.readPage({ contacts: new Set(['mine']), limit: 4 })
    expect(page.map((row) => [row.seq, row.contact])).toEqual([
      [25, 'mine'],
      [27, undefined],
      [28, 'mine'],
      [30, undefined],
    ])
  })

  test('a full disk refuses the append, stores none of it, and goes on afterwards', async () => {
    const { log, database } = openLog()
    await log.append([frame(1)])
    database.exec('PRAGMA max_page_count = 1')
    const big = frame(2, { frame: JSON.stringify({ type: 'x', text: 'y'.repeat(100_000) }) })
    await expect(log.append([frame(2), big])).rejects.toMatchObject({ code: 'disk_full' })
    expect(log.lastSeq).toBe(1)
    database.exec('PRAGMA max_page_count = 1000000')
    expect(await log.append([frame(3)])).toBe(2)
  })

  test('filters by contact, kind and type', async () => {
    const { log } = openLog()
    await log.append([frame(1, { contact: 'c', kind: 'turn.ended' })])
    const [row] = log.readAfter(0, 1)
    if (!row) throw new Error('the row is missing')
    expect(matches(row, {})).toBe(true)
    expect(matches(row, { kinds: new Set(['turn.ended']), contacts: new Set(['c']) })).toBe(true)
    expect(matches(row, { kinds: new Set(['agent_event']) })).toBe(true)
    expect(matches(row, { kinds: new Set(['turn.started']) })).toBe(false)
    expect(matches(row, { contacts: new Set(['d']) })).toBe(false)
  })
})
