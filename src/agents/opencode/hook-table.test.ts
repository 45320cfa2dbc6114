import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kindsOfLast, testHookTable, type Example } from '../../../test/fixtures/hooks/hook-examples.ts'
import { openCodeHookTable } from './hook-table.ts'

const session = { sessionID: 'ses_1' }
const event = (type: string, properties: Record<string, unknown> = {}, id = `evt_${type}`): Example => [
  type,
  { id, type, properties: { ...session, ...properties } },
]
const part = (fields: Record<string, unknown>, id?: string): Example =>
  event('message.part.updated', { part: { id: 'prt_2', messageID: 'msg_2', ...session, ...fields } }, id)
const tool = (state: Record<string, unknown>, id?: string): Example =>
  part({ type: 'tool', tool: 'bash', callID: 'call_1', state: { input: args, ...state } }, id)

const args = { command: 'ls' }
const prompt = chat('msg_1', { type: 'text', text: 'go' })
const said: Example = part({ type: 'text', text: 'Done.', time: { start: 1, end: 2 } })
const input = { tool: 'bash', callID: 'call_1', ...session }
const before: Example = ['tool.execute.before', { input, output: { args } }]
const after = (exit: number): Example => [
  'tool.execute.after',
  { input: { ...input, args }, output: { output: 'a', metadata: { exit } } },
]
const times = { time: { start: 1, end: 2 } }
const asked = { permission: 'bash', patterns: ['ls'], tool: { callID: 'call_1' } }
const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }] }]
const child = { sessionID: 'ses_2', info: { id: 'ses_2', parentID: 'ses_1', title: 'Explore' } }
const retry = event('session.status', {
  status: { type: 'retry', attempt: 1, message: 'overloaded', next: 1 },
})
const idle = event('session.status', { status: { type: 'idle' } })

function chat(id: string, ...parts: object[]): Example {
  return ['chat.message', { input: session, output: { message: { id, role: 'user', ...session }, parts } }]
}

testHookTable(
  'opencode',
  openCodeHookTable,
  {},
  {
    'session.created': [event('session.created', { info: { id: 'ses_1', directory: '/home/dev' } })],
    'session.created with a `parentID`': [prompt, event('session.created', child)],
    'session.created of another session while a turn is open': [
      prompt,
      event('session.created', { sessionID: 'ses_3', info: { id: 'ses_3' } }),
    ],
    'session.deleted': [event('session.deleted', { info: { id: 'ses_1' } })],
    'session.status': [prompt, event('session.status', { status: { type: 'busy' } })],
    'session.status `retry`': [prompt, retry],
    'session.status `idle`': [prompt, idle],
    'session.status `idle` after `retry`': [prompt, retry, idle],
    'session.idle': [prompt, said, event('session.idle')],
    'session.idle while no turn is open': [prompt, idle, event('session.idle')],
    'session.idle of a subagent': [
      prompt,
      event('session.created', child),
      [
        'session.idle',
        { parentSessionID: 'ses_1', type: 'session.idle', properties: { sessionID: 'ses_2' } },
      ],
    ],
    'session.error': [
      prompt,
      event('session.error', { error: { name: 'APIError', data: { message: 'no' } } }),
    ],
    'session.error `MessageAbortedError`': [
      prompt,
      event('session.error', { error: { name: 'MessageAbortedError' } }),
    ],
    'session.error without a session': [
      [
        'session.error',
        { id: 'evt_1', type: 'session.error', properties: { error: { name: 'UnknownError' } } },
      ],
    ],
    'session.compacted': [event('session.compacted')],
    'chat.message': [prompt],
    'chat.message while a turn is open': [prompt, chat('msg_3', { type: 'text', text: 'and then' })],
    'chat.message with nothing but synthetic text': [
      chat('msg_1', { type: 'text', text: 'Continue.', synthetic: true }),
    ],
    'message.updated': [prompt, event('message.updated', { info: { id: 'msg_2', role: 'assistant' } })],
    'message.updated flat, with a role and a text': [
      ['message.updated', { sessionID: 'ses_1', role: 'user', text: 'go' }],
    ],
    'message.part.updated of a text without times': [part({ type: 'text', text: 'go' })],
    'message.part.updated of a text of a message that was told': [
      prompt,
      part({ type: 'text', text: 'go', messageID: 'msg_1' }),
    ],
    'message.part.updated of a text with an end': [prompt, said],
    'message.part.updated of a text without an end': [
      prompt,
      part({ type: 'text', text: 'Do', time: { start: 1 } }),
    ],
    'message.part.updated of a reasoning with an end': [
      prompt,
      part({ type: 'reasoning', text: 'Hm.', ...times }),
    ],
    'message.part.updated of a tool that is pending': [prompt, tool({ status: 'pending' })],
    'message.part.updated of a tool that runs': [prompt, tool({ status: 'running' })],
    'message.part.updated of a tool that is completed': [
      prompt,
      tool({ status: 'running' }, 'evt_1'),
      tool({ status: 'completed', output: 'a', metadata: { exit: 0 }, ...times }),
    ],
    'message.part.updated of a command with an exit code': [
      prompt,
      tool({ status: 'running' }, 'evt_1'),
      tool({ status: 'completed', output: 'a', metadata: { exit: 1 }, ...times }),
    ],
    'message.part.updated of a tool with an error': [
      prompt,
      before,
      tool({ status: 'error', error: 'it broke', ...times }),
    ],
    'message.part.updated of anything else': [prompt, part({ type: 'step-start' })],
    'experimental.text.complete': [
      prompt,
      [
        'experimental.text.complete',
        { input: { messageID: 'msg_2', partID: 'prt_2', ...session }, output: { text: 'Done.' } },
      ],
    ],
    'tool.execute.before': [prompt, before],
    'tool.execute.after': [prompt, before, after(0)],
    'tool.execute.after of a command with an exit code': [prompt, before, after(1)],
    'permission.asked': [prompt, before, event('permission.asked', { id: 'per_1', ...asked })],
    'permission.asked without an id': [prompt, before, event('permission.asked', asked)],
    'permission.updated': [prompt, before, event('permission.updated', { id: 'per_1', title: 'ls' })],
    'permission.v2.asked': [
      prompt,
      before,
      event('permission.v2.asked', { id: 'per_1', action: 'bash', resources: ['ls'] }),
    ],
    'permission.replied': [
      prompt,
      before,
      event('permission.asked', { id: 'per_1', ...asked }),
      event('permission.replied', { requestID: 'per_1', reply: 'once' }),
    ],
    'permission.replied to a request that is not open': [
      prompt,
      event('permission.replied', { requestID: 'per_1', reply: 'once' }),
    ],
    'permission.v2.replied': [
      prompt,
      before,
      event('permission.asked', { id: 'per_1', ...asked }),
      event('permission.v2.replied', { requestID: 'per_1', reply: 'always' }),
    ],
    'question.asked': [prompt, event('question.asked', { id: 'que_1', questions })],
    'question.v2.asked': [prompt, event('question.v2.asked', { id: 'que_1', questions })],
    'todo.updated': [event('todo.updated', { todos: [{ content: 'mend the loop', status: 'pending' }] })],
  },
)

test('every event that its API describes is in the table', () => {
  const file = join(import.meta.dirname, '../../../test/fixtures/hooks/opencode/event-types.json')
  const types: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const inTable = (type: unknown) =>
    openCodeHookTable.some(({ hook }) =>
      hook.endsWith('*') ? String(type).startsWith(hook.slice(0, -1)) : hook === type,
    )
  expect(Array.isArray(types) ? types.length : 0).toBe(89)
  expect(Array.isArray(types) ? types.filter((type) => !inTable(type)) : types).toEqual([])
})

test('an event that nobody knows is unknown', () => {
  expect(kindsOfLast('opencode', [event('session.invented')], {})).toEqual(['unknown'])
})
