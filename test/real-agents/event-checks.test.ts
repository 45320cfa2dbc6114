import { describe, expect, test } from 'vitest'
import type { AgentEvent, AgentEventEnvelope } from '../../src/protocol/index.ts'
import { missingFrom, problemsOf } from './event-checks.ts'

const activity = { id: 'a1', kind: 'file.read', tool: 'Read', summary: 'notes.txt' } as const

function stream(...events: [AgentEvent, string?][]): AgentEventEnvelope[] {
  return events.map(([event, turn_id]) => ({
    type: 'agent_event',
    agent: 'claude',
    ts: 1,
    session_id: 's',
    ...(turn_id === undefined ? {} : { turn_id }),
    event,
  }))
}

const good = stream(
  [{ kind: 'session.started' }],
  [{ kind: 'turn.started' }, 't1'],
  [{ kind: 'activity.started', activity }, 't1'],
  [{ kind: 'permission.requested', request_id: 'r1' }, 't1'],
  [{ kind: 'permission.resolved', request_id: 'r1', decision: 'allow' }, 't1'],
  [{ kind: 'activity.finished', activity }, 't1'],
  [{ kind: 'turn.ended', cause: 'completed' }, 't1'],
)

test('a stream in order has no problems', () => {
  expect(problemsOf(good)).toEqual([])
  expect(problemsOf([])).toEqual([])
})

describe('problems are told', () => {
  test.each([
    ['Read a1 has no end', good.toSpliced(5, 1)],
    ['event 5, activity.finished: ends what had not started', good.toSpliced(2, 1)],
    ['event 4, activity.started: a1 starts twice', good.toSpliced(3, 0, ...good.slice(2, 3))],
    ['request r1 stays open', good.toSpliced(4, 1)],
    ['event 4, permission.resolved: resolves r1, which is not open', good.toSpliced(3, 1)],
    ['turn t1 has no end', good.slice(0, -1)],
    ['event 6, turn.ended: ends t1 while undefined is open', good.toSpliced(1, 1)],
    ['event 3, turn.started: begins while t1 is open', good.toSpliced(2, 0, ...good.slice(1, 2))],
    ['event 1, turn.started: has no turn id', stream([{ kind: 'turn.started' }])],
    [
      'event 1, session.started: comes from codex',
      good.slice(0, 1).map((one) => ({ ...one, agent: 'codex' })),
    ],
  ])('%s', (problem, envelopes) => {
    expect(problemsOf(envelopes)).toContain(problem)
  })
})

test('wanted parts are found in order, and only where all they name is equal', () => {
  expect(
    missingFrom(good, [{ kind: 'activity.started', activity: { tool: 'Read' } }, { kind: 'turn.ended' }]),
  ).toEqual([])
  const other = { kind: 'activity.finished', activity: { tool: 'Bash' } } as const
  const early = { kind: 'session.started' } as const
  expect(missingFrom(good, [{ kind: 'turn.started' }, other, early])).toEqual([other, early])
})
