import { expect, test } from 'vitest'
import { bash, contact, idsOf } from '../../../test/fixtures/hooks/contact.ts'
import { verifies } from '../../../test/requirements.ts'

test('parallel calls without ids are paired by their input' + verifies('B15'), () => {
  const { events } = contact()
  events('UserPromptSubmit', { prompt: 'go' })
  const [long] = idsOf(events('PreToolUse', bash('sleep 2')))
  const [short] = idsOf(events('PreToolUse', bash('sleep 1')))
  expect(long).not.toBe(short)
  expect(idsOf(events('PostToolUse', bash('sleep 1')))).toEqual([short])
  expect(idsOf(events('PostToolUse', bash('sleep 2')))).toEqual([long])
})

test('identical calls without ids are closed in their order' + verifies('B15'), () => {
  const { events } = contact()
  events('UserPromptSubmit', { prompt: 'go' })
  const read = { tool_name: 'Read', tool_input: { file_path: '/a' } }
  const [first] = idsOf(events('PreToolUse', read))
  const [second] = idsOf(events('PreToolUse', read))
  expect(first).not.toBe(second)
  expect(idsOf(events('PostToolUse', read))).toEqual([first])
  expect(idsOf(events('PostToolUse', read))).toEqual([second])
})

test.each([{}, { tool_use_id: 'toolu_1' }])(
  'an end before its start tells both, and the late start nothing: %j' + verifies('B15'),
  (id) => {
    const { events, post } = contact()
    events('UserPromptSubmit', { prompt: 'go' })
    const pair = events('PostToolUse', bash('x', id))
    expect(pair.map((event) => event.kind)).toEqual(['activity.started', 'activity.finished'])
    expect(new Set(idsOf(pair)).size).toBe(1)
    expect(post('PreToolUse', bash('x', id), 40).events).toEqual([])
    expect(events('Stop').map((event) => event.kind)).toEqual(['turn.ended'])
  },
)

test(
  'a late start is only expected for a while, so that the next equal call is told' + verifies('B15'),
  () => {
    const { events } = contact()
    events('UserPromptSubmit', { prompt: 'go' })
    events('PostToolUse', bash('x'))
    expect(events('PreToolUse', bash('x'), 60_000).map((event) => event.kind)).toEqual(['activity.started'])
  },
)

test('nothing of a turn stays open after its end' + verifies('B15'), () => {
  const { events, post } = contact()
  events('UserPromptSubmit', { prompt: 'go' })
  events('PostToolUse', bash('no start'))
  const [open] = idsOf(events('PreToolUse', bash('no end')))
  const end = events('Stop')
  expect(end).toMatchObject([
    { kind: 'activity.failed', activity: { id: open }, failure_kind: 'unknown', duration_ms: 20 },
    { kind: 'turn.ended', cause: 'completed' },
  ])
  expect(post('PostToolUse', bash('no end')).events).toEqual([])
})

test('one id for two tools is two activities, and the first keeps it' + verifies('B15'), () => {
  const { events } = contact()
  events('UserPromptSubmit', { prompt: 'go' })
  const read = { tool_name: 'Read', tool_input: { file_path: '/a' }, tool_use_id: 'toolu_1' }
  expect(idsOf(events('PreToolUse', bash('ls', { tool_use_id: 'toolu_1' })))).toEqual(['toolu_1'])
  const [second] = idsOf(events('PreToolUse', read))
  expect(second).toMatch(/^act_/)
  expect(idsOf(events('PostToolUse', read))).toEqual([second])
  expect(idsOf(events('PostToolUse', bash('ls', { tool_use_id: 'toolu_1' })))).toEqual(['toolu_1'])
})

test('B16 a resume with two starts and a moving session id is one contact with one turn', () => {
  for (const order of [
    ['S2', 'S1'],
    ['S1', 'S2'],
  ] as const) {
    const { events, post, tracker } = contact()
    for (const session_id of order)
      post('SessionStart', { session_id, source: session_id === 'S2' ? 'startup' : 'resume' }, 3)
    const prompted = post('UserPromptSubmit', { prompt: 'go' }).events
    expect(prompted.map(({ event, sessionId }) => [event.kind, sessionId])).toEqual([
      ['turn.started', 'S1'],
      ['message.user', 'S1'],
    ])
    const turnId = prompted[0]?.turnId
    expect(post('PreToolUse', bash('ls', { session_id: 'S0' })).events).toMatchObject([
      { turnId, sessionId: 'S0' },
    ])
    expect(tracker.state).toMatchObject({ health: 'working', sessionId: 'S1' })
    expect(post('Stop', { session_id: 'S0' }).events.at(-1)).toMatchObject({
      turnId,
      event: { kind: 'turn.ended', cause: 'completed' },
    })
    events('UserPromptSubmit', { prompt: 'more' })
    // The session that S1 took the place of may end late: nothing of S1 ends with it.
    expect(
      post('SessionEnd', { session_id: 'S2', reason: 'other' }).events.map(({ event }) => event.kind),
    ).toEqual(['session.ended'])
    expect(tracker.state.health).toBe('working')
  }
})

test('B16 clear begins another session, compaction goes on with the same', () => {
  const { events, tracker } = contact()
  events('SessionStart', { source: 'startup' })
  events('UserPromptSubmit', { prompt: 'go' })
  expect(events('SessionStart', { source: 'compact' })).toEqual([
    { kind: 'session.started', cause: 'compact' },
  ])
  expect(tracker.state.health).toBe('working')
  const cleared = events('SessionStart', { session_id: 'S3', source: 'clear' })
  expect(cleared.map((event) => event.kind)).toEqual(['turn.ended', 'session.started'])
  expect(tracker.state).toMatchObject({ health: 'ok', sessionId: 'S3', reason: 'its session started' })
})

test('B19 after a silent interrupt the next prompt closes the open turn first', () => {
  const { events, post, tracker } = contact()
  events('UserPromptSubmit', { prompt: 'go' })
  events('PreToolUse', bash('sleep 100'))
  const [request] = events('PermissionRequest', bash('sleep 100'))
  expect(request?.kind).toBe('permission.requested')
  const next = post('UserPromptSubmit', { prompt: 'stop that' }, 300_000)
  expect(next.events.map(({ event }) => event)).toMatchObject([
    { kind: 'activity.failed', failure_kind: 'interrupted' },
    { kind: 'turn.ended', cause: 'aborted' },
    { kind: 'turn.started', prompt: 'stop that' },
    { kind: 'message.user' },
  ])
  expect(next.closedRequests).toEqual([
    {
      requestId: request?.kind === 'permission.requested' ? request.request_id : '',
      reason: 'the next prompt came',
    },
  ])
  expect(tracker.state).toMatchObject({ health: 'working', openRequests: 0 })
})

test('B19 an Esc that only closed an overlay changes nothing: the Stop ends its turn', () => {
  const { events } = contact()
  events('UserPromptSubmit', { prompt: 'go' })
  events('PreToolUse', bash('ls', { tool_use_id: 't' }))
  events('PostToolUse', bash('ls', { tool_use_id: 't' }))
  expect(events('Stop', {}, 10_000)).toMatchObject([{ kind: 'turn.ended', cause: 'completed' }])
})
