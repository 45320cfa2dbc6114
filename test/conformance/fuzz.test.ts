import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { agentEventEnvelopeSchema, clientFrames, routes } from '../../src/protocol/index.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import type { TestSocket } from '../fixtures/socket.ts'

/** Whatever comes in, the daemon answers plainly and goes on; nothing of it is an error of ours. */
let bridge: TestDaemon
let watcher: TestSocket
beforeAll(async () => {
  bridge = await openTestDaemon()
  watcher = await bridge.ws({ subscribe: {} })
  await watcher.frames.nextOf('subscribed')
})
afterAll(() => bridge.close())
afterEach(async () => {
  // It is alive, it still takes hooks and hands them on, and it has not met an error it did not expect.
  await bridge.post('Notification', {
    session_id: 'after',
    message: 'still here',
    notification_type: 'other',
  })
  await bridge.settle(watcher)
  for (const frame of watcher.frames.ofType('agent_event')) agentEventEnvelopeSchema.parse(frame)
  watcher.frames.clear()
  if (readFileSync(join(bridge.home, 'daemon.log'), 'utf8').includes('unexpected error'))
    throw new Error('the daemon met an error that it did not expect; its stack is in its log')
})

const words = (text: string) => text.trim().split(/\s+/)
const hookTypes = words(`
  SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PostToolBatch
  PermissionRequest PermissionDenied Notification MessageDisplay Stop StopFailure SubagentStart SubagentStop
  PreCompact TaskCreated TaskCompleted Elicitation
`)
const names = words(`
  session_id prompt prompt_id tool_name tool_input tool_use_id tool_response error source reason message
  notification_type cwd transcript_path last_assistant_message assistant_text todos questions agent_id agent_type
  message_id index content trigger tasks task_id background_tasks is_interrupt duration_ms command __proto__ constructor
`)
const texts = words('s1 s2 Bash Read TodoWrite AskUserQuestion Task mcp__a__b startup clear')
const oddities = [
  '\u0000',
  '\ud800',
  'x'.repeat(5_000),
  -1,
  1e308,
  null,
  true,
  [],
  {},
  [[]],
  [{ content: 1 }],
]
const likely = fc.constantFrom<unknown>(...texts, ...oddities)
const value = fc.oneof({ weight: 3, arbitrary: likely }, fc.jsonValue({ maxDepth: 4 }))
const payload = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 12 })

const frameFields = words(`
  content chat_id meta request_id behavior position duration_ms key color display_mode agent session_id turn_id
  event verb action params after contacts kinds
`)

describe('fuzzing', () => {
  test('hooks of any shape', async () => {
    const body = fc.oneof(
      fc.record({ hook_type: fc.constantFrom(...hookTypes), payload }),
      fc
        .tuple(fc.constantFrom(...hookTypes), payload)
        .map(([hook_event_name, rest]) => ({ hook_event_name, ...rest })),
      fc.record({ hook_type: fc.oneof(fc.string(), fc.jsonValue()), payload: fc.jsonValue() }),
      fc.jsonValue(),
    )
    const agent = fc.constantFrom('claude', 'simulator', 'codex', 'x', '%20')
    await fc.assert(
      fc.asyncProperty(agent, body, async (name, given) => {
        const answer = await bridge.call(`/hooks/${name}`, { method: 'POST', body: JSON.stringify(given) })
        expect([204, 400]).toContain(answer.status)
      }),
      { numRuns: 400 },
    )
  })

  test('bodies that are no JSON, or JSON that was cut or bent', async () => {
    const whole = JSON.stringify({
      hook_type: 'PostToolUse',
      payload: { session_id: 's', tool_name: 'Bash', tool_response: 'ü\n' },
    })
    const bent = fc
      .tuple(fc.nat(whole.length), fc.nat(whole.length), fc.uint8Array({ maxLength: 6 }))
      .map(([from, to, bytes]) => {
        const source = Buffer.from(whole)
        return Buffer.concat([
          source.subarray(0, Math.min(from, to)),
          Buffer.from(bytes),
          source.subarray(Math.max(from, to)),
        ])
      })
    const paths = [
      ...new Set(
        Object.values(routes).flatMap(({ method, path }) =>
          method === 'POST' ? [path.replaceAll(/\{\w+\}/g, 'claude')] : [],
        ),
      ),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.oneof(bent, fc.uint8Array({ maxLength: 200 })),
        async (path, bytes) => {
          const answer = await bridge.call(path, { method: 'POST', body: Buffer.from(bytes) })
          expect([200, 204, 400]).toContain(answer.status)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('queries, headers and path parts of any kind', async () => {
    const paths = [
      '/status',
      '/sessions',
      '/api/history',
      '/api/audit',
      '/events',
      '/sessions/',
      '/api/messages/',
      '/api/tokens',
    ]
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('-1', '1e9', '0', 'NaN', '%', '..', '\u0000'),
    )
    const query = fc.dictionary(
      fc.constantFrom('after', 'before', 'limit', 'contact', 'kind', 'kinds', 'contacts', 'status'),
      text,
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), query, text, async (path, fields, part) => {
        const search = Object.entries(fields).map(
          ([name, each]) => `${name}=${encodeURIComponent(each.toWellFormed())}`,
        )
        const address = path.endsWith('/') ? path + encodeURIComponent(part.toWellFormed()) : path
        const target = `${address}?${search.join('&')}`
        expect([200, 400, 404]).toContain(await statusOf(target))
      }),
      { numRuns: 250 },
    )
  })

  test('WebSocket frames, text and binary', async () => {
    await using socket = await bridge.ws()
    const type = fc.constantFrom(...Object.keys(clientFrames), 'x', '__proto__', 'toString')
    const field = fc.constantFrom(...frameFields)
    const frame = fc
      .tuple(type, fc.dictionary(field, value))
      .map(([name, rest]) => JSON.stringify({ ...rest, type: name }))
    const anything = fc.oneof(
      { weight: 5, arbitrary: frame },
      fc.json(),
      fc.string({ unit: 'binary', maxLength: 100 }).map((text) => text.toWellFormed()),
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 20 }), async (frames) => {
        for (const each of frames) socket.raw.send(each)
        socket.send({ type: 'ping' })
        await socket.frames.nextOf('pong')
        expect(socket.frames.ofType('error').map((error) => error['message'])).not.toContain('internal_error')
        socket.frames.clear()
      }),
      { numRuns: 120 },
    )
  })

  test('bytes that are no WebSocket frames, with and without a token', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        async (known, bytes) => {
          const socket = await upgradedSocket(known ? bridge.token : 'wrong')
          socket.write(Buffer.from(bytes))
          // Half of a frame is waited for; what ends the wait is the end of the connection.
          socket.end()
          expect(await closed(socket)).toBe(true)
        },
      ),
      { numRuns: 80 },
    )
  })

  test('bytes that are no HTTP', async () => {
    const port = Number(new URL(bridge.url).port)
    const heads = [
      'GET / HTTP/1.1\r\n',
      'POST /hooks/claude HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n',
      '\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', ...heads),
        fc.uint8Array({ maxLength: 300 }),
        async (head, bytes) => {
          const socket = connect(port, '127.0.0.1')
          socket.on('error', () => {})
          socket.end(Buffer.concat([Buffer.from(head), Buffer.from(bytes)]))
          socket.resume()
          expect(await closed(socket)).toBe(true)
        },
      ),
      { numRuns: 80 },
    )
  })

  test('lines of the control socket', async () => {
    const path = join(bridge.home, 'bridge.sock')
    const request = fc.record({
      id: fc.oneof(fc.string(), fc.jsonValue()),
      method: fc.oneof(
        fc.constantFrom('status.get', 'history.page', 'contacts.get', 'audit.read', '__proto__'),
        fc.string(),
      ),
      params: fc.oneof(
        fc.dictionary(fc.constantFrom('limit', 'after', 'contact'), fc.jsonValue()),
        fc.jsonValue(),
      ),
    })
    const line = fc.oneof(
      request.map((each) => JSON.stringify(each)),
      fc.json(),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
        const socket = connect(path)
        let received = ''
        socket.setEncoding('utf8')
        socket.on('data', (chunk: string) => (received += chunk))
        socket.on('error', () => {})
        socket.write(`${lines.join('\n')}\n{"id":"the last","method":"status.get"}\n`)
        await expect.poll(() => received, { timeout: 5_000, interval: 2 }).toContain('"id":"the last"')
        expect(received).not.toContain('internal_error')
        socket.destroy()
        await closed(socket)
      }),
      { numRuns: 80 },
    )
  })
})

/** How an address answers; a stream is closed as soon as it has begun. */
async function statusOf(path: string): Promise<number> {
  if (!path.startsWith('/events')) return (await bridge.call(path)).status
  await using stream = await bridge.sse({ path })
  return stream.status
}

/** A TCP connection behind a WebSocket handshake, for bytes that no client would send. */
async function upgradedSocket(token: string): Promise<Socket> {
  const socket = connect(Number(new URL(bridge.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `GET /ws?token=${token} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await once(socket, 'data')
  socket.resume()
  return socket
}

/** Waits for the end of a connection. */
async function closed(socket: Socket): Promise<boolean> {
  if (!socket.closed) await new Promise((resolve) => socket.on('close', resolve))
  return socket.closed
}
