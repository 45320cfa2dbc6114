import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import type { LogFrame } from '../client/stream-items.ts'
import type { AgentEvent, Contact } from '../protocol/index.ts'
import { styleFor } from './style.ts'
import { TailLines } from './tail-lines.ts'
import { textWidth } from './text-width.ts'

const now = new Date(2026, 10, 30, 14, 2, 7).getTime()
const plain = styleFor({})
const activity = { id: 'a', kind: 'shell.exec', tool: 'Bash', summary: 'npm test' } as const
const agentEvent = (event: AgentEvent, ts = now): LogFrame => ({
  type: 'agent_event',
  agent: 'claude',
  ts,
  event,
  seq: 1,
})
const lineOf = (event: AgentEvent) => new TailLines(plain, now).frame(agentEvent(event), 'vint').join('\n')

const contact: Contact = {
  id: 'c',
  name: 'vint',
  agent: 'claude',
  directory: '/srv/api',
  status: 'live',
  health: 'ok',
  transport: 'none',
  reason: 'its session ended',
  open_requests: 0,
  created_at: 0,
  last_seen_at: 0,
}

describe('TailLines', () => {
  const cases: readonly (readonly [AgentEvent, string])[] = [
    [{ kind: 'session.started', cause: 'startup' }, '◇ session started  startup'],
    [
      { kind: 'session.ended', cause: 'user_close', duration_ms: 61_000 },
      '◇ session ended  user close  1m 1s',
    ],
    [{ kind: 'turn.started', cause: 'prompt' }, '┌ turn'],
    [{ kind: 'turn.started', cause: 'continued' }, '┌ turn  continued'],
    [
      { kind: 'turn.ended', cause: 'completed', duration_ms: 1_200, background_tasks: 2 },
      '└ turn ended  2 in the background  1.2s',
    ],
    [{ kind: 'turn.ended', cause: 'aborted' }, '└ turn interrupted'],
    [{ kind: 'turn.ended', cause: 'error', error_message: 'overloaded' }, '└ turn failed: overloaded'],
    [{ kind: 'message.user', text: 'two\nlines' }, '❯ two⏎ lines'],
    [{ kind: 'message.assistant', text: 'done', subagent_id: 's' }, '▌ done  in a subagent'],
    [{ kind: 'thinking', text: 'hm' }, '… hm'],
    [{ kind: 'activity.started', activity }, '→ Bash  npm test'],
    [{ kind: 'activity.finished', activity, duration_ms: 1_900 }, '✓ Bash  npm test  1.9s'],
    [
      { kind: 'activity.failed', activity, failure_kind: 'permission_denied' },
      '✗ Bash  npm test  not permitted',
    ],
    [
      { kind: 'activity.failed', activity, failure_kind: 'error', error_message: 'exit 1' },
      '✗ Bash  npm test  exit 1',
    ],
    [
      { kind: 'permission.requested', request_id: 'r', activity, description: 'Run it' },
      '◆ asks Bash  npm test  Run it',
    ],
    [{ kind: 'permission.requested', request_id: 'r', description: 'Trust?' }, '◆ asks Trust?'],
    [{ kind: 'permission.resolved', request_id: 'r', decision: 'deny' }, '◇ denied'],
    [
      {
        kind: 'todo.updated',
        items: [
          { text: 'x', status: 'completed' },
          { text: 'y', status: 'in_progress' },
        ],
      },
      '☰ 1 of 2 done  y',
    ],
    [
      { kind: 'subagent.started', subagent_id: 's', subagent_type: 'Explore', task: 'look' },
      '↳ subagent Explore  look',
    ],
    [{ kind: 'subagent.finished', subagent_id: 's', cause: 'completed' }, '↲ subagent finished'],
    [{ kind: 'agent.question', text: 'Which?', options: ['a', 'b'] }, '◆ asks Which?  a / b'],
    [{ kind: 'context.compacting', trigger: 'auto' }, '⇊ compacting the context  auto'],
    [{ kind: 'notification', text: 'waiting' }, '! waiting'],
    [{ kind: 'unknown' }, '· unknown hook'],
  ]
  test.each(cases)('%j', (event, text) => {
    expect(lineOf(event)).toBe(`14:02:07  vint      ${text}`)
  })

  test('frames beside events: once, and not what another frame says', () => {
    const lines = new TailLines(plain, now)
    const shown = (frame: LogFrame) => lines.frame(frame, 'vint').map((line) => line.slice(20))
    expect(shown({ type: 'permission_request', request_id: 'r', opened_at: 0, seq: 1 })).toEqual([])
    const resolved = { type: 'permission_resolved', request_id: 'r', seq: 1 } as const
    expect(shown({ ...resolved, by: 'agent', behavior: 'allow' })).toEqual([])
    expect(shown({ ...resolved, by: 'remote', behavior: 'deny' })).toEqual(['◇ denied  by remote'])
    expect(shown({ ...resolved, by: 'agent', reason: 'its turn ended' })).toEqual([
      '◇ request closed  its turn ended',
    ])
    const changed = { type: 'contact_changed', ts: now, state: contact, seq: 1 } as const
    expect(shown({ ...changed, change: 'connect' })).toEqual(['+ connected  claude in /srv/api'])
    expect(shown({ ...changed, change: 'offline' })).toEqual(['○ went offline  its session ended'])
    expect(shown({ ...changed, change: 'health' })).toEqual([])
    const control = { type: 'servo.hold', angle: 4, seq: 1 }
    expect(shown({ type: 'other', seq: 1, frame: control })).toEqual(['⚙ servo.hold  {"angle":4}'])
    expect(shown({ type: 'other', seq: 1, frame: { seq: 1 } })).toEqual(['⚙ broadcast  {}'])
  })

  test('says when the day changes, and what a reconnect was worth', () => {
    const lines = new TailLines(plain, now)
    const event = { kind: 'notification', text: 'x' } as const
    const tomorrow = new Date(2026, 11, 1, 0, 0, 1).getTime()
    expect(lines.frame(agentEvent(event, tomorrow), undefined)).toEqual([
      '── 2026-12-01 ──',
      '00:00:01  -         ! x',
    ])
    const subscribed = { type: 'subscribed', epoch: 'e', seq: 1 } as const
    expect(lines.subscribed({ ...subscribed, resume: 'ok' }, false)).toEqual([])
    expect(lines.subscribed({ ...subscribed, resume: 'ok' }, true)).toEqual([
      '── the bridge is back; nothing was missed ──',
    ])
    expect(lines.subscribed({ ...subscribed, resume: 'gap' }, true)[0]).toContain(
      'events before this are missing',
    )
  })

  test('on a terminal nothing is longer than a line, and durations stand in one column', () => {
    const style = styleFor({ isTTY: true, columns: 60 }, { NO_COLOR: '1' })
    const lines = new TailLines(style, now)
    const finished = (summary: string, duration_ms: number) =>
      lines.frame(
        agentEvent({ kind: 'activity.finished', activity: { ...activity, summary }, duration_ms }),
        'vint',
      )[0]
    const shown = [finished('npm test', 1_900), finished('x'.repeat(80), 80_000)]
    expect(shown).toEqual([
      `14:02:07  vint      ✓ Bash  npm test${' '.repeat(20)}1.9s`,
      `14:02:07  vint      ✓ Bash  ${'x'.repeat(22)}…   1m 20s`,
    ])
    expect(shown.map((line) => line?.length)).toEqual([60, 60])
  })

  test('whatever a frame holds, it is one line without a control character' + verifies('B55'), () => {
    const text = fc.string({ unit: 'binary', maxLength: 120 })
    const frames: fc.Arbitrary<LogFrame> = fc.oneof(
      text.map((value) => agentEvent({ kind: 'message.assistant', text: value })),
      fc.tuple(text, text).map(([tool, summary]) =>
        agentEvent({
          kind: 'activity.failed',
          activity: { ...activity, tool, summary },
          error_message: summary,
        }),
      ),
      text.map((value) => agentEvent({ kind: 'agent.question', text: value, options: [value] })),
      text.map((value): LogFrame => ({ type: 'other', seq: 1, frame: { type: value, [value]: value } })),
    )
    const style = styleFor({ isTTY: true, columns: 100 }, { NO_COLOR: '1' })
    fc.assert(
      fc.property(frames, text, (frame, name) => {
        const [line = '', ...more] = new TailLines(style, now).frame(frame, name)
        expect(more).toEqual([])
        // eslint-disable-next-line no-control-regex
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
        expect(textWidth(line)).toBeLessThanOrEqual(100)
      }),
    )
  })
})
