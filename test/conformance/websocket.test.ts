import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { agentEventKinds } from '../../src/protocol/index.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import type { Frame } from '../fixtures/frames.ts'
import { openTestSocket, type TestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

/** `/ws` of seed agent-bridge-readme, "WebSocket API", frame by frame. */
let bridge: TestDaemon
beforeAll(async () => {
  bridge = await openTestDaemon()
})
afterAll(() => bridge.close())

/** What `socket` receives from here on until everything has arrived. */
async function received(socket: TestSocket, act: () => void | Promise<void>): Promise<Frame[]> {
  const before = socket.frames.all.length
  await act()
  socket.send({ type: 'ping' })
  await socket.frames.nextOf('pong')
  await bridge.settle(socket)
  return socket.frames.all.slice(before).filter((frame) => frame['type'] !== 'pong')
}

describe('connecting', () => {
  test(
    'the first frames are hello and active_sessions' +
      verifies(
        'A:ws.endpoint',
        'A:ws.token-query',
        'A:ws.hello',
        'A:ws.active-sessions',
        'A:ws.typed-frames',
      ),
    async () => {
      await bridge.post('SessionStart', { session_id: 'first', source: 'startup' })
      await using socket = await bridge.ws()
      await bridge.settle(socket)
      expect(socket.frames.all).toEqual([
        {
          type: 'hello',
          client_id: expect.stringMatching(/^ws_[0-9a-f-]{36}$/),
          server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        },
        { type: 'active_sessions', session_ids: expect.arrayContaining(['first']) },
      ])
    },
  )

  test('active_sessions comes again whenever the list changes, and only then', async () => {
    await using socket = await bridge.ws()
    const lists = (
      await received(socket, async () => {
        await bridge.post('SessionStart', { session_id: 'comes', source: 'startup' })
        await bridge.post('Notification', { session_id: 'comes', message: 'x' })
        await bridge.post('SessionEnd', { session_id: 'comes' })
      })
    ).filter((frame) => frame['type'] === 'active_sessions')
    expect(lists.map((frame) => JSON.stringify(frame['session_ids']).includes('"comes"'))).toEqual([
      true,
      false,
    ])
  })

  test.each([
    ['no token', { token: null }],
    ['a wrong token of the same length', { token: 'x'.repeat('test-master-token-0123456789abcdef'.length) }],
    ['a wrong token of another length', { token: 'x' }],
    ['an empty token', { token: '' }],
    [
      'a token in a cookie only',
      { token: null, headers: { cookie: 'token=test-master-token-0123456789abcdef' } },
    ],
    ['a used-up ticket', { token: null, path: '/ws?ticket=nobody' }],
    [
      'two tokens that differ',
      { token: 'x', headers: { authorization: 'Bearer test-master-token-0123456789abcdef' } },
    ],
  ])('%s is accepted and then closed with 4401' + verifies('A:ws.bad-token'), async (_name, options) => {
    const socket = await openTestSocket(bridge.url, options)
    expect(await socket.closed).toEqual({ code: 4401, reason: 'unauthorized' })
    expect(socket.frames.all).toEqual([])
  })

  test.each([
    ['Authorization: Bearer', { authorization: 'Bearer test-master-token-0123456789abcdef' }],
    ['authorization: bearer', { authorization: 'bearer test-master-token-0123456789abcdef' }],
    ['X-Bridge-Token', { 'x-bridge-token': 'test-master-token-0123456789abcdef' }],
  ])('the token is also taken from %s', async (_name, headers) => {
    await using socket = await openTestSocket(bridge.url, { headers })
    expect(await socket.frames.next()).toMatchObject({ type: 'hello' })
  })

  test('a ticket lets in once, with the rights of who asked for it', async () => {
    const answer = await bridge.call('/api/tickets', {
      method: 'POST',
      token: await bridge.createToken(['read']),
    })
    const { ticket }: { ticket?: unknown } = JSON.parse(answer.text)
    const path = `/ws?ticket=${String(ticket)}`
    await using socket = await openTestSocket(bridge.url, { path })
    expect(await socket.frames.next()).toMatchObject({ type: 'hello' })
    socket.send({ type: 'startVerb', verb: 'x' })
    expect(await socket.frames.nextOf('error')).toMatchObject({ message: 'forbidden' })
    const again = await openTestSocket(bridge.url, { path })
    expect((await again.closed).code).toBe(4401)
  })

  test.each(['/', '/ws/', '/other', '/ws2'])('%s is no WebSocket', async (path) => {
    const socket = new WebSocket(`${bridge.url.replace('http', 'ws')}${path}?token=${bridge.token}`)
    const [, response] = await once(socket, 'unexpected-response')
    expect(response.statusCode).toBe(404)
    response.destroy()
  })
})

describe('what a client sends, and what everybody receives', () => {
  let sender: TestSocket
  let other: TestSocket
  beforeAll(async () => {
    sender = await bridge.ws()
    other = await bridge.ws()
  })

  /** Sends, and returns what both sockets received of it. */
  async function exchange(frame: Frame): Promise<Frame[]> {
    const before = other.frames.all.length
    const own = await received(sender, () => sender.send(frame))
    await bridge.settle(other)
    const others = other.frames.all.slice(before)
    expect(others).toEqual(own.filter(({ type }) => type !== 'error'))
    return own
  }

  const signed = { by: expect.stringMatching(/^ws_/), ts: expect.any(Number) }

  test('send_message' + verifies('A:ws.send-message'), async () => {
    const meta = { user: 'ann', 'bad-name': 'x' }
    expect(await exchange({ type: 'send_message', content: 'hi', chat_id: 'ws1', meta })).toEqual([
      {
        type: 'inbound_message',
        content: 'hi',
        chat_id: 'ws1',
        client_id: expect.stringMatching(/^ws_/),
        meta: { user: 'ann' },
      },
    ])
    const [minted] = await exchange({ type: 'send_message', content: 'hi' })
    expect(minted?.['chat_id']).toMatch(/^chat_/)
    expect((await bridge.call('/api/messages/ws1')).json).toMatchObject({
      messages: [{ direction: 'inbound', content: 'hi' }],
    })
  })

  test(
    'permission_verdict resolves the request it names, and tells everybody' +
      verifies(
        'A:ws.permission-request',
        'A:ws.permission-request-event',
        'A:ws.permission-verdict',
        'A:ws.permission-resolved',
      ),
    async () => {
      await bridge.post('PermissionRequest', {
        session_id: 'ws-perm',
        tool_name: 'Bash',
        tool_input: { command: 'make', description: 'Build it' },
      })
      const event = await other.frames.next(({ event }) =>
        JSON.stringify(event)?.includes('permission.requested'),
      )
      const request = await other.frames.nextOf('permission_request')
      const { request_id: id } = request
      expect(event['event']).toMatchObject({ request_id: id, activity: { summary: 'make' } })
      expect(request).toMatchObject({
        activity: { kind: 'shell.exec', tool: 'Bash', summary: 'make' },
        opened_at: expect.any(Number),
      })
      await bridge.settle(sender)

      expect(await exchange({ type: 'permission_verdict', request_id: id, behavior: 'deny' })).toEqual([
        { type: 'permission_resolved', request_id: id, behavior: 'deny', by: 'remote' },
      ])
      expect((await bridge.call('/api/permissions')).text).not.toContain(String(id))

      const late = await received(sender, () =>
        sender.send({ type: 'permission_verdict', request_id: id, behavior: 'allow' }),
      )
      expect(late).toEqual([{ type: 'verdict_refused', request_id: id, note: expect.any(String) }])
    },
  )

  test(
    'set_servo_position carries position and angle, rounded and bounded' +
      verifies('A:ws.set-servo-position'),
    async () => {
      const servo = (position: number, durationMs: number) => [
        { type: 'set_servo_position', position, angle: position, duration_ms: durationMs, ...signed },
      ]
      expect(await exchange({ type: 'set_servo_position', position: 12.6 })).toEqual(servo(13, 5_000))
      const long = { type: 'set_servo_position', position: -90, duration_ms: 90_000 }
      expect(await exchange(long)).toEqual(servo(-90, 60_000))
      expect(await exchange({ ...long, position: 90, duration_ms: 0 })).toEqual(servo(90, 0))
    },
  )

  test('setColor, by key or name, nested or flat' + verifies('A:ws.set-color'), async () => {
    const sent = [{ type: 'setColor', key: 'thinking', r: 1, g: 2, b: 3, ...signed }]
    const color = { r: 1, g: 2, b: 3 }
    expect(await exchange({ type: 'setColor', key: 'thinking', color })).toEqual(sent)
    expect(await exchange({ type: 'setColor', name: 'thinking', ...color })).toEqual(sent)
  })

  test('config_change' + verifies('A:ws.config-change'), async () => {
    for (const change of [{ display_mode: 'face' }, { display_mode: 'text' }, { motors_disabled: true }]) {
      expect(await exchange({ type: 'config_change', ...change })).toEqual([
        { type: 'config_change', ...change, ...signed },
      ])
    }
  })

  test(
    'startVerb, clearVerb, setOverlay' + verifies('A:ws.start-verb', 'A:ws.clear-verb', 'A:ws.set-overlay'),
    async () => {
      const frames: [Frame, Frame][] = [
        [
          { type: 'startVerb', verb: 'reading' },
          { type: 'startVerb', verb: 'reading' },
        ],
        [{ type: 'clearVerb' }, { type: 'clearVerb' }],
        [
          { type: 'setOverlay', verb: 'waking' },
          { type: 'setOverlay', verb: 'waking' },
        ],
        [
          { type: 'setOverlay', verb: 'waking', duration_ms: 500_000 },
          { type: 'setOverlay', verb: 'waking', duration_ms: 120_000 },
        ],
      ]
      for (const [sent, broadcast] of frames) expect(await exchange(sent)).toEqual([broadcast])
    },
  )

  test('emotion.command' + verifies('A:ws.emotion-command'), async () => {
    const frame = { type: 'emotion.command', action: 'setValence', params: { value: 0.5 } }
    expect(await exchange(frame)).toEqual([frame])
    expect(await exchange({ type: 'emotion.command', action: 'reset' })).toEqual([
      { type: 'emotion.command', action: 'reset' },
    ])
  })

  test(
    'emit_agent_event puts an event into the stream' +
      verifies('A:ws.emit-agent-event', 'A:ws.emit-agent-event-ids'),
    async () => {
      const event = { kind: 'notification', text: 'simulated' }
      const envelope = (over: Frame) => ({ type: 'agent_event', ts: expect.any(Number), event, ...over })
      const emit = async (over: Frame) =>
        (await exchange({ type: 'emit_agent_event', event, ...over })).filter(
          ({ type }) => type === 'agent_event',
        )
      const ids = { session_id: 'ws-emit', turn_id: 't7' }
      expect(await emit({ agent: 'codex', ...ids })).toEqual([envelope({ agent: 'codex', ...ids })])
      expect(await emit({})).toEqual([envelope({ agent: 'simulator' })])
      expect(await emit({ agent: 'nobody' })).toEqual([envelope({ agent: 'simulator' })])
      expect((await bridge.call('/api/sessions')).text).toContain('ws-emit')
    },
  )

  test('every kind of the vocabulary can be simulated, and a request among them opens nothing', async () => {
    const activity = { id: 'a', kind: 'file.read', tool: 'Read', summary: 'x' }
    const required: Frame = {
      text: 't',
      activity,
      request_id: 'simulated',
      decision: 'allow',
      items: [],
      subagent_id: 's',
    }
    for (const kind of agentEventKinds) {
      const own = await exchange({
        type: 'emit_agent_event',
        session_id: 'all-kinds',
        event: { kind, ...required },
      })
      expect([kind, own.filter(({ type }) => type === 'error')]).toEqual([kind, []])
      expect(own.map(({ event }) => event)).toContainEqual(expect.objectContaining({ kind }))
    }
    expect((await bridge.call('/api/permissions')).text).not.toContain('simulated')
  })

  test(
    'request_sessions and ping are answered to who asked' +
      verifies('A:ws.request-sessions', 'A:ws.ping', 'A:ws.pong'),
    async () => {
      const before = other.frames.all.length
      sender.send({ type: 'request_sessions' })
      expect(await sender.frames.nextOf('active_sessions')).toEqual({
        type: 'active_sessions',
        session_ids: expect.any(Array),
      })
      sender.send({ type: 'ping' })
      expect(await sender.frames.nextOf('pong')).toEqual({ type: 'pong' })
      await bridge.settle(other)
      expect(other.frames.all.length).toBe(before)
    },
  )
})

describe('malformed frames are answered with their code, and the socket stays open', () => {
  let socket: TestSocket
  beforeAll(async () => {
    socket = await bridge.ws()
  })

  const cases: [unknown, string][] = [
    ['{', 'invalid_json'],
    ['', 'invalid_json'],
    ['ping', 'invalid_json'],
    [[], 'missing_type'],
    [null, 'missing_type'],
    [5, 'missing_type'],
    ['"ping"', 'missing_type'],
    [{}, 'missing_type'],
    [{ type: 5 }, 'missing_type'],
    [{ type: '' }, 'missing_type'],
    [{ type: 'toString' }, 'unknown_type:toString'],
    [{ type: '__proto__' }, 'unknown_type:__proto__'],
    [{ type: 'sendMessage' }, 'unknown_type:sendMessage'],
    [{ type: 'send_message' }, 'content_required'],
    [{ type: 'send_message', content: '' }, 'content_required'],
    [{ type: 'send_message', content: 5 }, 'content_required'],
    [{ type: 'permission_verdict' }, 'invalid_verdict'],
    [{ type: 'permission_verdict', request_id: 'x' }, 'invalid_verdict'],
    [{ type: 'permission_verdict', request_id: 'x', behavior: 'maybe' }, 'invalid_verdict'],
    [{ type: 'permission_verdict', behavior: 'allow' }, 'invalid_verdict'],
    [{ type: 'set_servo_position' }, 'invalid_servo_position'],
    [{ type: 'set_servo_position', position: 90.5 }, 'invalid_servo_position'],
    [{ type: 'set_servo_position', position: -91 }, 'invalid_servo_position'],
    [{ type: 'set_servo_position', position: '5' }, 'invalid_servo_position'],
    [{ type: 'set_servo_position', angle: 5 }, 'invalid_servo_position'],
    [{ type: 'setColor' }, 'invalid_set_color'],
    [{ type: 'setColor', key: 'x', color: { r: 1, g: 2 } }, 'invalid_set_color'],
    [{ type: 'setColor', key: 'x', color: { r: 1, g: 2, b: 256 } }, 'invalid_set_color'],
    [{ type: 'setColor', color: { r: 1, g: 2, b: 3 } }, 'invalid_set_color'],
    [{ type: 'config_change' }, 'invalid_config_change'],
    [{ type: 'config_change', display_mode: 'movie' }, 'invalid_config_change'],
    [{ type: 'config_change', motors_disabled: 'yes' }, 'invalid_config_change'],
    [{ type: 'emit_agent_event' }, 'invalid_emit_agent_event'],
    [{ type: 'emit_agent_event', event: { kind: 'agent.thinking' } }, 'invalid_emit_agent_event'],
    [{ type: 'emit_agent_event', event: { kind: 'message.user' } }, 'invalid_emit_agent_event'],
    [{ type: 'startVerb' }, 'invalid_verb'],
    [{ type: 'startVerb', verb: '' }, 'invalid_verb'],
    [{ type: 'setOverlay', duration_ms: 5 }, 'invalid_verb'],
    [{ type: 'setOverlay', verb: 'x', duration_ms: -5 }, 'invalid_verb'],
    [{ type: 'emotion.command' }, 'invalid_emotion_command'],
    [{ type: 'emotion.command', action: 'a', params: [] }, 'invalid_emotion_command'],
    [{ type: 'subscribe', after: {} }, 'invalid_subscribe'],
    [{ type: 'subscribe', kinds: 'turn.ended' }, 'invalid_subscribe'],
    [`{"type":"send_message","content":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'body_too_deep'],
  ]
  test.each(cases)(
    '%j' + verifies('A:ws.error', 'A:ws.set-servo-position-range', 'A:ws.permission-verdict-values'),
    async (frame, code) => {
      const own = await received(socket, () =>
        socket.raw.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
      )
      expect(own).toEqual([{ type: 'error', message: code, detail: expect.any(String) }])
    },
  )

  test('a binary frame is no JSON, and an endless type comes back short', async () => {
    const [binary] = await received(socket, () => socket.raw.send(Buffer.from([1, 2, 3])))
    expect(binary).toMatchObject({ type: 'error', message: 'invalid_json' })
    const [endless] = await received(socket, () => socket.send({ type: 'x'.repeat(100_000) }))
    expect(JSON.stringify(endless).length).toBeLessThan(500)
  })

  test('text that is no UTF-8 ends that socket alone, with the code of the protocol', async () => {
    const broken = await bridge.ws()
    broken.raw.send(Buffer.from([0xff, 0xfe, 0x00]), { binary: false })
    expect((await broken.closed).code).toBe(1007)
    await received(socket, () => {})
  })

  test('a frame beyond a megabyte ends that socket alone', async () => {
    const large = await bridge.ws()
    large.raw.send('x'.repeat(1_000_001))
    expect((await large.closed).code).toBe(1009)
    await received(socket, () => {})
  })
})

describe('a client that never subscribes', () => {
  test(
    'receives the frames of the seed and no others, without a place in the log' +
      verifies('A:ws.plain-client'),
    async () => {
      await using plain = await bridge.ws()
      await using subscriber = await bridge.ws({ subscribe: {} })
      await subscriber.frames.nextOf('subscribed')
      const session = { session_id: 'plain' }
      await bridge.post('SessionStart', { ...session, source: 'startup' })
      await bridge.post('UserPromptSubmit', { ...session, prompt: 'go' })
      await bridge.post('PermissionRequest', { ...session, tool_name: 'Bash', tool_input: { command: 'ls' } })
      await bridge.post('Stop', session)
      await bridge.call('/api/messages', { method: 'POST', body: { content: 'x' } })
      await bridge.call('/api/raw/verb/clear', { method: 'POST' })
      await bridge.post('SessionEnd', session)
      await bridge.settle(plain)
      await bridge.settle(subscriber)
      const types = new Set(plain.frames.all.map(({ type }) => String(type)))
      expect([...types].sort((a, b) => a.localeCompare(b))).toEqual([
        'active_sessions',
        'agent_event',
        'clearVerb',
        'hello',
        'inbound_message',
        'permission_request',
        'permission_resolved',
      ])
      for (const frame of plain.frames.all) {
        expect(Object.keys(frame)).not.toContain('seq')
        expect(Object.keys(frame)).not.toContain('contact')
      }
      expect(subscriber.frames.ofType('contact_changed').length).toBeGreaterThan(0)
      const withoutPlace = subscriber.frames.events
      expect(plain.frames.events).toEqual(withoutPlace)
    },
  )

  test(
    'every subscriber receives each event once, in order' + verifies('A:ingest.fan-out', 'A:stream.one-type'),
    async () => {
      const sockets = await Promise.all(Array.from({ length: 5 }, () => bridge.ws()))
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          bridge.post('Notification', {
            session_id: `fan-${n % 3}`,
            message: `n${n}`,
            notification_type: 'other',
          }),
        ),
      )
      for (const socket of sockets) await bridge.settle(socket)
      const [first, ...rest] = sockets.map(({ frames }) => frames.events)
      const sent = Array.from({ length: 50 }, (_, n) => `n${n}`)
      expect(new Set(first?.map((event) => event['text']))).toEqual(new Set(sent))
      expect(first?.length).toBe(sent.length)
      for (const events of rest) expect(events).toEqual(first)
      for (const socket of sockets) await socket.close()
    },
  )
})
