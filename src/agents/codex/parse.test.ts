import { expect, test } from 'vitest'
import { contact, idsOf, type Fields } from '../../../test/fixtures/hooks/contact.ts'
import { verifies } from '../../../test/requirements.ts'
import { codexAdapter } from './parse.ts'

const open = () => contact(undefined, codexAdapter, { session_id: 'S1', cwd: '/home/dev', turn_id: 't1' })
const bash = (command: string, more: Fields = {}): Fields => ({
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: 'call_1',
  ...more,
})

test('hooks of Codex become events of the shared vocabulary' + verifies('A:agents.codex'), () => {
  const { events, all } = open()
  events('SessionStart', { source: 'resume', turn_id: undefined })
  events('UserPromptSubmit', { prompt: 'mend it' })
  events('PreToolUse', bash('npm test'))
  events('PermissionRequest', {
    tool_name: 'Bash',
    tool_input: { command: 'npm test', description: 'to see whether it works' },
  })
  events('PostToolUse', bash('npm test', { tool_response: 'ok' }))
  events('Stop', { last_assistant_message: 'Mended.' })
  expect(all.map(({ event }) => event)).toMatchObject([
    { kind: 'session.started', cause: 'resume' },
    { kind: 'turn.started', prompt: 'mend it' },
    { kind: 'message.user', text: 'mend it' },
    {
      kind: 'activity.started',
      activity: { id: 'call_1', kind: 'shell.exec', tool: 'Bash', summary: 'npm test' },
    },
    { kind: 'permission.requested', activity: { id: 'call_1' }, description: 'to see whether it works' },
    { kind: 'permission.resolved', decision: 'allow' },
    { kind: 'activity.finished', activity: { id: 'call_1' }, output_preview: 'ok', content_length: 2 },
    { kind: 'message.assistant', text: 'Mended.', final: true },
    { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'Mended.' },
  ])
  expect(all.slice(1).map(({ turnId }) => turnId)).toEqual(Array(8).fill('t1'))
})

test('a prompt typed while the agent works steers its turn, and has no turn of its own afterwards', () => {
  const { events, post } = open()
  events('UserPromptSubmit', { prompt: 'slow' })
  expect(events('UserPromptSubmit', { prompt: 'faster' })).toEqual([{ kind: 'message.user', text: 'faster' }])
  events('Stop', { last_assistant_message: 'done' })
  expect(post('PreToolUse', bash('ls', { turn_id: 't2' })).events.map(({ event }) => event)).toMatchObject([
    { kind: 'turn.started' },
    { kind: 'activity.started' },
  ])
})

test('a turn whose model failed ends with the next prompt, under its own id', () => {
  const { post } = open()
  post('UserPromptSubmit', { prompt: 'error 500' })
  const { events } = post('UserPromptSubmit', { prompt: 'again', turn_id: 't2' })
  expect(events.map(({ event, turnId }) => [turnId, event.kind])).toEqual([
    ['t1', 'turn.ended'],
    ['t2', 'turn.started'],
    ['t2', 'message.user'],
  ])
  expect(events[0]?.event).toMatchObject({ cause: 'aborted' })
})

test('Esc on a dialog aborts the turn and closes the request without a decision', () => {
  const { post, events, tracker } = open()
  events('UserPromptSubmit', { prompt: 'go' })
  events('PreToolUse', bash('rm x'))
  events('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm x', description: 'x' } })
  expect(tracker.state).toMatchObject({ health: 'blocked', openRequests: 1 })
  const output = post('Interrupt')
  expect(output.closedRequests).toEqual([{ requestId: expect.any(String), reason: 'its turn ended' }])
  expect(output.events.map(({ event }) => event)).toMatchObject([
    { kind: 'activity.failed', failure_kind: 'interrupted' },
    { kind: 'turn.ended', cause: 'aborted' },
  ])
  expect(tracker.state.openRequests).toBe(0)
  expect(post('Interrupt').events).toEqual([])
})

test('the notification says nothing: not for the session, and not for the thread that finds its title', () => {
  const { events, kinds, post } = open()
  events('UserPromptSubmit', { prompt: 'say hello' })
  events('Stop', { last_assistant_message: 'Hello.' })
  const before = kinds()
  for (const thread of ['S1', 'hidden']) {
    const body = { type: 'agent-turn-complete', 'thread-id': thread, 'turn-id': 't1' }
    const type = codexAdapter.nativeHookType(body)
    expect(type).toBe('agent-turn-complete')
    expect(codexAdapter.parse({ type: type ?? '', payload: body, at: 0 })).toEqual({ facts: [] })
    post('notify', body)
  }
  expect(kinds()).toEqual(before)
})

test('what a subagent does is its own, whatever turn it names', () => {
  const { events, post } = open()
  events('UserPromptSubmit', { prompt: 'go' })
  events('SubagentStart', { agent_id: 'a1', agent_type: 'explorer', turn_id: 't8' })
  const subagent = { agent_id: 'a1', agent_type: 'explorer', turn_id: 't9' }
  expect(post('UserPromptSubmit', { prompt: 'look around', ...subagent }).events).toEqual([])
  const [id] = idsOf(events('PreToolUse', bash('ls', { tool_use_id: 'call_9', ...subagent })))
  const end = post('PostToolUse', bash('ls', { tool_use_id: 'call_9', ...subagent }))
  expect(end.events).toMatchObject([
    { turnId: 't1', event: { kind: 'activity.finished', activity: { id }, subagent_id: 'a1' } },
  ])
  expect(events('SubagentStop', subagent)).toEqual([
    { kind: 'subagent.finished', subagent_id: 'a1', cause: 'completed' },
  ])
})

test('a plan is a todo list', () => {
  const { events } = open()
  events('UserPromptSubmit', { prompt: 'go' })
  const plan = {
    tool_name: 'update_plan',
    tool_input: {
      plan: [
        { step: 'read', status: 'completed' },
        { step: 'write', status: 'in_progress' },
      ],
    },
    tool_use_id: 'call_2',
  }
  expect(events('PreToolUse', plan)).toMatchObject([{ activity: { kind: 'todo.write', summary: '2 items' } }])
  expect(events('PostToolUse', plan)[1]).toEqual({
    kind: 'todo.updated',
    items: [
      { text: 'read', status: 'completed' },
      { text: 'write', status: 'in_progress' },
    ],
  })
})

test('a question is one only in plan mode, where somebody is asked', () => {
  const asking = {
    tool_name: 'request_user_input',
    tool_input: {
      questions: [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
    },
    tool_use_id: 'call_3',
  }
  const refused = open()
  refused.events('UserPromptSubmit', { prompt: 'go' })
  refused.events('PreToolUse', { ...asking, permission_mode: 'default' })
  expect(refused.tracker.state.health).toBe('working')
  const { events, tracker } = open()
  events('UserPromptSubmit', { prompt: 'go' })
  expect(events('PreToolUse', { ...asking, permission_mode: 'plan' })[1]).toEqual({
    kind: 'agent.question',
    text: 'Which colour?',
    options: ['Red', 'Blue'],
  })
  expect(tracker.openRequests).toMatchObject([{ kind: 'question', tool: 'request_user_input' }])
  events('PostToolUse', { ...asking, permission_mode: 'plan', tool_response: 'Red' })
  expect(tracker.openRequests).toEqual([])
})

test('hooks are named by their bodies', () => {
  expect(codexAdapter.nativeHookType({ hook_event_name: 'Stop' })).toBe('Stop')
  expect(codexAdapter.nativeHookType({ hook_event_name: 'x'.repeat(101) })).toBeUndefined()
  expect(codexAdapter.nativeHookType({ type: 'other' })).toBeUndefined()
})
