import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callDaemon } from './control-client.ts'

let home: string
let server: Server | undefined

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bridge-control-'))
})

afterEach(async () => {
  server?.close()
  if (server?.listening) await once(server, 'close')
  rmSync(home, { recursive: true })
})

async function serve(answer: (socket: Socket, request: string) => void): Promise<void> {
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => answer(socket, chunk.toString()))
  })
  server.listen(join(home, 'bridge.sock'))
  await once(server, 'listening')
}

describe('callDaemon', () => {
  test('sends one request and reads an answer that comes in pieces', async () => {
    const requests: string[] = []
    await serve((socket, request) => {
      requests.push(request)
      const bytes = Buffer.from('{"id":"1","result":{"revoked":true,"note":"ü\u2028"}}\n')
      socket.write(bytes.subarray(0, 38))
      setImmediate(() => socket.write(bytes.subarray(38)))
    })
    expect(await callDaemon(home, 'tokens.revoke', { token: 't' })).toEqual({
      revoked: true,
      note: 'ü\u2028',
    })
    expect(requests).toEqual(['{"id":"1","method":"tokens.revoke","params":{"token":"t"}}\n'])
  })

  test('throws what the daemon answers', async () => {
    await serve((socket) =>
      socket.write('{"id":"1","error":{"code":"contact_not_found","message":"No contact."}}\n'),
    )
    await expect(callDaemon(home, 'contacts.get', { contact: 'x' })).rejects.toMatchObject({
      code: 'contact_not_found',
      message: 'No contact.',
      status: 404,
    })
  })

  test('says that nothing runs where there is no socket, a dead one, or one that hangs up', async () => {
    await expect(callDaemon(home, 'status.get', {})).rejects.toMatchObject({
      code: 'not_running',
      data: { home },
    })
    await serve((socket) => socket.destroy())
    await expect(callDaemon(home, 'status.get', {})).rejects.toMatchObject({ code: 'not_running' })
  })

  test('does not wait for ever', async () => {
    await serve(() => {})
    await expect(callDaemon(home, 'status.get', {}, 30)).rejects.toMatchObject({ code: 'timeout' })
  })
})
