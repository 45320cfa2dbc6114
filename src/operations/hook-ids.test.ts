import { describe, expect, test } from 'vitest'
import { HookIds } from './hook-ids.ts'

describe('hooks that are sent again', () => {
  test('the same id is stored once', async () => {
    const ids = new HookIds([])
    let stored = 0
    const store = async () => void (stored += 1)
    await ids.once('a', store)
    await ids.once('a', store)
    await ids.once('b', store)
    expect(stored).toBe(2)
  })

  test('ids of the log are known after a restart', async () => {
    const ids = new HookIds(['a'])
    await expect(ids.once('a', () => Promise.reject(new Error('stored again')))).resolves.toBeUndefined()
  })

  test('a repetition waits for the first and shares its outcome', async () => {
    const ids = new HookIds([])
    const first = Promise.withResolvers<void>()
    const outcomes = [ids.once('a', () => first.promise), ids.once('a', () => Promise.resolve())]
    first.reject(new Error('disk full'))
    const [one, two] = await Promise.allSettled(outcomes)
    expect([one?.status, two?.status]).toEqual(['rejected', 'rejected'])
  })

  test('a failure leaves the id free for the next attempt', async () => {
    const ids = new HookIds([])
    await expect(ids.once('a', () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
    let stored = 0
    await ids.once('a', async () => void (stored += 1))
    expect(stored).toBe(1)
  })

  test('memory is bounded: only the oldest ids are forgotten', async () => {
    const ids = new HookIds(Array.from({ length: 20_001 }, (_, n) => `known-${n}`))
    const again: string[] = []
    for (const id of ['known-0', 'known-20000']) await ids.once(id, async () => void again.push(id))
    expect(again).toEqual(['known-0'])
  })
})
