import { expect, test } from 'vitest'
import { agentEventKinds } from '../../protocol/index.ts'
import { Tracker } from '../tracking/tracker.ts'
import { simulatorAdapter } from './adapter.ts'
import { simulateSession } from './session.ts'

function eventsOf(seed: number) {
  const tracker = new Tracker()
  let at = 0
  return [...simulateSession({ seed })].flatMap(({ delayMs, hookType, payload }) => {
    at += delayMs
    return [...tracker.apply(simulatorAdapter.parse({ type: hookType, payload, at }), at).events]
  })
}

test('the same seed tells the same session, another one does not', () => {
  expect([...simulateSession({ seed: 7 })]).toEqual([...simulateSession({ seed: 7 })])
  expect([...simulateSession({ seed: 7 })]).not.toEqual([...simulateSession({ seed: 8 })])
})

test('all kinds of events come out of it', () => {
  const kinds = new Set(eventsOf(1).map(({ event }) => event.kind))
  expect(agentEventKinds.filter((kind) => !kinds.has(kind))).toEqual([])
})

test('each turn and activity in it ends', () => {
  const events = eventsOf(2).map(({ event }) => event)
  const started = events.flatMap((event) => (event.kind === 'activity.started' ? [event.activity.id] : []))
  const ended = events.flatMap((event) =>
    event.kind === 'activity.finished' || event.kind === 'activity.failed' ? [event.activity.id] : [],
  )
  expect(ended.sort()).toEqual(started.sort())
  const turns = events.filter(({ kind }) => kind === 'turn.ended')
  expect(turns.map((event) => event.kind === 'turn.ended' && event.cause)).toEqual([
    'completed',
    'completed',
    'completed',
    'error',
  ])
})

test('its id and place can be chosen, and it can go on without end', () => {
  const hooks = simulateSession({ seed: 1, sessionId: 'mine', directory: '/tmp/place', rounds: Infinity })
  let prompts = 0
  for (const { hookType, payload, delayMs } of hooks) {
    expect(payload).toMatchObject({ session_id: 'mine', cwd: '/tmp/place', hook_event_name: hookType })
    expect(delayMs).toBeGreaterThanOrEqual(0)
    if (hookType === 'UserPromptSubmit') prompts += 1
    if (prompts === 20) break
  }
  expect(prompts).toBe(20)
})
