import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { numberOf, optionalTextOf, textOf } from './columns.ts'

/** The DDL of the broadcast chats (seed agent-bridge-readme, `/api/messages`). */
export const chatsSchema = `
  CREATE TABLE chat_messages (
    id INTEGER PRIMARY KEY,
    chat_id TEXT NOT NULL,
    direction TEXT NOT NULL,
    content TEXT NOT NULL,
    ts INTEGER NOT NULL,
    client_id TEXT
  ) STRICT;
  CREATE INDEX chat_messages_chat ON chat_messages (chat_id, id);
`

export interface ChatMessage {
  readonly direction: 'inbound' | 'outbound'
  readonly content: string
  readonly ts: number
  readonly client_id?: string
}

export interface ChatSummary {
  readonly chat_id: string
  readonly message_count: number
  readonly last_ts: number
}

/** Messages kept over all chats, and shown of one chat; the oldest go first. */
const maxMessages = 50_000
const maxShown = 1_000
const maxChatsShown = 500

/** The broadcast chats, verbatim: they are what people typed. */
export class Chats {
  readonly #insert: StatementSync
  readonly #trim: StatementSync
  readonly #read: StatementSync
  readonly #summaries: StatementSync

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare(
      'INSERT INTO chat_messages (chat_id, direction, content, ts, client_id) VALUES (?, ?, ?, ?, ?)',
    )
    this.#trim = database.prepare('DELETE FROM chat_messages WHERE id <= ?')
    this.#read = database.prepare(
      'SELECT * FROM (SELECT * FROM chat_messages WHERE chat_id = ? ORDER BY id DESC LIMIT ?) ORDER BY id',
    )
    this.#summaries = database.prepare(
      'SELECT chat_id, count(*) AS messages, max(ts) AS last_ts FROM chat_messages GROUP BY chat_id ORDER BY max(id) DESC LIMIT ?',
    )
  }

  add(chatId: string, message: ChatMessage): void {
    const { lastInsertRowid } = this.#insert.run(
      chatId,
      message.direction,
      message.content,
      message.ts,
      message.client_id ?? null,
    )
    this.#trim.run(Number(lastInsertRowid) - maxMessages)
  }

  /** The newest messages of a chat, oldest first; none for a chat nobody has written to. */
  read(chatId: string): ChatMessage[] {
    return this.#read.all(chatId, maxShown).map((row) => {
      const clientId = optionalTextOf(row, 'client_id')
      return {
        direction: textOf(row, 'direction') === 'outbound' ? 'outbound' : 'inbound',
        content: textOf(row, 'content'),
        ts: numberOf(row, 'ts'),
        ...(clientId !== undefined && { client_id: clientId }),
      }
    })
  }

  summaries(): ChatSummary[] {
    return this.#summaries.all(maxChatsShown).map((row) => ({
      chat_id: textOf(row, 'chat_id'),
      message_count: numberOf(row, 'messages'),
      last_ts: numberOf(row, 'last_ts'),
    }))
  }
}
