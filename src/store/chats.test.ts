import { describe, expect, test } from 'vitest'
import { createTestStore } from '../../test/fixtures/store.ts'
import { Chats } from './chats.ts'

describe('broadcast chats', () => {
  test('are read back verbatim and in order', () => {
    const chats = new Chats(createTestStore().database)
    chats.add('c', { direction: 'inbound', content: 'héllo\n\u2028', ts: 1, client_id: 'ws_1' })
    chats.add('other', { direction: 'inbound', content: 'x', ts: 2 })
    chats.add('c', { direction: 'outbound', content: '', ts: 3 })
    expect(chats.read('c')).toEqual([
      { direction: 'inbound', content: 'héllo\n\u2028', ts: 1, client_id: 'ws_1' },
      { direction: 'outbound', content: '', ts: 3 },
    ])
    expect(chats.read('nobody')).toEqual([])
  })

  test('are summed up, the latest first', () => {
    const chats = new Chats(createTestStore().database)
    chats.add('a', { direction: 'inbound', content: '1', ts: 1 })
    chats.add('b', { direction: 'inbound', content: '2', ts: 2 })
    chats.add('a', { direction: 'inbound', content: '3', ts: 3 })
    expect(chats.summaries()).toEqual([
      { chat_id: 'a', message_count: 2, last_ts: 3 },
      { chat_id: 'b', message_count: 1, last_ts: 2 },
    ])
  })

  test('a long chat shows its newest thousand messages', () => {
    const { database } = createTestStore()
    const chats = new Chats(database)
    database.exec('BEGIN')
    for (let n = 0; n < 1_200; n += 1) chats.add('c', { direction: 'inbound', content: String(n), ts: n })
    database.exec('COMMIT')
    const shown = chats.read('c')
    expect([shown.length, shown[0]?.content, shown.at(-1)?.content]).toEqual([1_000, '200', '1199'])
  })
})
