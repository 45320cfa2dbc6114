import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EventLog } from '../../src/store/log.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame, type Frame, type FrameList } from '../fixtures/frames.ts'
import { verifies } from '../requirements.ts'

/** A stream of either transport, as far as resuming goes. */
interface Stream extends AsyncDisposable {
  readonly frames: FrameList
  close(): Promise<void>
}

interface Asked {
  readonly after?: string
  readonly contacts?: readonly string[]
  readonly kinds?: readonly string[]
}

const transports = {
  WebSocket: (bridge: TestDaemon, asked: Asked): Promise<Stream> => bridge.ws({ subscribe: { ...asked } }),
  SSE: (bridge: TestDaemon, { after, contacts, kinds }: Asked): Promise<Stream> => {
    const query = new URLSearchParams({
      ...(contacts && { contacts: contacts.join(',') }),
      ...(kinds && { kinds: kinds.join(',') }),
    })
    return bridge.sse({
      path: `/events?${query.toString()}`,
      ...(after !== undefined && { lastEventId: after }),
    })
  },
}

/** The place a client has reached, as it would send it. */
function cursorOf({ frames }: Stream): string {
  const subscribed = frames.ofType('subscribed').at(-1)
  return `${String(subscribed?.['epoch'])}:${frames.seqs.at(-1) ?? String(subscribed?.['seq'])}`
}

async function history(bridge: TestDaemon): Promise<Frame[]> {
  const page = asFrame((await bridge.call('/api/history?after=0&limit=1000')).json)
  return Array.isArray(page['entries']) ? page['entries'].map(asFrame) : []
}

const notify = (bridge: TestDaemon, message: string, session = 'resume') =>
  bridge.post('Notification', { session_id: session, message, notification_type: 'other' })

async function ask(bridge: TestDaemon, command: string): Promise<void> {
  await bridge.post('PermissionRequest', { session_id: 'b26', tool_name: 'Bash', tool_input: { command } })
}

const openIds = async (bridge: TestDaemon) => {
  const list = (await bridge.call('/api/permissions')).json
  return Array.isArray(list) ? list.map((request) => asFrame(request)['request_id']) : []
}

const strictlyIncreasing = (seqs: readonly number[]) =>
  seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))

describe.each(Object.entries(transports))('B26 over %s', (_name, open) => {
  let bridge: TestDaemon
  beforeAll(async () => {
    bridge = await openTestDaemon()
    await notify(bridge, 'before')
  })
  afterAll(() => bridge.close())

  /** What happens while the subscriber is away: a turn ends, P1 is asked and answered, P2 is asked. */
  async function miss(): Promise<void> {
    await bridge.post('UserPromptSubmit', { session_id: 'b26', prompt: 'go' })
    await ask(bridge, 'P1')
    const [p1] = await openIds(bridge)
    await bridge.call(`/api/permissions/${String(p1)}`, { method: 'POST', body: { behavior: 'allow' } })
    await bridge.post('Stop', { session_id: 'b26' })
    await bridge.post('UserPromptSubmit', { session_id: 'b26', prompt: 'again' })
    await ask(bridge, 'P2')
  }

  test('(a) from where it was: exactly what it missed, in order' + verifies('B26'), async () => {
    const first = await open(bridge, {})
    await first.frames.nextOf('subscribed')
    await notify(bridge, 'seen')
    await bridge.settle(first)
    const cursor = cursorOf(first)
    await first.close()
    await miss()

    await using second = await open(bridge, { after: cursor })
    await bridge.settle(second)
    expect(second.frames.ofType('subscribed')).toEqual([
      expect.objectContaining({ resume: 'ok', seq: Number(cursor.split(':')[1]) }),
    ])
    expect(second.frames.ofType('snapshot')).toEqual([])
    const missed = (await history(bridge)).filter(
      ({ seq, type }) => Number(seq) > Number(cursor.split(':')[1]) && type !== 'test_mark',
    )
    const replayed = second.frames.all.filter(({ seq, type }) => seq !== undefined && type !== 'subscribed')
    expect(replayed).toEqual(missed)
    const told = replayed.map(({ type, event }) => asFrame(event)['kind'] ?? type)
    for (const kind of ['turn.ended', 'permission_request', 'permission_resolved', 'permission.requested'])
      expect(told).toContain(kind)
    await bridge.post('Stop', { session_id: 'b26' })
  })

  const gaps: [string, () => string][] = [
    ['(b) an id of another log', () => '00000000-0000-4000-8000-000000000000:1'],
    ['(c) garbage', () => 'garbage'],
    ['(c) an id without a number', () => ':'],
    ['(c) markup', () => '<script>'],
    ['ahead of the log', () => '99999999'],
  ]
  test.each(gaps)(
    '%s: a plain gap, the whole state, and on from there' + verifies('B26'),
    async (_title, after) => {
      await ask(bridge, 'pending')
      await using stream = await open(bridge, { after: after() })
      const subscribed = await stream.frames.nextOf('subscribed')
      const snapshot = await stream.frames.nextOf('snapshot')
      expect(subscribed).toMatchObject({ resume: 'gap', epoch: expect.any(String), seq: expect.any(Number) })
      expect(snapshot).toEqual({
        type: 'snapshot',
        contacts: expect.arrayContaining([expect.objectContaining({ session_id: 'b26', health: 'blocked' })]),
        session_ids: expect.arrayContaining(['b26']),
        requests: (await bridge.call('/api/permissions')).json,
      })
      expect(snapshot['requests']).toHaveLength(1)
      await bridge.post('Stop', { session_id: 'b26' })
      await bridge.settle(stream)
      expect(stream.frames.kinds).toContain('turn.ended')
      expect(stream.frames.seqs.every((seq) => seq > Number(subscribed['seq']))).toBe(true)
    },
  )

  test('(d) twice within a moment: both end in the same, newest state' + verifies('B26'), async () => {
    await ask(bridge, 'twice')
    const state = async (stream: Stream) => {
      await stream.frames.nextOf('snapshot')
      await bridge.settle(stream)
      const ids = new Set<unknown>()
      for (const frame of stream.frames.all) {
        const { type, requests, request_id: id } = frame
        if (type === 'snapshot' && Array.isArray(requests))
          for (const request of requests) ids.add(asFrame(request)['request_id'])
        if (type === 'permission_request') ids.add(id)
        if (type === 'permission_resolved') ids.delete(id)
      }
      return [...ids]
    }
    const older = open(bridge, { after: 'lost:1' })
    await ask(bridge, 'in between')
    const newer = open(bridge, { after: 'lost:1' })
    await bridge.post('Stop', { session_id: 'b26' })
    await ask(bridge, 'last')
    const streams = [await newer, await older]
    const expected = await openIds(bridge)
    expect(expected).toHaveLength(1)
    for (const stream of streams) expect(await state(stream)).toEqual(expected)
    for (const stream of streams) await stream.close()
    await bridge.post('Stop', { session_id: 'b26' })
  })

  test('(e) beyond what is kept: a gap' + verifies('B26'), async () => {
    await using trimmed = await openTestDaemon()
    await using stream = await open(trimmed, {})
    await stream.frames.nextOf('subscribed')
    await notify(trimmed, 'first')
    await trimmed.settle(stream)
    const cursor = cursorOf(stream)
    await stream.close()
    for (let n = 0; n < 30; n += 1) await notify(trimmed, `more ${n}`)
    await trimmed.restart(() => trimLog(trimmed.home, 10))
    await using later = await open(trimmed, { after: cursor })
    expect(await later.frames.nextOf('subscribed')).toMatchObject({ resume: 'gap' })
    expect(await later.frames.nextOf('snapshot')).toMatchObject({ session_ids: ['resume'] })
  })

  test(
    'over a restart of the daemon: nothing missed, nothing twice, one epoch' + verifies('B26'),
    async () => {
      const first = await open(bridge, {})
      const { epoch } = await first.frames.nextOf('subscribed')
      await notify(bridge, 'before the restart')
      await bridge.settle(first)
      const cursor = cursorOf(first)
      await bridge.restart()
      await miss()
      await using second = await open(bridge, { after: cursor })
      expect(await second.frames.nextOf('subscribed')).toMatchObject({ resume: 'ok', epoch })
      await bridge.settle(second)
      const missed = (await history(bridge)).filter(({ seq }) => Number(seq) > Number(cursor.split(':')[1]))
      expect(second.frames.all.filter(({ type }) => type === 'agent_event')).toEqual(
        missed.filter(({ type }) => type === 'agent_event'),
      )
      expect(strictlyIncreasing([...first.frames.seqs, ...second.frames.seqs])).toBe(true)
      const [open2] = await openIds(bridge)
      expect(second.frames.ofType('permission_request').at(-1)?.['request_id']).toBe(open2)
      await bridge.post('Stop', { session_id: 'b26' })
    },
  )

  test('filters by kind, by type and by contact, on replay and live', async () => {
    await notify(bridge, 'of one', 'filter-1')
    await notify(bridge, 'of two', 'filter-2')
    const { contacts } = asFrame((await bridge.call('/sessions')).json)
    const one = (Array.isArray(contacts) ? contacts.map(asFrame) : []).find(
      (contact) => contact['session_id'] === 'filter-1',
    )
    const id = String(one?.['id'])
    const live = async () => {
      await bridge.post('UserPromptSubmit', { session_id: 'filter-1', prompt: 'x' })
      await bridge.post('UserPromptSubmit', { session_id: 'filter-2', prompt: 'y' })
      await bridge.post('Stop', { session_id: 'filter-1' })
      await bridge.post('Stop', { session_id: 'filter-2' })
    }
    await using byContact = await open(bridge, { after: '0', contacts: [id] })
    await using byKind = await open(bridge, { after: '0', kinds: ['turn.ended'] })
    await using byType = await open(bridge, { kinds: ['contact_changed'] })
    await using byBoth = await open(bridge, { after: '0', contacts: [id], kinds: ['notification'] })
    await live()
    await using everything = await open(bridge, { after: '0' })
    await bridge.settle(everything)
    const log = everything.frames.all.filter(({ seq, type }) => seq !== undefined && type !== 'subscribed')
    const frames = async (stream: Stream, expected: Frame[]) => {
      await stream.frames.until(() => (stream.frames.seqs.length >= expected.length ? true : undefined))
      return stream.frames.all.filter(({ seq, type }) => seq !== undefined && type !== 'subscribed')
    }
    const ofContact = log.filter(({ contact }) => contact === id)
    expect(await frames(byContact, ofContact)).toEqual(ofContact)
    const ended = log.filter(({ event }) => asFrame(event)['kind'] === 'turn.ended')
    expect(await frames(byKind, ended)).toEqual(ended)
    const both = ofContact.filter(({ event }) => asFrame(event)['kind'] === 'notification')
    expect(both).toHaveLength(1)
    expect(await frames(byBoth, both)).toEqual(both)
    await byType.frames.nextOf('contact_changed')
    const logged = byType.frames.all.filter(({ seq, type }) => seq !== undefined && type !== 'subscribed')
    expect([...new Set(logged.map(({ type }) => type))]).toEqual(['contact_changed'])
  })

  test('replay joins live frames without a double or a hole, wherever it starts, while hooks keep coming', async () => {
    await using busy = await openTestDaemon()
    for (let n = 0; n < 50; n += 1) await notify(busy, `old ${n}`)
    const { epoch } = asFrame((await busy.call('/api/history')).json)
    const stop = new AbortController()
    let posted = 0
    const writer = async () => {
      for (; !stop.signal.aborted && posted < 3_000; posted += 1) await notify(busy, `live ${posted}`)
    }
    const writers = Promise.all([writer(), writer()])
    try {
      await fc.assert(
        fc.asyncProperty(fc.nat(50), fc.integer({ min: 1, max: 30 }), async (from, more) => {
          await using stream = await open(busy, { after: `${String(epoch)}:${from}` })
          await stream.frames.until(() => (stream.frames.seqs.length >= 60 - from + more ? true : undefined))
          const { seqs } = stream.frames
          expect(seqs).toEqual(seqs.map((_, index) => from + 1 + index))
        }),
        { numRuns: 15 },
      )
    } finally {
      stop.abort()
      await writers
    }
    expect(posted).toBeGreaterThan(10)
  })
})

/** Trims the log of a stopped daemon as retention does, but to fewer rows than the configuration allows. */
function trimLog(home: string, maxEvents: number): void {
  using database = new DatabaseSync(join(home, 'bridge.db'))
  new EventLog(database).retain({ maxEvents, beforeTs: 0, budgetMs: 1_000 })
}
