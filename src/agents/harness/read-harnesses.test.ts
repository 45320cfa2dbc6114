import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BridgeError } from '../../core/errors.ts'
import { Tracker } from '../tracking/tracker.ts'
import { builtInHarnesses, readHarnesses } from './read-harnesses.ts'

const directory = mkdtempSync(join(tmpdir(), 'harness-'))
afterAll(() => rmSync(directory, { recursive: true }))

function fileOf(content: unknown): string {
  const path = join(directory, 'harness.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** A harness that uses everything a description can say. */
const aider = {
  title: 'Aider',
  source: 'Made up for this test.',
  fields: {
    hook: ['event.name'],
    session: ['chat.id'],
    turn: ['turn'],
    directory: ['chat.root'],
    tool: ['call.name'],
    input: ['call.arguments'],
    call: ['call.id'],
    subagent: ['agent'],
  },
  hooks: {
    open: [{ becomes: 'session.started', cause: 'startup', why: 'It begins.' }],
    close: [
      { when: { 'chat.next': true }, becomes: 'session.ended', switches: true, why: 'Another follows.' },
      {
        becomes: 'session.ended',
        cause: { from: 'why', values: { bye: 'user_close' }, else: 'unknown' },
        why: 'It ends.',
      },
    ],
    ask: [{ becomes: 'turn.started', prompt: ['text'], message: ['id'], joins: true, why: 'A prompt.' }],
    say: [{ becomes: 'message.assistant', text: ['text'], message: ['id'], why: 'Words.' }],
    think: [{ becomes: 'thinking', text: ['text'], why: 'Thoughts.' }],
    call: [{ becomes: 'activity.started', why: 'A tool.' }],
    done: [{ becomes: 'activity.finished', output: ['out'], duration_ms: ['ms'], why: 'It ran.' }],
    fail: [{ becomes: 'activity.failed', error: ['err'], why: 'It failed.' }],
    may: [
      {
        becomes: 'permission.requested',
        request: ['request'],
        description: ['text'],
        why: 'A dialog.',
      },
    ],
    verdict: [
      {
        becomes: 'permission.resolved',
        request: ['request'],
        decision: { from: 'ok', values: { true: 'allow', false: 'deny' } },
        why: 'Its answer.',
      },
    ],
    question: [{ becomes: 'agent.question', text: ['text'], options: ['choices'], why: 'A question.' }],
    todos: [{ becomes: 'todo.updated', items: ['list'], why: 'The list.' }],
    spawn: [
      { becomes: 'subagent.started', subagent: ['agent'], type: ['kind'], task: ['text'], why: 'It begins.' },
    ],
    reap: [{ becomes: 'subagent.finished', subagent: ['agent'], cause: 'completed', why: 'It ends.' }],
    squeeze: [
      { becomes: 'context.compacting', trigger: ['by'], usage_percent: ['full'], why: 'Room is needed.' },
    ],
    note: [{ becomes: 'notification', text: ['text'], why: 'News.' }],
    odd: [{ becomes: 'unknown', why: 'Nobody knows.' }],
    tick: [{ becomes: 'nothing', why: 'It says nothing.' }],
    end: [{ becomes: 'turn.ended', only_open: true, why: 'It is idle.' }],
  },
  tools: { run: { kind: 'shell.exec', like: 'Bash' }, look: 'file.read' },
  mcp_prefixes: ['mcp/'],
}

test('a file that is not there registers nothing', () => {
  expect(readHarnesses(join(directory, 'none.json'))).toEqual([])
})

test('a harness of the user’s is read by its description', () => {
  const [harness] = readHarnesses(fileOf({ aider }))
  const tracker = new Tracker(() => 'minted')
  const chat = { id: 'c1', root: '/home/dev' }
  const run = { name: 'run', arguments: { command: 'ls' }, id: 'call-1' }
  const posted: [string, object][] = [
    ['open', {}],
    ['ask', { text: 'go', id: 'm1', turn: 't1' }],
    ['ask', { text: 'go', id: 'm1', turn: 't1' }],
    ['ask', { text: 'and then', id: 'm2', turn: 't1' }],
    ['think', { text: 'hm' }],
    ['call', { call: run }],
    ['may', { call: run, request: 'r1', text: 'May I?' }],
    ['verdict', { request: 'r1', ok: true }],
    ['done', { call: run, out: 'a', ms: 7 }],
    ['call', { call: { name: 'look', arguments: {}, id: 'call-2' } }],
    ['fail', { call: { name: 'look', arguments: {}, id: 'call-2' }, err: 'no such file' }],
    ['question', { text: 'Which?', choices: ['a', 'b'] }],
    ['todos', { list: [{ text: 'mend the loop', status: 'completed' }] }],
    ['spawn', { agent: 'a1', kind: 'explore', text: 'look around' }],
    ['reap', { agent: 'a1' }],
    ['squeeze', { by: 'auto', full: 80 }],
    ['note', { text: 'hello' }],
    ['odd', {}],
    ['tick', {}],
    ['say', { text: 'Done.', id: 'm3' }],
    ['end', {}],
    ['end', {}],
    ['close', { why: 'bye' }],
  ]
  const events = posted.flatMap(([name, fields], index) => {
    const payload = { event: { name }, chat, ...fields }
    expect(harness?.adapter.nativeHookType(payload)).toBe(name)
    const at = index * 20
    const parsed = harness?.adapter.parse({ type: name, payload, at })
    expect(parsed).toMatchObject({ sessionId: 'c1', directory: '/home/dev' })
    return parsed ? tracker.apply(parsed, at).events.map(({ event }) => event) : []
  })
  expect(events).toMatchObject([
    { kind: 'session.started', cause: 'startup' },
    { kind: 'turn.started', prompt: 'go' },
    { kind: 'message.user', text: 'go' },
    { kind: 'message.user', text: 'and then' },
    { kind: 'thinking', text: 'hm' },
    { kind: 'activity.started', activity: { id: 'call-1', kind: 'shell.exec', tool: 'run', summary: 'ls' } },
    { kind: 'permission.requested', request_id: 'r1', activity: { id: 'call-1' }, description: 'May I?' },
    { kind: 'permission.resolved', request_id: 'r1', decision: 'allow' },
    { kind: 'activity.finished', activity: { id: 'call-1' }, duration_ms: 7, output_preview: 'a' },
    { kind: 'activity.started', activity: { id: 'call-2', kind: 'file.read' } },
    { kind: 'activity.failed', activity: { id: 'call-2' }, error_message: 'no such file' },
    { kind: 'agent.question', text: 'Which?', options: ['a', 'b'] },
    { kind: 'todo.updated', items: [{ text: 'mend the loop', status: 'completed' }] },
    { kind: 'subagent.started', subagent_id: 'a1', subagent_type: 'explore', task: 'look around' },
    { kind: 'subagent.finished', subagent_id: 'a1', cause: 'completed' },
    { kind: 'context.compacting', trigger: 'auto', context_usage_percent: 80 },
    { kind: 'notification', text: 'hello' },
    { kind: 'unknown' },
    { kind: 'message.assistant', text: 'Done.' },
    { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'Done.' },
    { kind: 'session.ended', cause: 'user_close' },
  ])
})

test('the first rule whose conditions hold is taken', () => {
  const [harness] = readHarnesses(fileOf({ aider }))
  const sessionOf = (next: unknown) =>
    harness?.adapter.parse({ type: 'close', payload: { chat: { id: 'c1', next } }, at: 0 }).session
  expect(sessionOf(true)).toBe('switched')
  expect(sessionOf('true')).toBe('ended')
})

test('a user may describe Gemini anew', () => {
  const [harness] = readHarnesses(fileOf({ gemini: aider }))
  expect(harness?.agent).toBe('gemini')
  expect(builtInHarnesses.map(({ agent }) => agent)).toEqual(['gemini'])
})

const broken: readonly [title: string, content: unknown, field: string, problem: RegExp][] = [
  ['no JSON', '{', 'file', /not valid JSON/],
  ['no object', [], 'file', /record|object/],
  ['an agent the bridge knows', { claude: aider }, 'claude', /itself/],
  ['a name that is no name', { 'My Agent': aider }, 'My Agent', /lower case/],
  ['a field that is missing', { aider: { ...aider, title: undefined } }, 'aider.title', /string/],
  ['a field nobody knows', { aider: { ...aider, colour: 'red' } }, 'aider.colour', /colour/],
  [
    'a kind of activity that does not exist',
    { aider: { ...aider, tools: { run: { kind: 'shell.run' } } } },
    'aider.tools.run.kind',
    /shell\.exec/,
  ],
  [
    'a hook that becomes nothing we know',
    { aider: { ...aider, hooks: { open: [{ becomes: 'session.opened', why: 'x' }] } } },
    'aider.hooks.open.0.becomes',
    /session\.started|discriminator|Invalid/,
  ],
  [
    'a field of another kind of rule',
    { aider: { ...aider, hooks: { tick: [{ becomes: 'nothing', text: ['x'], why: 'x' }] } } },
    'aider.hooks.tick.0.text',
    /text/,
  ],
  [
    'a cause that does not exist',
    {
      aider: {
        ...aider,
        hooks: { open: [{ becomes: 'session.started', cause: { from: 'x', values: { a: 'b' } }, why: 'x' }] },
      },
    },
    'aider.hooks.open.0.cause.values.a',
    /startup/,
  ],
]

test.each(broken)('a file with %s is refused, and the field named', (_, content, field, problem) => {
  const path = fileOf(content)
  const failure = caught(() => readHarnesses(path))
  expect(failure).toBeInstanceOf(BridgeError)
  expect(failure).toMatchObject({
    code: 'config_invalid',
    data: { source: path, field, problem: expect.stringMatching(problem) },
  })
})

test('a file that cannot be read is named', () => {
  expect(caught(() => readHarnesses(directory))).toMatchObject({
    code: 'config_invalid',
    data: { source: directory, field: 'file', problem: expect.stringMatching(/EISDIR/) },
  })
})

function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
