import { once } from 'node:events'
import { statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/protocol/index.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { FrameList, asFrame } from '../fixtures/frames.ts'

let bridge: TestDaemon
const sockets: Socket[] = []
beforeAll(async () => {
  bridge = await openTestDaemon()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => bridge.close())

/** A connection to the control socket, and the answers it gets. */
async function openControl(): Promise<{ socket: Socket; answers: FrameList }> {
  const socket = connect(join(bridge.home, 'bridge.sock'))
  sockets.push(socket)
  await once(socket, 'connect')
  const answers = new FrameList()
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) answers.add(asFrame(JSON.parse(line)))
  })
  socket.on('error', () => {})
  return { socket, answers }
}

describe('the control socket', () => {
  test('belongs to the owner alone', () => {
    expect(statSync(join(bridge.home, 'bridge.sock')).mode & 0o777).toBe(0o600)
    expect(statSync(bridge.home).mode & 0o777).toBe(0o700)
  })

  test('calls operations by name; answers carry the id of their request, in any order', async () => {
    const { socket, answers } = await openControl()
    const requests = [
      { id: 'a', method: 'status.get', params: {} },
      { id: 'b', method: 'contacts.list' },
      { id: 'c', method: 'audit.read', params: { limit: 1 } },
    ]
    socket.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''))
    for (const { id } of requests) {
      const answer = await answers.until(() => answers.all.find((each) => each['id'] === id))
      expect(answer).toEqual({ id, result: expect.any(Object) })
    }
    expect(answers.all.find(({ id }) => id === 'a')?.['result']).toMatchObject({
      home: bridge.home,
      pid: process.pid,
    })
  })

  test.each(Object.keys(operations))('%s is there for the owner', async (method) => {
    const { socket, answers } = await openControl()
    socket.write(`${JSON.stringify({ id: '1', method, params: {} })}\n`)
    const { error } = await answers.next()
    expect(['unauthorized', 'forbidden', 'unknown_method', 'internal_error']).not.toContain(
      asFrame(error)['code'],
    )
  })

  test.each([
    ['no JSON', '{', undefined, 'invalid_params'],
    ['a list', '[]', undefined, 'invalid_params'],
    ['no id', '{"method":"status.get"}', undefined, 'invalid_params'],
    ['an id that is no text', '{"id":1,"method":"status.get"}', undefined, 'invalid_params'],
    ['no method', '{"id":"x"}', 'x', 'invalid_params'],
    ['a method nobody knows', '{"id":"x","method":"toString"}', 'x', 'unknown_method'],
    ['parameters that do not fit', '{"id":"x","method":"contacts.get","params":{}}', 'x', 'invalid_params'],
    [
      'a contact nobody knows',
      '{"id":"x","method":"contacts.get","params":{"contact":"no"}}',
      'x',
      'contact_not_found',
    ],
    [
      'nesting without end',
      `{"id":"x","method":"status.get","params":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      undefined,
      'body_too_deep',
    ],
  ])('%s is answered with its code, and the connection stays', async (_name, line, id, code) => {
    const { socket, answers } = await openControl()
    socket.write(`${line}\n`)
    const answer = await answers.next()
    expect(answer).toEqual({
      ...(id !== undefined && { id }),
      error: { code, message: expect.any(String) },
    })
    socket.write('{"id":"after","method":"status.get"}\r\n\n')
    expect(await answers.next()).toMatchObject({ id: 'after' })
  })

  test('lines come in pieces, with any line separators of Unicode inside', async () => {
    const { socket, answers } = await openControl()
    const line = JSON.stringify({ id: 'ü\u2028🦊', method: 'status.get' })
    for (const byte of Buffer.from(`${line}\n`)) socket.write(Buffer.of(byte))
    expect(await answers.next()).toMatchObject({ id: 'ü\u2028🦊' })
  })

  test('an endless line ends the connection with a reason', async () => {
    const { socket, answers } = await openControl()
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.write('x'.repeat(1_100_000))
    expect(await answers.next()).toMatchObject({ error: { code: 'line_too_long' } })
    await closed
    expect((await bridge.call('/api/health')).status).toBe(200)
  })

  test('one that never reads its answers is let go of', async () => {
    const { socket } = await openControl()
    socket.pause()
    for (let n = 0; n < 200; n += 1)
      await bridge.post('Notification', { session_id: `s${n}`, message: 'x'.repeat(400) })
    const question = `${JSON.stringify({ id: 'x', method: 'history.page', params: { after: 0, limit: 1000 } })}\n`
    for (let n = 0; n < 400; n += 1) socket.write(question)
    const isLetGo = () => {
      socket.write(question)
      return socket.destroyed || socket.closed
    }
    await expect.poll(isLetGo, { timeout: 8_000, interval: 20 }).toBe(true)
  })

  test('a socket that a killed daemon left is replaced', async () => {
    await bridge.restart()
    const { socket, answers } = await openControl()
    socket.write('{"id":"1","method":"status.get"}\n')
    expect(await answers.next()).toMatchObject({ id: '1' })
  })
})
