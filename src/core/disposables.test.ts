import { describe, expect, test } from 'vitest'
import { DisposableStore } from './disposables.ts'

describe('a store of what was opened', () => {
  test('closes in reverse order, once', async () => {
    const closed: string[] = []
    const store = new DisposableStore()
    store.use(() => void closed.push('first'))
    store.use({ [Symbol.dispose]: () => void closed.push('second') })
    store.use({
      [Symbol.asyncDispose]: async () => {
        await Promise.resolve()
        closed.push('third')
      },
    })
    await store[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
    expect(closed).toEqual(['third', 'second', 'first'])
    expect(() => store.use(() => {})).toThrow('this store is closed already')
  })

  test('one failing close keeps none of the others open, and is told', async () => {
    const closed: string[] = []
    const store = new DisposableStore()
    store.use(() => void closed.push('first'))
    store.use(() => {
      throw new Error('stuck')
    })
    await expect(store[Symbol.asyncDispose]()).rejects.toThrow('stuck')
    expect(closed).toEqual(['first'])
  })

  test('what was moved is closed by the new owner only', async () => {
    const closed: string[] = []
    const store = new DisposableStore()
    store.use(() => void closed.push('part'))
    const owner = store.move()
    await store[Symbol.asyncDispose]()
    expect(closed).toEqual([])
    await owner[Symbol.asyncDispose]()
    expect(closed).toEqual(['part'])
  })
})
