import { expect, test } from 'vitest'
import { bash, contact, idsOf } from '../../../test/fixtures/hooks/contact.ts'

test('activities of a subagent are its own, and go on after the turn', () => {
  const { events, post, tracker } = contact()
  events('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' })
  events('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' })
  const [own] = idsOf(events('PreToolUse', bash('ls')))
  const [theirs] = idsOf(events('PreToolUse', bash('ls', { agent_id: 'a1' })))
  const end = post('Stop', { prompt_id: 'p1', background_tasks: [{ id: 'a1' }] }).events
  expect(idsOf(end.map(({ event }) => event))).toEqual([own])
  const turnId = end.at(-1)?.turnId
  const late = post('PostToolUse', bash('ls', { agent_id: 'a1' }))
  expect(late.events).toMatchObject([{ turnId, event: { activity: { id: theirs }, subagent_id: 'a1' } }])
  expect(tracker.state).toMatchObject({ health: 'ok', turnId: undefined })
})

test('a subagent’s end closes what it left open', () => {
  const { events } = contact()
  events('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' })
  events('PreToolUse', bash('ls', { agent_id: 'a1' }))
  const end = events('SubagentStop', { agent_id: 'a1', agent_type: 'Explore' })
  expect(end.map((event) => event.kind)).toEqual(['activity.failed', 'subagent.finished'])
  expect(events('SubagentStop', { agent_id: 'a1', agent_type: 'Explore' }, 5_000)).toEqual([])
})

test('a permission hook may change the input of a call with an id', () => {
  const { events } = contact()
  events('UserPromptSubmit', { prompt: 'go' })
  events('PreToolUse', bash('touch a', { tool_use_id: 'toolu_1' }))
  events('PermissionRequest', bash('touch a'))
  const end = events('PostToolUse', bash('touch b', { tool_use_id: 'toolu_1' }))
  expect(end).toMatchObject([
    { kind: 'permission.resolved', decision: 'allow' },
    { kind: 'activity.finished', activity: { id: 'toolu_1', summary: 'touch b' } },
  ])
})

test('two equal calls that are asked about are two requests', () => {
  const { post, tracker } = contact()
  post('UserPromptSubmit', { prompt: 'go' })
  post('PreToolUse', bash('ls', { tool_use_id: 't1' }))
  post('PreToolUse', bash('ls', { tool_use_id: 't2' }))
  post('PermissionRequest', bash('ls'))
  post('PermissionRequest', bash('ls'))
  expect(tracker.openRequests).toHaveLength(2)
  const { closedRequests } = post('PostToolUse', bash('ls', { tool_use_id: 't2' }))
  expect(closedRequests).toMatchObject([{ decision: 'allow' }])
  expect(tracker.state).toMatchObject({ health: 'blocked', openRequests: 1 })
})

test('a request before its activity is linked to it under the same id', () => {
  const { events } = contact()
  events('UserPromptSubmit', { prompt: 'go' })
  const [asked] = idsOf(events('PermissionRequest', bash('ls')))
  expect(idsOf(events('PreToolUse', bash('ls')))).toEqual([asked])
  expect(events('PostToolUse', bash('ls')).map((event) => event.kind)).toEqual([
    'permission.resolved',
    'activity.finished',
  ])
})

test('a question blocks until its answer', () => {
  const { post, events, tracker } = contact()
  const question = { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] }
  const ask = { tool_name: 'AskUserQuestion', tool_input: question, tool_use_id: 't' }
  post('UserPromptSubmit', { prompt: 'go' })
  expect(events('PreToolUse', ask)[1]).toEqual({
    kind: 'agent.question',
    text: 'Which?',
    options: ['A', 'B'],
  })
  expect(tracker.state.health).toBe('blocked')
  expect(tracker.openRequests).toMatchObject([
    { kind: 'question', tool: 'AskUserQuestion', summary: 'Which?' },
  ])
  const answered = { ...ask, tool_input: { ...question, answers: { 'Which?': 'A' } } }
  const { closedRequests } = post('PostToolUse', {
    ...answered,
    tool_response: { answers: { 'Which?': 'A' } },
  })
  expect(closedRequests).toMatchObject([{ decision: 'allow' }])
  expect(tracker.state.health).toBe('working')
})

test('a question whose permission hook comes first is one question', () => {
  const { post, events, tracker } = contact()
  const ask = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which?' }] } }
  post('UserPromptSubmit', { prompt: 'go' })
  expect(events('PermissionRequest', ask).map((event) => event.kind)).toEqual(['agent.question'])
  expect(events('PreToolUse', { ...ask, tool_use_id: 't' }).map((event) => event.kind)).toEqual([
    'activity.started',
  ])
  expect(events('Elicitation', { mcp_server_name: 'db', message: 'And?' })).toMatchObject([{ text: 'And?' }])
  expect(tracker.state.openRequests).toBe(2)
  expect(post('PostToolUse', { ...ask, tool_use_id: 't' }).closedRequests).toHaveLength(1)
  expect(post('ElicitationResult', { mcp_server_name: 'db' }).closedRequests).toEqual([
    expect.objectContaining({ reason: 'it was answered' }),
  ])
})

test('a request that was answered elsewhere no longer blocks', () => {
  const { post, tracker } = contact()
  post('UserPromptSubmit', { prompt: 'go' })
  post('PermissionRequest', bash('ls'))
  const [open] = tracker.openRequests
  tracker.closeRequest(open?.requestId ?? '')
  expect(tracker.state).toMatchObject({ health: 'working', openRequests: 0 })
})

test('more open activities than the bound close the oldest', () => {
  const { post, all } = contact()
  post('UserPromptSubmit', { prompt: 'go' })
  for (let call = 0; call < 1_001; call += 1) post('PreToolUse', bash('ls', { tool_use_id: `t${call}` }))
  expect(all.at(-1)?.event).toMatchObject({ kind: 'activity.failed', activity: { id: 't0' } })
})
