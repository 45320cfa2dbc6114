import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from './client.ts'
import { ClientError } from './client-error.ts'

interface Received {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let server: Server
let url: string
let received: Received[]
let answer: { status: number; body: string }

beforeEach(async () => {
  received = []
  answer = { status: 200, body: '{}' }
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const line = `${request.method} ${request.url}`
      received.push({ line, headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(answer.status).end(answer.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${portOf(server)}/`
})

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

describe('createClient', () => {
  test('puts input into path, query or body as the operation is bound', async () => {
    const client = createClient({ url, token: 'secret' })
    answer.body = '{"contacts":[]}'
    expect(await client.call('contacts.list', { status: 'live' })).toEqual({ contacts: [] })
    await client.call('contacts.get', { contact: 'a/b ?#ü' })
    await client.call('history.page', { after: 5, limit: 10, kind: undefined })
    await client.call('tokens.create', { name: 'phone', scopes: ['read'] })
    await client.call('tokens.rotate', { token: 'tok_1' })
    await client.call('tokens.revoke', { token: 'tok_1' })
    expect(received.map(({ line, body }) => [line, body])).toEqual([
      ['GET /sessions?status=live', ''],
      ['GET /sessions/a%2Fb%20%3F%23%C3%BC', ''],
      ['GET /api/history?after=5&limit=10', ''],
      ['POST /api/tokens', '{"name":"phone","scopes":["read"]}'],
      ['POST /api/tokens/tok_1/rotate', '{}'],
      ['DELETE /api/tokens/tok_1', ''],
    ])
    expect(received[3]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
    })
  })

  test.each(['', '.', '..'])('refuses %j where an address would lead elsewhere', async (contact) => {
    const client = createClient({ url })
    await expect(client.call('contacts.get', { contact })).rejects.toMatchObject({ code: 'invalid_params' })
    expect(received).toEqual([])
  })

  test('speaks the routes of seed A', async () => {
    const client = createClient({ url, token: 'secret' })
    await client.postHook('claude', 'Stop', { session_id: 's' })
    await client.sendMessage({ content: 'hello', chat_id: 'c' })
    await client.resolvePermission('req/1', 'deny')
    expect(received.map(({ line, body }) => [line, body])).toEqual([
      ['POST /hooks/claude', '{"hook_type":"Stop","payload":{"session_id":"s"}}'],
      ['POST /api/messages', '{"content":"hello","chat_id":"c"}'],
      ['POST /api/permissions/req%2F1', '{"behavior":"deny"}'],
    ])
  })

  test('sends no token when it has none', async () => {
    await createClient({ url }).call('links.redeem', { ticket: 't' })
    expect(received[0]?.headers.authorization).toBeUndefined()
  })

  test('throws what the bridge answers', async () => {
    const client = createClient({ url })
    const fail = async (status: number, body: string) => {
      answer = { status, body }
      return client.call('status.get', {}).catch((error: unknown) => error)
    }
    const full = '{"error":"contact_not_found","message":"No contact.","details":{"contact":"x"}}'
    expect(await fail(404, full)).toMatchObject({
      name: 'ClientError',
      code: 'contact_not_found',
      message: 'No contact.',
      status: 404,
      details: { contact: 'x' },
      isFinal: true,
    })
    expect(await fail(503, '{"error":"unavailable"}')).toMatchObject({ code: 'unavailable', isFinal: false })
    expect(await fail(502, '<html>')).toMatchObject({ code: 'bad_answer', status: 502, isFinal: false })
    expect(await fail(429, '[]')).toMatchObject({ code: 'bad_answer', isFinal: false })
  })

  test('says where nothing answers', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const port = portOf(closed)
    closed.close()
    await once(closed, 'close')
    const error: unknown = await createClient({ url: `http://127.0.0.1:${port}` })
      .call('status.get', {})
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({
      code: 'unreachable',
      message: `No bridge answers at http://127.0.0.1:${port}.`,
    })
  })

  test('an abort stays an abort', async () => {
    const controller = new AbortController()
    controller.abort()
    const call = createClient({ url }).call('status.get', {}, controller.signal)
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })
})

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}
