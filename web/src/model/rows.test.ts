import { describe, expect, test } from 'vitest'
import type { AgentEvent, LogEntry } from '../../../src/protocol/index.ts'
import { nextGroup, groups, type Group } from './groups.ts'
import { RowBuilder, type Row, type RowView } from './rows.ts'
import { Timeline } from './timeline.ts'

const bash = { id: 'a', kind: 'shell.exec', tool: 'Bash', summary: 'npm test' } as const
const read = { id: 'b', kind: 'file.read', tool: 'Read', summary: 'total.ts' } as const

const story: readonly AgentEvent[] = [
  { kind: 'session.started' },
  { kind: 'turn.started', prompt: 'mend the total' },
  { kind: 'activity.finished', activity: read },
  { kind: 'activity.failed', activity: bash, error_message: 'exit 1' },
  { kind: 'unknown' },
  { kind: 'permission.requested', request_id: 'r', activity: bash },
  { kind: 'subagent.started', subagent_id: 's', task: 'look around' },
  { kind: 'activity.finished', activity: { ...read, id: 'c' }, subagent_id: 's' },
]
const end: AgentEvent = { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'It is mended.' }

function timelineOf(events: readonly AgentEvent[], ts = 1_700_000_000_000): Timeline {
  const timeline = new Timeline()
  timeline.append(
    events.map((event, index): LogEntry => ({
      type: 'agent_event',
      agent: 'claude',
      contact: 'vint',
      ...(event.kind !== 'session.started' && { turn_id: 't' }),
      seq: index + 1,
      ts,
      event,
    })),
  )
  return timeline
}

function view(fields: Partial<RowView> = {}): RowView {
  return { toggled: new Set(), openTurns: false, group: 'all', query: '', ...fields }
}

const shapeOf = (row: Row) => (row.type === 'step' ? `${row.step.body.type} ${row.depth}` : row.type)
const shapes = (timeline: Timeline, rowView: RowView) =>
  new RowBuilder().build(timeline.items, rowView).map(shapeOf)

describe('a turn reads as a conversation', () => {
  test('closed: what was asked, one line of work with what is still asked, what was said', () => {
    expect(shapes(timelineOf([...story, end]), view())).toEqual([
      'edge',
      'day',
      'session 0',
      'prompt',
      'turn',
      'request 1',
      'reply',
    ])
  })

  test('open: its steps, without events that say nothing; and a subagent opens by itself', () => {
    const timeline = timelineOf(story)
    const [, turn] = timeline.items
    const steps = ['activity 1', 'activity 1', 'request 1', 'subagent 1']
    expect(shapes(timeline, view({ toggled: new Set([turn?.key ?? '']) })).slice(4)).toEqual(
      ['turn', ...steps].slice(0),
    )
    const subagent = turn?.steps.at(-1)?.key ?? ''
    expect(shapes(timeline, view({ openTurns: true, toggled: new Set([subagent]) })).slice(5)).toEqual([
      ...steps,
      'activity 2',
    ])
  })

  test('its edges are its first and last rows', () => {
    const rows = new RowBuilder().build(timelineOf([...story, end]).items, view())
    const edges = rows.flatMap((row) =>
      row.type === 'day' || row.type === 'edge'
        ? []
        : [`${row.isFirst ? 'first' : ''}${row.isLast ? 'last' : ''}`],
    )
    expect(edges).toEqual(['', 'first', '', '', 'last'])
  })
})

describe('narrowed to a group, each line stands by itself', () => {
  test.each<[Group, string[]]>([
    ['messages', ['prompt', 'reply']],
    ['tools', ['activity 0', 'activity 0', 'subagent 0', 'activity 0']],
    ['permissions', ['request 0']],
    ['sessions', ['session 0']],
    ['problems', ['activity 0']],
  ])('%s', (group, expected) => {
    expect(shapes(timelineOf([...story, end]), view({ group })).slice(2)).toEqual(expected)
  })

  test('problems has the turns that went wrong', () => {
    const failed: AgentEvent = { kind: 'turn.ended', cause: 'error', error_message: 'overloaded' }
    expect(
      shapes(timelineOf([{ kind: 'turn.started' }, failed]), view({ group: 'problems' })).slice(2),
    ).toEqual(['turn'])
  })

  test('the groups go round', () => {
    let group: Group = 'all'
    for (const expected of groups) {
      expect(group).toBe(expected)
      group = nextGroup(group)
    }
    expect(group).toBe('all')
  })
})

describe('finding', () => {
  const find = (query: string, group: Group = 'all') =>
    shapes(timelineOf([...story, end]), view({ query, group })).slice(2)

  test('looks at what was said, at tools, and at what went wrong, in any case and order', () => {
    expect(find('MENDED')).toEqual(['reply'])
    expect(find('test bash')).toEqual(['activity 0', 'request 0'])
    expect(find('exit 1')).toEqual(['activity 0'])
    expect(find('nothing like it')).toEqual([])
  })

  test('is narrowed by the group too', () => {
    expect(find('npm', 'permissions')).toEqual(['request 0'])
  })
})

test('rows that did not change are the same objects, and those that did are not', () => {
  const timeline = timelineOf(story)
  const builder = new RowBuilder()
  const same = view({ openTurns: true })
  const before = builder.build(timeline.items, same)
  timeline.append([{ type: 'startVerb', seq: 99, ts: 1_700_000_000_001 }])
  const after = builder.build(timeline.items, same)
  expect(after.slice(0, before.length).map((row, index) => row === before[index])).toEqual([
    false,
    false,
    ...before.slice(2).map(() => true),
  ])
  expect(after).toHaveLength(before.length + 1)
})

test('a day is told where it begins', () => {
  const timeline = timelineOf([{ kind: 'session.started' }], new Date(2026, 10, 29, 23, 59).getTime())
  timeline.append([
    {
      type: 'agent_event',
      agent: 'claude',
      contact: 'vint',
      seq: 50,
      ts: new Date(2026, 10, 30, 0, 1).getTime(),
      event: { kind: 'session.ended' },
    },
  ])
  expect(shapes(timeline, view())).toEqual(['edge', 'day', 'session 0', 'day', 'session 0'])
})
