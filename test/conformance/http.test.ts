import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../src/core/clock.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame } from '../fixtures/frames.ts'
import { verifies } from '../requirements.ts'

/** The HTTP surface of seed agent-bridge-readme, "HTTP API", row by row. */
let bridge: TestDaemon
const clock = new ManualClock(Date.now())
beforeAll(async () => {
  bridge = await openTestDaemon({ clock })
})
afterAll(() => bridge.close())

const post = (path: string, body: unknown) => bridge.call(path, { method: 'POST', body })
const askPermission = (id: string, session: string, command = 'rm -rf build') =>
  bridge.post('PermissionRequest', {
    session_id: session,
    tool_name: 'Bash',
    tool_use_id: id,
    tool_input: { command },
  })

async function openRequests(): Promise<Readonly<Record<string, unknown>>[]> {
  const list = (await bridge.call('/api/permissions')).json
  return Array.isArray(list) ? list.map(asFrame) : []
}

describe('health', () => {
  test.each(['/api/health', '/healthz'])(
    'GET %s needs no token and names the adapters' + verifies('A:http.health', 'A:http.health-adapters'),
    async (path) => {
      const answer = await bridge.call(path, { token: null })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      expect(answer.json).toMatchObject({
        ok: true,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        uptime_seconds: expect.any(Number),
        agents: ['claude', 'codex', 'cursor', 'opencode', 'gemini', 'simulator'],
      })
    },
  )
})

describe('hooks', () => {
  test(
    'POST /hooks/:agent takes a hook in and answers 204 without a body' +
      verifies('A:http.hooks', 'A:hooks.body'),
    async () => {
      await using socket = await bridge.ws()
      const answer = await post('/hooks/claude', {
        hook_type: 'Notification',
        payload: { session_id: 'hook-1', message: 'look here', notification_type: 'other' },
      })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(await socket.frames.nextOf('agent_event')).toMatchObject({
        agent: 'claude',
        session_id: 'hook-1',
        event: { kind: 'notification', text: 'look here' },
      })
    },
  )

  test("an agent's own body is taken as it is", async () => {
    await using socket = await bridge.ws()
    const answer = await post('/hooks/claude', {
      hook_event_name: 'SessionStart',
      session_id: 'hook-2',
      source: 'resume',
      cwd: '/work/a',
    })
    expect(answer.status).toBe(204)
    expect(await socket.frames.nextOf('agent_event')).toMatchObject({
      session_id: 'hook-2',
      event: { kind: 'session.started', cause: 'resume' },
    })
  })

  test('simulator is an agent like any other' + verifies('A:agents.simulator'), async () => {
    await using socket = await bridge.ws()
    await bridge.post('UserPromptSubmit', { session_id: 'hook-3', prompt: 'hi' }, 'simulator')
    expect(await socket.frames.nextOf('agent_event')).toMatchObject({
      agent: 'simulator',
      session_id: 'hook-3',
      event: { kind: 'turn.started' },
    })
  })

  test('the agent in the address may be written in any case', async () => {
    await using socket = await bridge.ws()
    await bridge.post('Stop', { session_id: 'hook-4' }, 'CLAUDE')
    await bridge.post('Notification', { session_id: 'hook-4', message: 'x' }, 'Claude')
    expect(await socket.frames.nextOf('agent_event')).toMatchObject({ agent: 'claude' })
  })

  test('a hook of an agent nobody knows is accepted, says nothing, and counts as a session', async () => {
    await using socket = await bridge.ws()
    await bridge.post('whatever', { session_id: 'unknown-agent-1' }, 'aider')
    await bridge.settle(socket)
    expect(socket.frames.events).toEqual([])
    expect((await bridge.call('/api/sessions')).json).toMatchObject({
      session_ids: expect.arrayContaining(['unknown-agent-1']),
    })
    await bridge.post('SessionEnd', { session_id: 'unknown-agent-1' }, 'aider')
    expect((await bridge.call('/api/sessions')).text).not.toContain('unknown-agent-1')
  })

  test.each([
    ['no hook type', { payload: { session_id: 'x' } }, 'hook_type_required'],
    ['an empty hook type', { hook_type: '', payload: {} }, 'hook_type_required'],
    ['a hook type that is no text', { hook_type: 7, payload: {} }, 'hook_type_required'],
    ['a list', [1, 2], 'hook_type_required'],
    ['null', 'null', 'hook_type_required'],
    ['no JSON', '{"hook_type":', 'invalid_json'],
    ['nothing', '', 'hook_type_required'],
  ])('%s is 400', async (_name, body, code) => {
    const answer = await post('/hooks/claude', body)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: code, message: expect.any(String) })
  })

  test('POST /hooksRaw/:agent takes classified events, in the session "debug" unless they say another', async () => {
    await using socket = await bridge.ws()
    const answer = await post('/hooksRaw/simulator', {
      hook_type: 'anything',
      events: [
        { event: { kind: 'notification', text: 'one' } },
        { event: { kind: 'thinking', text: 'two' }, session_id: 'raw-1', turn_id: 't1' },
      ],
    })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const ts = expect.any(Number)
    expect(await socket.frames.nextOf('agent_event')).toEqual({
      type: 'agent_event',
      agent: 'simulator',
      ts,
      session_id: 'debug',
      event: { kind: 'notification', text: 'one' },
    })
    expect(await socket.frames.nextOf('agent_event')).toEqual({
      type: 'agent_event',
      agent: 'simulator',
      ts,
      session_id: 'raw-1',
      turn_id: 't1',
      event: { kind: 'thinking', text: 'two' },
    })
  })

  test.each([
    ['no events', {}],
    ['a kind nobody knows', { events: [{ event: { kind: 'agent.idle' } }] }],
    ['an event of a wrong shape', { events: [{ event: { kind: 'message.user' } }] }],
  ])('%s is 400', async (_name, body) => {
    const answer = await post('/hooksRaw/simulator', body)
    expect([answer.status, asFrame(answer.json)['error']]).toEqual([400, 'events_required'])
  })
})

describe('messages', () => {
  test(
    'a posted message is broadcast, kept in its chat, and given to no agent' +
      verifies(
        'A:http.messages-create',
        'A:http.messages-list',
        'A:http.messages-not-delivered',
        'A:ws.inbound-message',
      ),
    async () => {
      await using socket = await bridge.ws()
      const meta = { user: 'ann', 'not-a-name': 'x', count: 3, _ok: 'y' }
      const first = await post('/api/messages', { content: 'one', chat_id: 'c1', meta })
      expect([first.status, first.json]).toEqual([200, { chat_id: 'c1', status: 'forwarded' }])
      await post('/api/messages', { content: 'two ünïcode 🦊', chat_id: 'c1' })
      await bridge.settle(socket)
      expect(socket.frames.all.slice(2)).toEqual([
        {
          type: 'inbound_message',
          content: 'one',
          chat_id: 'c1',
          client_id: expect.stringMatching(/^http_/),
          meta: { user: 'ann', _ok: 'y' },
        },
        {
          type: 'inbound_message',
          content: 'two ünïcode 🦊',
          chat_id: 'c1',
          client_id: expect.stringMatching(/^http_/),
          meta: {},
        },
      ])
      expect((await bridge.call('/api/messages/c1')).json).toEqual({
        chat_id: 'c1',
        messages: [
          { direction: 'inbound', content: 'one', ts: clock.now(), client_id: expect.any(String) },
          { direction: 'inbound', content: 'two ünïcode 🦊', ts: clock.now(), client_id: expect.any(String) },
        ],
      })
    },
  )

  test('without a chat a new one is begun', async () => {
    const answer = await post('/api/messages', { content: 'x' })
    expect(answer.json).toEqual({
      chat_id: expect.stringMatching(/^chat_[0-9a-f-]{36}$/),
      status: 'forwarded',
    })
  })

  test('a chat nobody wrote to is an empty list', async () => {
    expect((await bridge.call('/api/messages/nobody')).json).toEqual({ chat_id: 'nobody', messages: [] })
  })

  test.each([[{}], [{ content: '' }], [{ content: 5 }], ['']])('%j is 400 content_required', async (body) => {
    const answer = await post('/api/messages', body)
    expect([answer.status, asFrame(answer.json)['error']]).toEqual([400, 'content_required'])
  })
})

describe('state and sessions', () => {
  test('GET /api/state has chats, open permissions and uptime' + verifies('A:http.state'), async () => {
    await post('/api/messages', { content: 'x', chat_id: 'state' })
    await askPermission('toolu_state', 'state-1', 'make state')
    const answer = await bridge.call('/api/state')
    expect(answer.json).toMatchObject({
      chats: expect.arrayContaining([{ chat_id: 'state', message_count: 1, last_ts: clock.now() }]),
      pending_permissions: expect.arrayContaining([
        expect.objectContaining({ activity: expect.objectContaining({ summary: 'make state' }) }),
      ]),
      uptime_seconds: expect.any(Number),
    })
  })

  test(
    'GET /api/sessions lists who had a hook in the last ten minutes' +
      verifies('A:http.sessions', 'A:http.sessions-expire'),
    async () => {
      await using other = await openTestDaemon({ clock })
      const ids = async () => asFrame((await other.call('/api/sessions')).json)['session_ids']
      await other.post('SessionStart', { session_id: 'a', source: 'startup' })
      await other.post('UserPromptSubmit', { session_id: 'b', prompt: 'x' })
      expect(await ids()).toEqual(['a', 'b'])
      await other.post('SessionEnd', { session_id: 'b' })
      expect(await ids()).toEqual(['a'])
      clock.advance(10 * 60_000)
      expect(await ids()).toEqual(['a'])
      clock.advance(1)
      expect(await ids()).toEqual([])
    },
  )
})

describe('permissions', () => {
  test(
    'an open request is listed, resolved once, and told to everybody' +
      verifies(
        'A:http.permissions-list',
        'A:http.permissions-resolve',
        'A:permissions.resolve-clears',
        'A:permissions.resolve-broadcasts',
        'A:permissions.prompt-stands',
      ),
    async () => {
      await using one = await bridge.ws()
      await using two = await bridge.ws()
      await askPermission('toolu_p1', 'perm-1')
      const requested = await one.frames.nextOf('permission_request')
      const id = String(requested['request_id'])
      expect(await openRequests()).toContainEqual({
        request_id: id,
        activity: expect.objectContaining({ kind: 'shell.exec', tool: 'Bash', summary: 'rm -rf build' }),
        opened_at: clock.now(),
      })

      const answer = await post(`/api/permissions/${id}`, { behavior: 'allow' })
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          request_id: id,
          behavior: 'allow',
          applied: true,
          reached: false,
          note: expect.stringMatching(/still/),
        },
      ])
      for (const socket of [one, two]) {
        expect(await socket.frames.nextOf('permission_resolved')).toEqual({
          type: 'permission_resolved',
          request_id: id,
          behavior: 'allow',
          by: 'remote',
        })
      }
      expect((await openRequests()).map((request) => request['request_id'])).not.toContain(id)

      const again = await post(`/api/permissions/${id}`, { behavior: 'deny' })
      expect(again.json).toMatchObject({ request_id: id, behavior: 'deny', applied: false, reached: false })
      await bridge.settle(one)
      expect(one.frames.ofType('permission_resolved').length).toBe(1)
    },
  )

  test('an id nobody knows is answered, not applied, and told to nobody', async () => {
    await using socket = await bridge.ws()
    const answer = await post('/api/permissions/nobody', { behavior: 'deny' })
    expect([answer.status, answer.json]).toEqual([
      200,
      { request_id: 'nobody', behavior: 'deny', applied: false, reached: false, note: expect.any(String) },
    ])
    await bridge.settle(socket)
    expect(socket.frames.ofType('permission_resolved')).toEqual([])
  })

  test.each([[{}], [{ behavior: 'maybe' }], [{ behavior: true }]])('%j is 400', async (body) => {
    const answer = await post('/api/permissions/x', body)
    expect([answer.status, asFrame(answer.json)['error']]).toEqual([400, 'behavior_must_be_allow_or_deny'])
  })

  test('a request ends with its turn, its session, and with an agent that went silent', async () => {
    await using other = await openTestDaemon({ clock })
    await using socket = await other.ws()
    const ask = async (session: string) => {
      await other.post('PermissionRequest', {
        session_id: session,
        tool_name: 'Bash',
        tool_use_id: `toolu_${session}`,
        tool_input: { command: session },
      })
      return (await socket.frames.nextOf('permission_request'))['request_id']
    }
    const byTurn = await ask('by-turn')
    await other.post('Stop', { session_id: 'by-turn' })
    const bySession = await ask('by-session')
    await other.post('SessionEnd', { session_id: 'by-session' })
    await other.settle(socket)
    const resolved = socket.frames.ofType('permission_resolved')
    expect(resolved.map((frame) => [frame['request_id'], frame['by']])).toEqual([
      [byTurn, 'agent'],
      [bySession, 'agent'],
    ])
    for (const frame of resolved) expect(frame['reason']).toEqual(expect.any(String))
    expect((await other.call('/api/permissions')).json).toEqual([])
  })
})
