import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTestStore, testFrame } from '../../test/fixtures/store.ts'
import type { EventLog, LogRow } from '../store/log.ts'
import { LogFollower, type FollowerFilter, type FrameSink } from './log-follower.ts'

const everything: FollowerFilter = { accepts: () => true }

/** A reader that takes frames as long as it is ready. */
class ListSink implements FrameSink {
  readonly seqs: number[] = []
  /** What a follower must never do to a sink. */
  readonly faults: string[] = []
  readonly gaps: number[] = []
  ready = true
  /** Not ready any more after this many further frames. */
  room = Number.POSITIVE_INFINITY
  depth = 0

  write(row: LogRow): void {
    if (!this.ready) this.faults.push(`${row.seq} was written although it was not ready`)
    if (this.depth !== 1) this.faults.push(`${row.seq} was written outside of a run`)
    this.seqs.push(row.seq)
    this.room -= 1
    if (this.room <= 0) this.ready = false
  }

  gap(after: number): void {
    this.gaps.push(after)
  }

  begin(): void {
    this.depth += 1
  }

  end(): void {
    this.depth -= 1
  }
}

async function append(log: EventLog, count: number, over = {}): Promise<void> {
  await log.append(Array.from({ length: count }, (_, n) => testFrame(n, over)))
}

/** Lets the follower have as many turns as it may need for a few thousand rows. */
async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}

const seqsTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

describe('a follower of the log', () => {
  test('hands over what is there, then what comes', async () => {
    const { log } = createTestStore()
    await append(log, 3)
    const sink = new ListSink()
    using follower = new LogFollower(log, sink, { after: 1, filter: everything })
    await turns()
    expect(sink.seqs).toEqual([2, 3])
    await append(log, 2)
    await turns()
    expect(sink.seqs).toEqual([2, 3, 4, 5])
    expect(follower.lag).toBe(0)
  })

  test('a sink that is not ready is left alone, and goes on where it stopped', async () => {
    const { log } = createTestStore()
    const sink = new ListSink()
    sink.room = 2
    using follower = new LogFollower(log, sink, { after: 0, filter: everything })
    await append(log, 5)
    await turns()
    expect(sink.seqs).toEqual([1, 2])
    expect(follower.lag).toBe(3)
    sink.ready = true
    sink.room = Number.POSITIVE_INFINITY
    follower.pump()
    expect(sink.seqs).toEqual([1, 2, 3, 4, 5])
  })

  test('a long backlog is handed over in turns, so that others get theirs', async () => {
    const { log } = createTestStore()
    await append(log, 2_500)
    const sink = new ListSink()
    using _follower = new LogFollower(log, sink, { after: 0, filter: everything })
    await nextTurn()
    expect(sink.seqs.length).toBe(1_000)
    await turns()
    expect(sink.seqs).toEqual(seqsTo(2_500))
  })

  test('kinds, types, contacts and what the reader may see are all filters, and all must hold', async () => {
    const { log } = createTestStore()
    await log.append([
      testFrame(1, { kind: 'turn.ended', contact: 'a' }),
      testFrame(2, { kind: 'turn.ended', contact: 'b' }),
      testFrame(3, { kind: 'thinking', contact: 'a' }),
      testFrame(4, { kind: 'turn.ended' }),
      testFrame(5, { type: 'permission_request', kind: 'permission_request', contact: 'a' }),
    ])
    const read = async (filter: Partial<FollowerFilter>) => {
      const sink = new ListSink()
      using _follower = new LogFollower(log, sink, { after: 0, filter: { ...everything, ...filter } })
      await turns()
      return sink.seqs
    }
    expect(await read({ kinds: new Set(['turn.ended']) })).toEqual([1, 2, 4])
    expect(await read({ kinds: new Set(['agent_event']) })).toEqual([1, 2, 3, 4])
    expect(await read({ kinds: new Set(['permission_request']) })).toEqual([5])
    expect(await read({ contacts: new Set(['a']) })).toEqual([1, 3, 5])
    expect(await read({ contacts: new Set(['a']), kinds: new Set(['turn.ended']) })).toEqual([1])
    expect(await read({ accepts: (row) => row.contact !== 'a' })).toEqual([2, 4])
  })

  test('B26 a reader that retention has passed is told once, and goes on with what comes', async () => {
    const { log } = createTestStore()
    const sink = new ListSink()
    sink.ready = false
    using follower = new LogFollower(log, sink, { after: 0, filter: everything })
    await append(log, 20)
    log.retain({ maxEvents: 5, beforeTs: 0, budgetMs: 1_000 })
    sink.ready = true
    follower.pump()
    expect(sink.gaps).toEqual([20])
    expect(sink.seqs).toEqual([])
    await append(log, 2)
    await turns()
    expect(sink.gaps).toEqual([20])
    expect(sink.seqs).toEqual([21, 22])
  })

  test('a closed follower writes nothing more', async () => {
    const { log } = createTestStore()
    const sink = new ListSink()
    const follower = new LogFollower(log, sink, { after: 0, filter: everything })
    await append(log, 2)
    follower[Symbol.dispose]()
    follower.pump()
    await append(log, 2)
    await turns()
    expect(sink.seqs).toEqual([])
  })

  test('every frame once and in order, however appends, pauses and retention fall', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('append' as const), count: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ do: fc.constant('room' as const), count: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ do: fc.constant('retain' as const), count: fc.integer({ min: 1, max: 60 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { log } = createTestStore()
        const sink = new ListSink()
        using follower = new LogFollower(log, sink, { after: 0, filter: everything })
        const breaks: number[] = []
        for (const { do: action, count } of steps) {
          if (action === 'append') await append(log, count)
          if (action === 'retain') log.retain({ maxEvents: count, beforeTs: 0, budgetMs: 1_000 })
          if (action === 'room') {
            sink.room = count
            sink.ready = true
            follower.pump()
          }
          await turns(2)
          breaks.splice(0, breaks.length, ...sink.gaps)
        }
        sink.ready = true
        sink.room = Number.POSITIVE_INFINITY
        follower.pump()
        await turns(3)
        // Without a gap the places are an unbroken run; every jump is one that was told.
        const { seqs, gaps } = sink
        for (const [index, seq] of seqs.entries()) {
          const before = seqs[index - 1] ?? 0
          expect(seq === before + 1 || (seq > before && gaps.includes(seq - 1))).toBe(true)
        }
        expect(follower.lag).toBe(0)
        expect(gaps.length > 0 ? seqsTo(log.lastSeq) : seqs).toEqual(seqsTo(log.lastSeq))
        expect(sink.faults).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
