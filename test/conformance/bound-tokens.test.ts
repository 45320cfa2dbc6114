import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame, type Frame } from '../fixtures/frames.ts'

/** A token that is bound to a contact: nothing of the others reaches it, and it reaches nothing of theirs. */
let bridge: TestDaemon
beforeAll(async () => {
  bridge = await openTestDaemon()
})
afterAll(() => bridge.close())

describe('a token that is bound to a contact', () => {
  let bound: string
  let mine: Frame
  let other: Frame
  beforeAll(async () => {
    for (const session of ['bound-mine', 'bound-other']) {
      await bridge.post('SessionStart', { session_id: session, source: 'startup', cwd: `/work/${session}` })
      await bridge.post('PermissionRequest', {
        session_id: session,
        tool_name: 'Bash',
        tool_input: { command: session },
      })
    }
    const { contacts } = asFrame((await bridge.call('/sessions')).json)
    const list = Array.isArray(contacts) ? contacts.map(asFrame) : []
    mine = list.find((contact) => contact['session_id'] === 'bound-mine') ?? {}
    other = list.find((contact) => contact['session_id'] === 'bound-other') ?? {}
    bound = await bridge.createToken(['ingest', 'read', 'send', 'approve'], [String(mine['id'])])
  })

  /** Whatever the bound token is shown must not name the other contact in any way. */
  function expectOnlyMine(text: string): void {
    expect(text).toContain('bound-mine')
    for (const trace of ['bound-other', String(other['id'])]) expect(text).not.toContain(trace)
  }

  test.each([
    '/status',
    '/sessions',
    '/api/history?limit=1000',
    '/api/sessions',
    '/api/permissions',
    '/api/requests',
    '/api/state',
  ])('GET %s shows only its own', async (path) => {
    expectOnlyMine((await bridge.call(path, { token: bound })).text)
    expect((await bridge.call(path)).text).toContain('bound-other')
  })

  test('the other one does not exist for it, by id or by name', async () => {
    for (const key of ['id', 'name']) {
      const own = await bridge.call(`/sessions/${String(mine[key])}`, { token: bound })
      expect(own.json).toMatchObject({ id: mine['id'] })
      const foreign = await bridge.call(`/sessions/${String(other[key])}`, { token: bound })
      expect([foreign.status, asFrame(foreign.json)['error']]).toEqual([404, 'contact_not_found'])
      const page = await bridge.call(`/api/history?contact=${String(other[key])}`, { token: bound })
      expect(page.status).toBe(404)
    }
  })

  test('streams carry only its own, live, replayed, and in a snapshot', async () => {
    await using plain = await bridge.ws({ token: bound })
    await using subscriber = await bridge.ws({ token: bound, subscribe: { after: 0 } })
    await using asking = await bridge.ws({
      token: bound,
      subscribe: { after: 0, contacts: [String(other['id'])] },
    })
    await using lost = await bridge.ws({ token: bound, subscribe: { after: 'lost:1' } })
    await using sse = await bridge.sse({ token: bound, path: '/events?after=0' })
    await using lostSse = await bridge.sse({ token: bound, lastEventId: 'lost:1' })
    await lost.frames.nextOf('snapshot')
    await lostSse.frames.nextOf('snapshot')
    for (const session of ['bound-other', 'bound-mine'])
      await bridge.post('Notification', {
        session_id: session,
        message: `of ${session}`,
        notification_type: 'other',
      })
    for (const stream of [plain, subscriber, lost, sse, lostSse]) {
      await bridge.settle(stream)
      expectOnlyMine(JSON.stringify(stream.frames.all))
    }
    asking.send({ type: 'ping' })
    await asking.frames.nextOf('pong')
    expect(asking.frames.seqs).toEqual([])
  })

  test('it decides only on its own requests', async () => {
    const requestOf = async (session: string) => {
      const list = (await bridge.call('/api/permissions')).json
      const found = (Array.isArray(list) ? list.map(asFrame) : []).find(
        (request) => asFrame(request['activity'])['summary'] === session,
      )
      return found?.['request_id']
    }
    const foreign = await requestOf('bound-other')
    const verdict = { method: 'POST', token: bound, body: { behavior: 'allow' } }
    const answer = await bridge.call(`/api/permissions/${String(foreign)}`, verdict)
    expect(answer.json).toMatchObject({ applied: false })
    await using socket = await bridge.ws({ token: bound })
    socket.send({ type: 'permission_verdict', request_id: foreign, behavior: 'allow' })
    expect(await socket.frames.nextOf('verdict_refused')).toMatchObject({ request_id: foreign })
    expect(await requestOf('bound-other')).toBe(foreign)
    const own = await bridge.call(`/api/permissions/${String(await requestOf('bound-mine'))}`, verdict)
    expect(own.json).toMatchObject({ applied: true })
  })

  test('its hooks are its own, whatever they claim', async () => {
    const hook = (headers: Record<string, string>, payload: Frame) =>
      bridge.call('/hooks/claude', {
        method: 'POST',
        token: bound,
        headers,
        body: { hook_type: 'Notification', payload: { notification_type: 'other', ...payload } },
      })
    await using socket = await bridge.ws({ subscribe: {} })
    await socket.frames.nextOf('subscribed')
    const claims = [
      hook({}, { session_id: 'bound-other', message: '1' }),
      hook({ 'x-bridge-agent-pid': '1', 'x-bridge-pane': '%1' }, { message: '2' }),
    ]
    for (const { status } of await Promise.all(claims)) expect(status).toBe(204)
    const claimed = await hook({ 'x-bridge-contact': String(other['id']) }, { session_id: 'x', message: '3' })
    expect([claimed.status, asFrame(claimed.json)['error']]).toEqual([404, 'contact_not_found'])
    const raw = { events: [{ session_id: 'bound-other', event: { kind: 'thinking', text: '4' } }] }
    await bridge.call('/hooksRaw/claude', { method: 'POST', token: bound, body: raw })
    await using emitter = await bridge.ws({ token: bound })
    emitter.send({ type: 'emit_agent_event', agent: 'claude', event: { kind: 'thinking', text: '5' } })
    await socket.frames.next(({ event }) => asFrame(event)['text'] === '5')
    const events = socket.frames.ofType('agent_event')
    const texts = events.map(({ event }) => String(asFrame(event)['text']))
    expect(texts.toSorted((a, b) => a.localeCompare(b))).toEqual(['1', '2', '4', '5'])
    for (const event of events) expect(event['contact']).toBe(mine['id'])
  })
})
