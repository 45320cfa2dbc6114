import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentEventKinds } from '../../src/protocol/index.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import type { Frame } from '../fixtures/frames.ts'
import type { TestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

/** `/ws` of seed agent-bridge-readme, "WebSocket API", frame by frame. */
let bridge: TestDaemon
beforeAll(async () => {
  bridge = await openTestDaemon()
})
afterAll(() => bridge.close())

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
    const own = await bridge.received(sender, () => sender.send(frame))
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

      const late = await bridge.received(sender, () =>
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
