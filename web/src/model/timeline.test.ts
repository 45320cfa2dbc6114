import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent, LogEntry } from '../../../src/protocol/index.ts'
import { anyLog, inPortions } from './arbitrary-entries.ts'
import type { Turn } from './steps.ts'
import { Timeline } from './timeline.ts'

/** Entries of one contact's events, one a second. */
function log(...events: (AgentEvent | [turnId: string, AgentEvent])[]): LogEntry[] {
  return events.map((given, index) => {
    const [turnId, event] = Array.isArray(given) ? given : ['t1', given]
    const { kind } = event
    const isOutside = kind === 'session.started' || kind === 'session.ended'
    return {
      type: 'agent_event',
      agent: 'claude',
      contact: 'vint',
      session_id: 's1',
      ...(!isOutside && { turn_id: turnId }),
      seq: index + 1,
      ts: (index + 1) * 1_000,
      event,
    }
  })
}

function build(entries: readonly LogEntry[], maxEvents?: number): Timeline {
  const timeline = new Timeline(maxEvents)
  timeline.append(entries)
  return timeline
}

function contentsOf({ items, eventCount, trimmed, firstSeq, lastSeq }: Timeline) {
  return { items, eventCount, trimmed, firstSeq, lastSeq }
}

function onlyTurn(timeline: Timeline): Turn {
  const turns = timeline.items.filter((item) => item.type === 'turn')
  expect(turns).toHaveLength(1)
  const [turn] = turns
  if (!turn) throw new Error('there is no turn')
  return turn
}

const bash = { id: 'a1', kind: 'shell.exec', tool: 'Bash', summary: 'npm test' } as const

describe('a fold over the log', () => {
  test('gives the same timeline in whatever portions the entries come', () => {
    const logInPortions = anyLog.chain((entries) =>
      fc.tuple(fc.constant(entries), inPortions(entries), fc.integer({ min: 1, max: 60 })),
    )
    fc.assert(
      fc.property(logInPortions, ([entries, portions, maxEvents]) => {
        const whole = build(entries, maxEvents)
        const pieced = new Timeline(maxEvents)
        for (const portion of portions) pieced.append(portion)
        expect(contentsOf(pieced)).toEqual(contentsOf(whole))
      }),
    )
  })

  test('gives the same timeline when older pages are added in front', () => {
    const logInPortions = anyLog.chain((entries) => fc.tuple(fc.constant(entries), inPortions(entries)))
    fc.assert(
      fc.property(logInPortions, ([entries, pages]) => {
        const paged = new Timeline()
        for (const page of pages.toReversed()) {
          if (paged.lastSeq === 0) paged.append(page)
          else paged.prepend(page)
        }
        expect(paged.items).toEqual(build(entries).items)
      }),
    )
  })

  test('passes over what it has already', () => {
    const entries = log({ kind: 'turn.started' }, { kind: 'activity.started', activity: bash })
    const timeline = build(entries)
    expect(timeline.append(entries)).toBe(0)
    expect(contentsOf(timeline)).toEqual(contentsOf(build(entries)))
  })

  test('never holds more than its bound, and knows that it dropped something', () => {
    fc.assert(
      fc.property(anyLog, fc.integer({ min: 1, max: 30 }), (entries, maxEvents) => {
        const timeline = build(entries, maxEvents)
        expect(timeline.eventCount).toBeLessThanOrEqual(maxEvents)
        expect(timeline.entries()).toHaveLength(timeline.eventCount)
        expect(timeline.trimmed).toBe(entries.length > maxEvents)
      }),
    )
  })

  test('drops the oldest turns first, and of one large turn its older half', () => {
    const activities = Array.from({ length: 2_500 }, (_, index): [string, AgentEvent] => [
      index < 10 ? 't1' : 't2',
      { kind: 'activity.finished', activity: { ...bash, id: `a${index}` } },
    ])
    const timeline = build(log(...activities), 2_000)
    const turn = onlyTurn(timeline)
    expect(turn.turnId).toBe('t2')
    expect(turn.begun).toBe(false)
    expect(turn.steps).toHaveLength(timeline.eventCount)
    expect(turn.steps.at(-1)?.seq).toBe(2_500)
    expect(timeline.prepend([])).toBe(false)
  })
})

describe('a turn', () => {
  test('is one item from prompt to reply, and says its prompt and reply once', () => {
    const timeline = build(
      log(
        { kind: 'session.started', cause: 'startup' },
        { kind: 'turn.started', prompt: 'cut the release' },
        { kind: 'message.user', text: 'cut the release' },
        { kind: 'activity.started', activity: bash },
        { kind: 'activity.finished', activity: bash, duration_ms: 40, output_preview: 'ok' },
        { kind: 'message.assistant', text: 'Ready. Publish?', final: true },
        { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'Ready. Publish?' },
        { kind: 'session.ended' },
      ),
    )
    expect(timeline.items.map((item) => item.type)).toEqual(['note', 'turn', 'note'])
    const turn = onlyTurn(timeline)
    expect(turn).toMatchObject({
      outcome: 'completed',
      prompt: 'cut the release',
      reply: { text: 'Ready. Publish?' },
      durationMs: 5_000,
    })
    expect(turn.steps.map((step) => step.body)).toMatchObject([
      { type: 'activity', outcome: 'finished', durationMs: 40, output: 'ok' },
    ])
  })

  test('keeps a prompt that came in the middle as a step', () => {
    const turn = onlyTurn(
      build(
        log(
          { kind: 'turn.started', prompt: 'one' },
          { kind: 'activity.started', activity: bash },
          { kind: 'message.user', text: 'two' },
        ),
      ),
    )
    expect(turn.steps.at(-1)?.body).toEqual({ type: 'text', from: 'user', text: 'two' })
  })

  test('goes on when a Stop hook continues it; what it said before is a step', () => {
    const turn = onlyTurn(
      build(
        log(
          { kind: 'turn.started', prompt: 'go' },
          { kind: 'turn.ended', last_assistant_text: 'first' },
          { kind: 'turn.started', cause: 'continued' },
          { kind: 'turn.ended', last_assistant_text: 'second' },
        ),
      ),
    )
    expect(turn.reply?.text).toBe('second')
    expect(turn.outcome).toBe('completed')
    expect(turn.steps.map((step) => step.body.type)).toEqual(['text', 'continued'])
  })

  test('takes a reply that comes after its end', () => {
    const turn = onlyTurn(
      build(
        log(
          { kind: 'turn.started' },
          { kind: 'turn.ended' },
          { kind: 'message.assistant', text: 'late', final: true },
        ),
      ),
    )
    expect(turn).toMatchObject({ outcome: 'completed', reply: { text: 'late' } })
  })

  test('that nobody ended is ended by the next one', () => {
    const timeline = build(log(['t1', { kind: 'turn.started' }], ['t2', { kind: 'turn.started' }]))
    expect(timeline.items).toMatchObject([
      { outcome: 'unknown', endedAt: 2_000 },
      { outcome: 'running', endedAt: undefined },
    ])
  })

  test('has parallel activities under their own ids, and failures with their message', () => {
    const other = { ...bash, id: 'a2', tool: 'Read', kind: 'file.read' } as const
    const turn = onlyTurn(
      build(
        log(
          { kind: 'turn.started' },
          { kind: 'activity.started', activity: bash },
          { kind: 'activity.started', activity: other },
          { kind: 'activity.failed', activity: bash, error_message: 'exit 1', failure_kind: 'error' },
          { kind: 'activity.finished', activity: other },
        ),
      ),
    )
    expect(turn.steps.map((step) => step.body)).toMatchObject([
      { outcome: 'failed', error: 'exit 1', failure: 'error' },
      { outcome: 'finished', activity: { id: 'a2' } },
    ])
  })

  test('has what a subagent did under the subagent', () => {
    const turn = onlyTurn(
      build(
        log(
          { kind: 'turn.started' },
          { kind: 'subagent.started', subagent_id: 's', subagent_type: 'Explore', task: 'look' },
          { kind: 'activity.finished', activity: bash, subagent_id: 's' },
          { kind: 'subagent.finished', subagent_id: 's' },
        ),
      ),
    )
    expect(turn.steps).toHaveLength(1)
    expect(turn.steps[0]?.body).toMatchObject({
      type: 'subagent',
      outcome: 'completed',
      children: [{ body: { type: 'activity', outcome: 'finished' } }],
    })
  })

  test('has one task list, in its newest state', () => {
    const turn = onlyTurn(
      build(
        log(
          { kind: 'turn.started' },
          { kind: 'todo.updated', items: [{ text: 'x', status: 'pending' }] },
          { kind: 'todo.updated', items: [{ text: 'x', status: 'completed' }] },
        ),
      ),
    )
    expect(turn.steps.map((step) => step.body)).toEqual([
      { type: 'todo', items: [{ text: 'x', status: 'completed' }] },
    ])
  })
})

describe('a request', () => {
  const asked: AgentEvent = { kind: 'permission.requested', request_id: 'r', activity: bash }

  test('is one step, whether told as an event, as a frame or as both', () => {
    const entries = log({ kind: 'turn.started' }, asked)
    const frame = {
      type: 'permission_request',
      seq: 3,
      contact: 'vint',
      request_id: 'r',
      description: 'rm -rf',
    }
    const turn = onlyTurn(build([...entries, frame]))
    expect(turn.steps.map((step) => step.body)).toMatchObject([
      { type: 'request', requestId: 'r', activity: { summary: 'npm test' }, description: 'rm -rf' },
    ])
  })

  test('is answered by the event or by the frame that takes it off the list', () => {
    const closed = {
      type: 'permission_resolved',
      seq: 3,
      contact: 'vint',
      request_id: 'r',
      by: 'agent',
      reason: 'gone',
    }
    const byFrame = onlyTurn(build([...log({ kind: 'turn.started' }, asked), closed]))
    expect(byFrame.steps[0]?.body).toMatchObject({ answer: { by: 'agent', reason: 'gone' } })
    const byEvent = onlyTurn(
      build(
        log({ kind: 'turn.started' }, asked, {
          kind: 'permission.resolved',
          request_id: 'r',
          decision: 'deny',
        }),
      ),
    )
    expect(byEvent.steps[0]?.body).toMatchObject({ answer: { decision: 'deny' } })
  })

  test('whose beginning is on an older page gets it when that page is loaded', () => {
    const entries = log({ kind: 'turn.started' }, asked, {
      kind: 'permission.resolved',
      request_id: 'r',
      decision: 'allow',
    })
    const timeline = build(entries.slice(2))
    expect(timeline.prepend(entries.slice(0, 2))).toBe(true)
    expect(timeline.items).toEqual(build(entries).items)
  })
})

test('a session that ends takes its contact offline in one line', () => {
  const offline = {
    type: 'contact_changed',
    contact: 'vint',
    seq: 1,
    ts: 1_000,
    change: 'offline',
    state: { id: 'vint', name: 'vint', reason: 'its session ended' },
  }
  const [ended] = log({ kind: 'session.ended', cause: 'user_close' })
  if (!ended) throw new Error('there is no entry')
  const { items } = build([offline, { ...ended, seq: 2 }])
  expect(items).toHaveLength(1)
  expect(items[0]?.steps[0]?.body).toMatchObject({ type: 'session', phase: 'ended' })
})
