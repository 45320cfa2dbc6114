import { expect, test } from 'vitest'
import { contact, type Fields } from '../../../test/fixtures/hooks/contact.ts'
import { verifies } from '../../../test/requirements.ts'
import { openCodeAdapter } from './parse.ts'

let eventCount = 0

/** A contact that events of the bus and hooks of plugins are posted to, as our plugin posts them. */
function open() {
  const { post, tracker, all } = contact(undefined, openCodeAdapter, {})
  const event = (type: string, properties: Fields = {}, more: Fields = {}) => {
    const body = {
      id: `evt_${(eventCount += 1)}`,
      type,
      properties: { sessionID: 'ses_1', ...properties },
      ...more,
    }
    return post(type, body).events.map((tracked) => tracked.event)
  }
  const prompt = (text: string, id: string) =>
    post('chat.message', {
      input: { sessionID: 'ses_1' },
      output: { message: { id, role: 'user' }, parts: [{ type: 'text', text }] },
    }).events.map((tracked) => tracked.event)
  const status = (type: string, more: Fields = {}) => event('session.status', { status: { type, ...more } })
  return { post, event, prompt, status, tracker, all }
}

const tool = (callID: string, status: string, more: Fields = {}): Fields => ({
  part: { type: 'tool', tool: 'bash', callID, state: { status, input: { command: 'ls' }, ...more } },
})

test('hooks of OpenCode become events of the shared vocabulary' + verifies('A:agents.opencode'), () => {
  const { event, prompt, status, post, all } = open()
  event('session.created', { info: { id: 'ses_1', directory: '/home/dev' } })
  prompt('mend it', 'msg_1')
  status('busy')
  event('message.part.updated', {
    part: { type: 'reasoning', id: 'prt_1', text: 'hm', time: { start: 1, end: 2 } },
  })
  const input = { tool: 'bash', sessionID: 'ses_1', callID: 'call_1' }
  post('tool.execute.before', { input, output: { args: { command: 'npm test' } } })
  event('permission.asked', {
    id: 'per_1',
    permission: 'bash',
    patterns: ['npm test'],
    tool: { callID: 'call_1' },
  })
  event('permission.replied', { requestID: 'per_1', reply: 'always' })
  post('tool.execute.after', {
    input: { ...input, args: { command: 'npm test' } },
    output: { output: 'ok', metadata: { exit: 0 } },
  })
  event('todo.updated', { todos: [{ content: 'mend it', status: 'completed', priority: 'high' }] })
  const said = { sessionID: 'ses_1', messageID: 'msg_2', partID: 'prt_2' }
  post('experimental.text.complete', { input: said, output: { text: 'Mended.' } })
  event('session.idle')
  expect(all.map((tracked) => tracked.event)).toMatchObject([
    { kind: 'session.started', cause: 'startup' },
    { kind: 'turn.started', prompt: 'mend it', cause: 'prompt' },
    { kind: 'message.user', text: 'mend it' },
    { kind: 'thinking', text: 'hm' },
    {
      kind: 'activity.started',
      activity: { id: 'call_1', kind: 'shell.exec', tool: 'bash', summary: 'npm test' },
    },
    {
      kind: 'permission.requested',
      request_id: 'per_1',
      activity: { id: 'call_1' },
      description: 'bash: npm test',
    },
    { kind: 'permission.resolved', request_id: 'per_1', decision: 'allow', scope: 'always' },
    { kind: 'activity.finished', activity: { id: 'call_1' }, output_preview: 'ok', content_length: 2 },
    { kind: 'todo.updated', items: [{ text: 'mend it', status: 'completed' }] },
    { kind: 'message.assistant', text: 'Mended.' },
    { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'Mended.' },
  ])
})

test('a prompt is told once, whichever hooks and parts tell of it', () => {
  const { event, prompt } = open()
  expect(prompt('say hello', 'msg_1')).toHaveLength(2)
  expect(prompt('say hello', 'msg_1')).toEqual([])
  const part = { type: 'text', text: 'say hello', messageID: 'msg_1', id: 'prt_1' }
  expect(event('message.updated', { info: { id: 'msg_1', role: 'user' } })).toEqual([])
  expect(event('message.part.updated', { part })).toEqual([])
  expect(event('message.part.updated', { part: { ...part, id: 'prt_9', synthetic: true } })).toEqual([])
  expect(event('message.updated', { info: { id: 'msg_1', role: 'user', summary: { diffs: [] } } })).toEqual(
    [],
  )
  expect(prompt('say hello', 'msg_2')).toEqual([{ kind: 'message.user', text: 'say hello' }])
})

test('what the agent says is told once, when it is whole', () => {
  const { event, prompt, post } = open()
  prompt('go', 'msg_1')
  const part = { type: 'text', id: 'prt_1', messageID: 'msg_2' }
  expect(event('message.part.updated', { part: { ...part, text: '', time: { start: 1 } } })).toEqual([])
  expect(event('message.part.updated', { part: { ...part, text: 'Do', time: { start: 1 } } })).toEqual([])
  const input = { sessionID: 'ses_1', messageID: 'msg_2', partID: 'prt_1' }
  expect(post('experimental.text.complete', { input, output: { text: 'Done.' } }).events).toHaveLength(1)
  expect(
    event('message.part.updated', { part: { ...part, text: 'Done.', time: { start: 1, end: 2 } } }),
  ).toEqual([])
})

test('an event that is posted twice is taken once, and an equal one is taken again', () => {
  const { post, prompt } = open()
  prompt('go', 'msg_1')
  const retry = (id: string) =>
    post('session.status', {
      id,
      type: 'session.status',
      properties: { sessionID: 'ses_1', status: { type: 'retry', attempt: 1, message: 'overloaded' } },
    }).events
  expect(retry('evt_a')).toMatchObject([{ event: { kind: 'notification', text: 'overloaded (attempt 1)' } }])
  expect(retry('evt_a')).toEqual([])
  expect(retry('evt_b')).toHaveLength(1)
})

test('a turn that ends while its model is retried has failed, in the words of the retry', () => {
  const { prompt, status, event, tracker } = open()
  prompt('error 500', 'msg_1')
  status('busy')
  status('retry', { attempt: 1, message: 'Internal Server Error', next: 1 })
  status('busy')
  status('retry', { attempt: 2, message: 'Internal Server Error', next: 2 })
  expect(tracker.state.health).toBe('working')
  expect(status('idle')).toMatchObject([
    { kind: 'turn.ended', cause: 'error', error_message: 'Internal Server Error (attempt 2)' },
  ])
  expect(event('session.idle')).toEqual([])
})

test('a retry that helped is no failure', () => {
  const { prompt, status, event } = open()
  prompt('error once', 'msg_1')
  status('retry', { attempt: 1, message: 'Internal Server Error' })
  event('message.part.updated', {
    part: { type: 'text', id: 'p', text: 'Here.', time: { start: 1, end: 2 } },
  })
  expect(status('idle')).toMatchObject([
    { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'Here.' },
  ])
})

test('Esc aborts; its two idles and the rest of its words change nothing', () => {
  const { prompt, event } = open()
  prompt('slow', 'msg_1')
  event('message.part.updated', tool('call_1', 'running'))
  const error = { name: 'MessageAbortedError', data: { message: 'Aborted' } }
  expect(event('session.error', { error })).toMatchObject([
    { kind: 'activity.failed', failure_kind: 'interrupted' },
    { kind: 'turn.ended', cause: 'aborted' },
  ])
  expect(event('session.idle')).toEqual([])
  expect(event('message.part.updated', tool('call_1', 'error', { error: 'Tool execution aborted' }))).toEqual(
    [],
  )
  const words = { type: 'text', id: 'prt_1', text: 'slow0 slow1', time: { start: 1, end: 2 } }
  expect(event('message.part.updated', { part: words })).toEqual([
    { kind: 'message.assistant', text: 'slow0 slow1' },
  ])
  expect(event('session.idle')).toEqual([])
})

test('another error fails the turn, in its own words', () => {
  const { prompt, event } = open()
  prompt('go', 'msg_1')
  const error = { name: 'ProviderAuthError', data: { providerID: 'x', message: 'No key' } }
  expect(event('session.error', { error })).toMatchObject([
    { kind: 'turn.ended', cause: 'error', error_message: 'ProviderAuthError: No key' },
  ])
})

test('a prompt typed while the agent works joins its turn', () => {
  const { prompt, status } = open()
  prompt('slow', 'msg_1')
  expect(prompt('and then', 'msg_2')).toEqual([{ kind: 'message.user', text: 'and then' }])
  expect(status('idle')).toMatchObject([{ kind: 'turn.ended' }])
  expect(prompt('more', 'msg_3')).toMatchObject([{ kind: 'turn.started', prompt: 'more' }, {}])
})

test('a permission that is asked before its activity is told belongs to it', () => {
  const { prompt, event, tracker } = open()
  prompt('go', 'msg_1')
  event('permission.asked', { id: 'per_1', permission: 'bash', patterns: ['ls'], tool: { callID: 'call_1' } })
  event('message.part.updated', tool('call_1', 'running'))
  expect(tracker.openRequests).toMatchObject([{ requestId: 'per_1', summary: 'bash: ls' }])
  expect(event('message.part.updated', tool('call_1', 'completed', { output: 'a' }))).toMatchObject([
    { kind: 'permission.resolved', request_id: 'per_1', decision: 'allow' },
    { kind: 'activity.finished' },
  ])
})

test('two permissions at once are two requests, and an answer names its own', () => {
  const { prompt, event, tracker } = open()
  prompt('go', 'msg_1')
  for (const n of [1, 2]) {
    event('message.part.updated', tool(`call_${n}`, 'running'))
    event('permission.asked', { id: `per_${n}`, permission: 'bash', tool: { callID: `call_${n}` } })
  }
  expect(event('permission.replied', { requestID: 'per_2', reply: 'reject' })).toMatchObject([
    { kind: 'permission.resolved', request_id: 'per_2', decision: 'deny' },
  ])
  expect(tracker.openRequests.map(({ requestId }) => requestId)).toEqual(['per_1'])
  const refused = 'The user rejected permission to use this specific tool call.'
  expect(event('message.part.updated', tool('call_2', 'error', { error: refused }))).toMatchObject([
    { kind: 'activity.failed', failure_kind: 'permission_denied', error_message: refused },
  ])
})

test('a session with a parent is a subagent of it', () => {
  const { prompt, event, all, tracker } = open()
  prompt('go', 'msg_1')
  const child = { sessionID: 'ses_2' }
  const info = { id: 'ses_2', parentID: 'ses_1', title: 'Explore the tests', agent: 'explore' }
  const inChild = (type: string, fields: Fields) =>
    event(type, { ...child, ...fields }, { parentSessionID: 'ses_1' })
  expect(event('session.created', { ...child, info })).toEqual([
    {
      kind: 'subagent.started',
      subagent_id: 'ses_2',
      subagent_type: 'explore',
      task: 'Explore the tests',
    },
  ])
  const words = { type: 'text', id: 'p9', messageID: 'm9' }
  expect(inChild('message.part.updated', { part: { ...words, text: 'explore' } })).toEqual([])
  inChild('message.part.updated', tool('call_9', 'running'))
  inChild('permission.asked', { id: 'per_9', permission: 'bash', tool: { callID: 'call_9' } })
  expect(tracker.openRequests).toMatchObject([{ requestId: 'per_9', subagentId: 'ses_2' }])
  inChild('permission.replied', { requestID: 'per_9', reply: 'once' })
  inChild('message.part.updated', tool('call_9', 'completed', { output: 'a' }))
  inChild('message.part.updated', {
    part: { ...words, id: 'p10', text: 'Found.', time: { start: 1, end: 2 } },
  })
  inChild('session.idle', {})
  inChild('session.idle', {})
  expect(all.slice(3).map((tracked) => tracked.event)).toMatchObject([
    { kind: 'activity.started', subagent_id: 'ses_2' },
    { kind: 'permission.requested' },
    { kind: 'permission.resolved', decision: 'allow', scope: 'once' },
    { kind: 'activity.finished', subagent_id: 'ses_2' },
    { kind: 'message.assistant', text: 'Found.', subagent_id: 'ses_2' },
    { kind: 'subagent.finished', subagent_id: 'ses_2', cause: 'completed' },
  ])
  expect(all.every(({ sessionId }) => sessionId === 'ses_1')).toBe(true)
  expect(tracker.state.turnId).toBe(all[0]?.turnId)
})

test('a question is closed by its answer or by its rejection', () => {
  const { prompt, event, tracker } = open()
  prompt('go', 'msg_1')
  const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }]
  for (const [id, end] of [
    ['que_1', 'question.replied'],
    ['que_2', 'question.rejected'],
  ] as const) {
    expect(event('question.asked', { id, questions })).toEqual([
      { kind: 'agent.question', text: 'Which colour?', options: ['Red', 'Blue'] },
    ])
    expect(tracker.openRequests).toMatchObject([{ requestId: id, kind: 'question' }])
    event(end, { requestID: id })
    expect(tracker.openRequests).toEqual([])
  }
})

test('flat bodies, as the original forwarder posted them, say the same', () => {
  const { post, all } = open()
  const flat = (type: string, fields: Fields) => post(type, { session_id: 'ses_1', ...fields })
  flat('session.created', {})
  flat('message.updated', { role: 'user', text: 'go' })
  flat('tool.execute.before', { tool: 'bash', callID: 'c1', input: { command: 'ls' } })
  flat('permission.asked', { permissionID: 'per_1', title: 'Run ls' })
  flat('permission.replied', { permissionID: 'per_1', response: 'once' })
  flat('tool.execute.after', { tool: 'bash', callID: 'c1', input: { command: 'ls' }, error: 'it broke' })
  flat('todo.updated', { items: [{ text: 'a', status: 'pending' }] })
  flat('message.part.updated', { type: 'thinking', text: 'hm' })
  flat('message.updated', { role: 'assistant', text: 'Done.' })
  flat('session.idle', {})
  flat('session.compacted', {})
  flat('session.deleted', {})
  expect(all.map((tracked) => tracked.event)).toMatchObject([
    { kind: 'session.started' },
    { kind: 'turn.started', prompt: 'go' },
    { kind: 'message.user', text: 'go' },
    { kind: 'activity.started', activity: { id: 'c1', summary: 'ls' } },
    { kind: 'permission.requested', request_id: 'per_1', activity: { id: 'c1' }, description: 'Run ls' },
    { kind: 'permission.resolved', request_id: 'per_1', decision: 'allow', scope: 'once' },
    { kind: 'activity.failed', activity: { id: 'c1' }, error_message: 'it broke' },
    { kind: 'todo.updated', items: [{ text: 'a', status: 'pending' }] },
    { kind: 'thinking', text: 'hm' },
    { kind: 'message.assistant', text: 'Done.' },
    { kind: 'turn.ended', last_assistant_text: 'Done.' },
    { kind: 'context.compacting' },
    { kind: 'session.ended' },
  ])
})

test('events are named by their bodies, and hooks of plugins by what posts them', () => {
  expect(openCodeAdapter.nativeHookType({ type: 'session.idle', properties: {} })).toBe('session.idle')
  expect(openCodeAdapter.nativeHookType({ type: 'session.idle' })).toBeUndefined()
  expect(openCodeAdapter.nativeHookType({ input: {}, output: {} })).toBeUndefined()
  const event = { type: 'session.deleted', properties: { sessionID: 'ses_1' } }
  expect(openCodeAdapter.parse({ type: 'event', payload: event, at: 0 })).toMatchObject({
    sessionId: 'ses_1',
    session: 'switched',
  })
})
