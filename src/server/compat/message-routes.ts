import type { FastifyInstance } from 'fastify'
import { newPrefixedId } from '../../core/ids.ts'
import { BridgeError } from '../../core/errors.ts'
import { addRoute } from '../http.ts'
import type { ServerParts } from '../parts.ts'
import { objectBody, pathParameter } from '../request.ts'

/** Broadcast messages (seed agent-bridge-readme, `/api/messages`). */
export function addMessageRoutes(app: FastifyInstance, parts: ServerParts): void {
  addRoute(app, 'sendMessage', async (request) => {
    const { content, chat_id: chatId, meta } = objectBody(request, parts)
    if (typeof content !== 'string' || content === '') throw new BridgeError('content_required')
    const chat = await parts.broadcasts.sendMessage({
      content,
      chatId: typeof chatId === 'string' && chatId !== '' ? chatId : undefined,
      clientId: newPrefixedId('http'),
      meta,
    })
    return { chat_id: chat, status: 'forwarded' }
  })

  addRoute(app, 'readMessages', (request) => {
    const chatId = pathParameter(request, 'chat_id')
    return { chat_id: chatId, messages: parts.chats.read(chatId) }
  })
}
