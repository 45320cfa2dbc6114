import { describe, expect, test } from 'vitest'
import { testContact } from '../../../test/fixtures/contact.ts'
import type { AgentEvent, Contact, LogEntry } from '../../../src/protocol/index.ts'
import { Facts } from './facts.ts'
import { buildRoster, countAsks, stateOf } from './roster.ts'
import { shortenPath } from './short-path.ts'

const contact = (fields: Partial<Contact> = {}) => testContact('vint', fields)

function factsOf(...events: AgentEvent[]): Facts {
  const facts = new Facts()
  facts.append(entriesOf('vint', events))
  return facts
}

function entriesOf(contact: string, events: readonly AgentEvent[], from = 1): LogEntry[] {
  return events.map((event, index) => ({
    type: 'agent_event',
    agent: 'claude',
    contact,
    seq: from + index,
    ts: (from + index) * 1_000,
    event,
  }))
}

const bash = { id: 'a', kind: 'shell.exec', tool: 'Bash', summary: 'npm publish' } as const
const completed: AgentEvent = { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'Ready.' }
const failed: AgentEvent = { kind: 'turn.ended', cause: 'error', error_message: 'overloaded' }

describe('the state of a contact', () => {
  test.each([
    ['asks', contact({ open_requests: 1, health: 'working' }), []],
    ['asks', contact({ health: 'blocked' }), []],
    ['failed', contact(), [failed]],
    ['done', contact(), [completed]],
    ['working', contact({ health: 'working' }), [completed]],
    ['working', contact({ health: 'starting' }), []],
    ['idle', contact(), []],
    ['idle', contact(), [{ kind: 'turn.ended', cause: 'aborted' } satisfies AgentEvent]],
    ['offline', contact({ status: 'offline' }), []],
    ['done', contact({ status: 'offline' }), [completed]],
    ['offline', contact({ status: 'offline' }), [completed, { kind: 'session.ended' } satisfies AgentEvent]],
  ] as const)('is %s (%#)', (state, contact, events) => {
    expect(stateOf(contact, factsOf(...events).get('vint'), 0)).toBe(state)
  })

  test('is done only until it was seen; a failure stays until the next turn', () => {
    const done = factsOf(completed).get('vint')
    expect(stateOf(contact(), done, 0)).toBe('done')
    expect(stateOf(contact(), done, 1)).toBe('idle')
    expect(stateOf(contact(), factsOf(failed).get('vint'), 1)).toBe('failed')
    expect(stateOf(contact(), factsOf(failed, { kind: 'turn.started' }).get('vint'), 0)).toBe('idle')
  })
})

describe('what a contact does now', () => {
  const doing = (contact: Contact, ...events: AgentEvent[]) =>
    buildRoster(
      [contact],
      (id) => factsOf(...events).get(id),
      () => 0,
    )[0]?.doing

  test('asking: what for', () => {
    const asked: AgentEvent = { kind: 'permission.requested', request_id: 'r', activity: bash }
    expect(doing(contact({ open_requests: 1 }), asked)).toEqual({
      tool: 'Bash',
      text: 'npm publish',
    })
  })

  test('working: the newest tool, else its task, else that it thinks', () => {
    const working = contact({ health: 'working' })
    const started: AgentEvent = { kind: 'activity.started', activity: bash }
    const todo: AgentEvent = { kind: 'todo.updated', items: [{ text: 'mend', status: 'in_progress' }] }
    expect(doing(working, started)).toMatchObject({ tool: 'Bash' })
    expect(doing(working, started, { kind: 'activity.finished', activity: bash })).toMatchObject({
      text: 'thinks, after Bash',
    })
    expect(doing(working, todo)).toMatchObject({ text: 'mend' })
    expect(doing(working)).toMatchObject({ text: 'its turn ended' })
  })

  test('done: what it said; failed: what went wrong', () => {
    expect(doing(contact(), completed)?.text).toBe('Ready.')
    expect(doing(contact(), failed)?.text).toBe('overloaded')
  })
})

test('those that need somebody come first, the longest waiting before all', () => {
  const facts = new Facts()
  facts.append([
    ...entriesOf('done', [completed]),
    ...entriesOf('failed', [failed], 10),
    ...entriesOf('late', [{ kind: 'permission.requested', request_id: 'r2' }], 20),
    ...entriesOf('early', [{ kind: 'permission.requested', request_id: 'r1' }], 30),
  ])
  const named = (name: string, fields: Partial<Contact> = {}) => contact({ id: name, name, ...fields })
  const roster = buildRoster(
    [
      named('gone', { status: 'offline' }),
      named('idle'),
      named('busy', { health: 'working' }),
      named('done'),
      named('failed'),
      named('early', { open_requests: 1 }),
      named('late', { open_requests: 1 }),
    ],
    (id) => facts.get(id),
    () => 0,
  )
  expect(roster.map((entry) => entry.contact.name)).toEqual([
    'late',
    'early',
    'failed',
    'done',
    'busy',
    'idle',
    'gone',
  ])
  expect(countAsks(roster)).toBe(2)
})

test('an entry that says the same stays the same object', () => {
  const facts = factsOf(completed)
  const contacts = [contact(), contact({ id: 'otter', name: 'otter' })]
  const build = (previous?: ReturnType<typeof buildRoster>) =>
    buildRoster(
      contacts,
      (id) => facts.get(id),
      () => 0,
      previous,
    )
  const before = build()
  facts.append(entriesOf('otter', [completed], 5))
  const after = build(before)
  expect(after.find((entry) => entry.contact.id === 'vint')).toBe(
    before.find((entry) => entry.contact.id === 'vint'),
  )
  expect(after.find((entry) => entry.contact.id === 'otter')?.state).toBe('done')
})

test('an answered request is no longer asked, whoever tells of it', () => {
  const facts = new Facts()
  const asked = entriesOf('vint', [{ kind: 'permission.requested', request_id: 'r', activity: bash }])
  facts.append(asked)
  expect(facts.get('vint')?.asks.size).toBe(1)
  facts.append([{ type: 'permission_resolved', seq: 9, contact: 'vint', request_id: 'r', by: 'agent' }])
  expect(facts.get('vint')?.asks.size).toBe(0)
})

test.each([
  ['/home/dev/api', '~/api'],
  ['/Users/ann/work', '~/work'],
  ['/root', '~'],
  ['/roots/x', '/roots/x'],
  ['/srv/app', '/srv/app'],
])('the directory %s is shown as %s', (path, shown) => {
  expect(shortenPath(path)).toBe(shown)
})
