import { expect, test } from 'vitest'
import { bash, contact, logged, type Fields } from '../../../test/fixtures/hooks/contact.ts'
import { restoreTracker } from './tracker.ts'

test('a queued prompt runs as its own turn', () => {
  const { post, all } = contact()
  post('UserPromptSubmit', { prompt: 'one', prompt_id: 'p1' })
  post('UserPromptSubmit', { prompt: 'two', prompt_id: 'p1' })
  post('UserPromptSubmit', { prompt: 'three', prompt_id: 'p1' })
  post('Stop', { prompt_id: 'p1' })
  post('PreToolUse', bash('ls', { prompt_id: 'p2', tool_use_id: 't' }))
  post('PostToolUse', bash('ls', { prompt_id: 'p2', tool_use_id: 't' }))
  post('Stop', { prompt_id: 'p2' })
  post('Stop', { prompt_id: 'p3' })
  const turns = all.filter(({ event }) => event.kind.startsWith('turn.'))
  expect(turns.map(({ event }) => event)).toMatchObject([
    { kind: 'turn.started', prompt: 'one', cause: 'prompt' },
    { kind: 'turn.ended' },
    { kind: 'turn.started', prompt: 'two', cause: 'queued' },
    { kind: 'turn.ended' },
    { kind: 'turn.started', prompt: 'three', cause: 'queued' },
    { kind: 'turn.ended' },
  ])
  expect(new Set(turns.map(({ turnId }) => turnId)).size).toBe(3)
})

test('a notice of a background task that is taken into the open turn starts none', () => {
  const { post, kinds } = contact()
  post('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' })
  post('UserPromptSubmit', { prompt: '<task-notification>done', prompt_id: 'p1' })
  post('Stop', { prompt_id: 'p1' })
  post('UserPromptSubmit', { prompt: 'more', prompt_id: 'p2' })
  expect(kinds()).toEqual(['turn.started', 'message.user', 'turn.ended', 'turn.started', 'message.user'])
})

test('a notice that waited starts a turn nobody typed', () => {
  const { post, all } = contact()
  post('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' })
  post('UserPromptSubmit', { prompt: '<task-notification>done', prompt_id: 'p1' })
  post('Stop', { prompt_id: 'p1' })
  post('PreToolUse', bash('ls', { prompt_id: 'p2' }))
  expect(all.at(-2)?.event).toEqual({ kind: 'turn.started', cause: 'background' })
})

test('a Stop of the turn before does not end the turn after it', () => {
  const { post, events } = contact()
  post('UserPromptSubmit', { prompt: 'one', prompt_id: 'p1' })
  post('Stop', { prompt_id: 'p1' })
  post('UserPromptSubmit', { prompt: 'two', prompt_id: 'p2' })
  expect(events('Stop', { prompt_id: 'p1' })).toEqual([])
  expect(events('Stop', { prompt_id: 'p2' })).toMatchObject([{ kind: 'turn.ended' }])
})

test('hooks registered twice are told once', () => {
  const { post, all } = contact()
  const twice = (type: string, fields: Fields) => {
    post(type, fields)
    post(type, fields, 3)
  }
  twice('SessionStart', { source: 'startup' })
  twice('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' })
  twice('UserPromptSubmit', { prompt: 'and then', prompt_id: 'p1' })
  twice('PreToolUse', bash('ls', { tool_use_id: 't1', prompt_id: 'p1' }))
  twice('PermissionRequest', bash('ls', { prompt_id: 'p1' }))
  twice('PostToolUse', bash('ls', { tool_use_id: 't1', prompt_id: 'p1' }))
  twice('MessageDisplay', { message_id: 'm1', index: 0, final: true, delta: 'Done.', prompt_id: 'p1' })
  twice('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' })
  twice('SubagentStop', { agent_id: 'a1', agent_type: 'Explore' })
  twice('Notification', { message: 'look' })
  twice('Stop', { prompt_id: 'p1', last_assistant_message: 'Done.' })
  twice('SessionEnd', { reason: 'other' })
  expect(all.map(({ event }) => event.kind)).toEqual([
    'session.started',
    'turn.started',
    'message.user',
    'message.user',
    'activity.started',
    'permission.requested',
    'permission.resolved',
    'activity.finished',
    'message.assistant',
    'subagent.started',
    'subagent.finished',
    'notification',
    'turn.ended',
    'session.ended',
  ])
})

test('two hooks that are both unknown are told, one that is posted twice is told once', () => {
  const { post, kinds } = contact()
  post('PreModelSwitch', { to_model: 'b' })
  post('PostModelSwitch', { to_model: 'b' }, 1)
  post('FileChanged', { file_path: '/a' }, 1)
  post('FileChanged', { file_path: '/b' }, 1)
  post('FileChanged', { file_path: '/b' }, 1)
  expect(kinds()).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
})

test('the same prompt twice in a second is two turns when the first has ended', () => {
  const { post, kinds } = contact()
  for (let times = 0; times < 2; times += 1) {
    post('UserPromptSubmit', { prompt: 'again' })
    post('Stop')
  }
  expect(kinds().filter((kind) => kind === 'turn.started')).toHaveLength(2)
  expect(kinds().filter((kind) => kind === 'turn.ended')).toHaveLength(2)
})

test('pieces of a message may come in any order, and late words are told once', () => {
  const { post, events } = contact()
  post('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' })
  const piece = (index: number, final: boolean, delta: string) =>
    events('MessageDisplay', { message_id: 'm1', index, final, delta, prompt_id: 'p1' })
  expect(piece(1, true, 'world')).toEqual([])
  expect(events('Stop', { prompt_id: 'p1', last_assistant_message: 'hello\nworld' })).toMatchObject([
    { kind: 'message.assistant', text: 'hello\nworld', final: true },
    { kind: 'turn.ended', last_assistant_text: 'hello\nworld' },
  ])
  expect(piece(0, false, 'hello\n ')).toEqual([])
})

test('words that were never finished are told when their turn is aborted', () => {
  const { post, events } = contact()
  post('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' })
  post('MessageDisplay', { message_id: 'm1', index: 0, final: false, delta: 'Once upon', prompt_id: 'p1' })
  expect(events('UserPromptSubmit', { prompt: 'no', prompt_id: 'p2' })).toMatchObject([
    { kind: 'message.assistant', text: 'Once upon' },
    { kind: 'turn.ended', cause: 'aborted' },
    { kind: 'turn.started' },
    { kind: 'message.user' },
  ])
})

test('tasks are told as one list', () => {
  const { post, all } = contact()
  post('UserPromptSubmit', { prompt: 'go' })
  const task = (id: string, input: Fields, response: unknown, tool = 'TaskUpdate') =>
    post('PostToolUse', { tool_name: tool, tool_use_id: id, tool_input: input, tool_response: response })
  post('TaskCreated', { task_id: '1', task_subject: 'Mend' })
  task('a', { subject: 'Mend' }, { task: { id: '1', subject: 'Mend' } }, 'TaskCreate')
  task('b', { subject: 'Test' }, 'Task #2 created successfully: Test', 'TaskCreate')
  task('c', { taskId: '1', status: 'in_progress' }, { success: true })
  task('d', { taskId: '2', status: 'completed' }, { success: false })
  post('TaskCompleted', { task_id: '1', task_subject: 'Mend' })
  const lists = all.flatMap(({ event }) => (event.kind === 'todo.updated' ? [event.items] : []))
  expect(lists).toEqual([
    [{ text: 'Mend', status: 'pending' }],
    [
      { text: 'Mend', status: 'pending' },
      { text: 'Test', status: 'pending' },
    ],
    [
      { text: 'Mend', status: 'in_progress' },
      { text: 'Test', status: 'pending' },
    ],
    [
      { text: 'Mend', status: 'completed' },
      { text: 'Test', status: 'pending' },
    ],
  ])
})

test('after the end of a session only news of another one, or a prompt, is told', () => {
  const { post, events, tracker } = contact()
  post('UserPromptSubmit', { prompt: 'go' })
  post('PreToolUse', bash('ls', { tool_use_id: 't' }))
  post('SessionEnd', { reason: 'prompt_input_exit' })
  expect(tracker.state).toMatchObject({ health: 'unknown', turnId: undefined })
  expect(events('PostToolUse', bash('ls', { tool_use_id: 't' }))).toEqual([])
  expect(events('PreToolUse', bash('pwd'))).toEqual([])
  expect(events('Stop')).toEqual([])
  expect(events('UserPromptSubmit', { prompt: 'resumed' })).toMatchObject([
    { kind: 'turn.started' },
    { kind: 'message.user' },
  ])
})

test('an open turn is restored although the log no longer holds its start', () => {
  const before = contact()
  before.post('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' })
  const turnId = before.tracker.state.turnId
  before.post('PreToolUse', bash('ls', { tool_use_id: 't', prompt_id: 'p1' }))
  const tracker = restoreTracker(logged(before.all.slice(2)))
  expect(tracker.state).toMatchObject({ health: 'working', turnId })
  const after = contact(tracker)
  const end = after.post('Stop', { prompt_id: 'p1' }).events
  expect(end.map(({ event }) => event)).toMatchObject([
    { kind: 'activity.failed', activity: { id: 't' } },
    { kind: 'turn.ended' },
  ])
  expect(end.at(-1)).toMatchObject({ turnId, event: { kind: 'turn.ended' } })
})

test('events that no tracker gave out, and correlations nobody can read, restore nothing', () => {
  const { post, all } = contact()
  post('UserPromptSubmit', { prompt: 'go' })
  const rows = logged(all)
  expect(restoreTracker(rows.map(({ envelope }) => ({ envelope }))).state.turnId).toBeUndefined()
  const broken = rows.map(({ envelope }) => ({ envelope, correlation: 'no JSON' }))
  expect(restoreTracker(broken).state.turnId).toBeUndefined()
  expect(restoreTracker(rows).state.turnId).toBe(all[0]?.turnId)
})

test('what the log keeps beside an event tells nothing of inputs and texts', () => {
  const { post, all } = contact()
  post('UserPromptSubmit', { prompt: 'my-secret-1' })
  post('PreToolUse', bash('curl -H my-secret-2'))
  post('PermissionRequest', bash('curl -H my-secret-2'))
  post('Stop', { last_assistant_message: 'my-secret-3' })
  expect(all.map(({ correlation }) => correlation).join()).not.toContain('my-secret')
})

const shownHello = { message_id: 'm1', index: 0, final: true, delta: 'Hello.' }

test.each<[title: string, before: readonly [string, Fields?][], after: [string, Fields?], told: string[]]>([
  ['a prompt', [['UserPromptSubmit', { prompt: 'go' }]], ['UserPromptSubmit', { prompt: 'go' }], []],
  [
    'a text that was displayed before its Stop',
    [
      ['UserPromptSubmit', { prompt: 'go' }],
      ['MessageDisplay', shownHello],
    ],
    ['Stop', { last_assistant_message: 'Hello.' }],
    ['turn.ended'],
  ],
  [
    'a text that is displayed after its Stop',
    [
      ['UserPromptSubmit', { prompt: 'go' }],
      ['Stop', { last_assistant_message: 'Hello.' }],
    ],
    ['MessageDisplay', shownHello],
    [],
  ],
  [
    'a start after its end',
    [
      ['UserPromptSubmit', { prompt: 'go' }],
      ['PostToolUse', bash('ls')],
    ],
    ['PreToolUse', bash('ls')],
    [],
  ],
  [
    'an end after its turn',
    [['UserPromptSubmit', { prompt: 'go' }], ['PreToolUse', bash('ls')], ['Stop']],
    ['PostToolUse', bash('ls')],
    [],
  ],
])('a restart between its hooks does not tell twice: %s', (_, before, [type, fields], told) => {
  const first = contact()
  for (const [type, fields] of before) first.post(type, fields)
  const second = contact(restoreTracker(logged(first.all)))
  expect(second.events(type, fields).map((event) => event.kind)).toEqual(told)
})
