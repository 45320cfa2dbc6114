import type { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { createTestStore } from '../../test/fixtures/store.ts'
import { adapters } from '../agents/index.ts'
import { ContactRegistry } from '../contacts/registry.ts'
import { SessionActivity } from '../contacts/session-activity.ts'
import { ManualClock } from '../core/clock.ts'
import { PendingRequests } from '../requests/pending-requests.ts'
import { EventLog } from '../store/log.ts'
import { HookIngest } from './ingest.ts'
import type { FindReply } from './late-reply.ts'
import { SourceLimits } from './source-limits.ts'

function openIngest(database: DatabaseSync = createTestStore().database, findReply?: FindReply) {
  const clock = new ManualClock()
  const log = new EventLog(database)
  const registry = new ContactRegistry(database, clock)
  const sessions = new SessionActivity(clock)
  const requests = new PendingRequests(database)
  const errors: unknown[] = []
  const ingest = new HookIngest({
    log,
    registry,
    sessions,
    requests,
    adapters,
    limits: new SourceLimits(clock),
    redact: (text) => text,
    clock,
    findReply: findReply ?? (() => Promise.resolve(undefined)),
    onError: (error) => errors.push(error),
  })
  const post = (type: string, payload: Record<string, unknown>, id?: string) => {
    clock.advance(5)
    return ingest.ingest('claude', { type, payload, at: clock.now(), source: {}, id })
  }
  /** The log's frames in short: the kind, and the turn where it has one. */
  const told = () => log.readPage({ limit: 1_000 }).map(({ kind }) => kind)
  return { clock, log, registry, sessions, requests, ingest, post, told, errors, database }
}

const session = { session_id: 's1', cwd: '/work/a' }
const ask = { ...session, tool_name: 'Bash', tool_input: { command: 'make' } }

/** Lets the disk be full from now on, or not any more. */
function setFull(database: DatabaseSync, full: boolean): void {
  const pages = Number(Object.values(database.prepare('PRAGMA page_count').get() ?? {})[0])
  database.exec(`PRAGMA max_page_count = ${full ? pages : 1_000_000}`)
}

const full = expect.objectContaining({ code: 'disk_full' })

describe('a full disk', () => {
  const long = (n: number) => ({ ...session, prompt: `${n} ${'x'.repeat(20_000)}` })

  test('refuses a hook by its name; sent again with its id it is taken once, as if nothing had been', async () => {
    const { post, database, log, told } = openIngest()
    await post('SessionStart', { ...session, source: 'startup' })
    setFull(database, true)
    const before = log.lastSeq
    await expect(post('UserPromptSubmit', long(1), 'h1')).rejects.toThrow(full)
    expect(log.lastSeq).toBe(before)
    setFull(database, false)
    await post('UserPromptSubmit', long(1), 'h1')
    await post('UserPromptSubmit', long(1), 'h1')
    await post('Stop', session)
    expect(told().filter((kind) => kind.startsWith('turn.') || kind === 'message.user')).toEqual([
      'turn.started',
      'message.user',
      'turn.ended',
    ])
  })

  test('a contact that could not be stored is not there either, and comes with the next hook', async () => {
    const { post, database, registry, told } = openIngest()
    setFull(database, true)
    for (let n = 0; n < 3; n += 1) await expect(post('UserPromptSubmit', long(n))).rejects.toThrow(full)
    setFull(database, false)
    await post('UserPromptSubmit', long(4))
    expect(registry.list().length).toBe(1)
    expect(told()).toContain('contact_changed')
  })

  test('a request that was not told is not open, and one whose end was not told still is', async () => {
    const { post, database, requests } = openIngest()
    await post('UserPromptSubmit', { ...session, prompt: 'go' })
    await post('PermissionRequest', ask)
    const [open] = requests.list()
    setFull(database, true)
    const failing = { ...session, last_assistant_message: 'x'.repeat(50_000) }
    await expect(post('Stop', failing)).rejects.toThrow(full)
    const bulky = {
      ...session,
      tool_name: 'Write',
      tool_input: { file_path: 'y'.repeat(50_000), content: 'z' },
    }
    await expect(post('PermissionRequest', bulky)).rejects.toThrow(full)
    expect(requests.list()).toEqual([open])
    setFull(database, false)
    await post('Stop', failing)
    expect(requests.list()).toEqual([])
  })
})

describe('requests', () => {
  test('of an agent that went silent are given up, and everybody is told why', async () => {
    const { post, clock, registry, requests, ingest, log } = openIngest()
    await post('UserPromptSubmit', { ...session, prompt: 'go' })
    await post('PermissionRequest', ask)
    clock.advance(11 * 60_000)
    registry.expire()
    expect(requests.list().length).toBe(1)
    clock.advance(12 * 3_600_000)
    registry.expire()
    await ingest.commitContactChanges()
    expect(requests.list()).toEqual([])
    const resolved = log.readPage({ kind: 'permission_resolved', limit: 10 })
    expect(resolved.map(({ frame }) => JSON.parse(frame))).toEqual([
      {
        type: 'permission_resolved',
        request_id: expect.any(String),
        by: 'agent',
        reason: 'silent for twelve hours',
      },
    ])
  })
})

describe('a contact whose session ended', () => {
  test('is not brought back by a hook that was on its way, but by the next session', async () => {
    const { post, registry } = openIngest()
    await post('UserPromptSubmit', { ...session, prompt: 'go' })
    await post('PreToolUse', { ...ask, tool_use_id: 'toolu_1' })
    await post('SessionEnd', { ...session, reason: 'prompt_input_exit' })
    await post('PostToolUse', { ...ask, tool_use_id: 'toolu_1', tool_response: 'late' })
    await post('Stop', session)
    const [contact] = registry.list()
    expect([contact?.status, contact?.reason]).toEqual(['offline', 'its session ended'])
    await post('SessionStart', { ...session, source: 'resume' })
    expect(registry.list().map(({ status }) => status)).toEqual(['live'])
  })
})

describe('events that are classified already', () => {
  test('without a session are one contact per agent, however many they are', async () => {
    const { ingest, registry, clock, log } = openIngest()
    const events = Array.from({ length: 50 }, () => ({ event: { kind: 'notification' as const } }))
    await ingest.ingestClassified({ agent: 'simulator', source: {}, events, at: clock.now() })
    expect(registry.list().length).toBe(1)
    expect(log.readPage({ kind: 'notification', limit: 100 }).length).toBe(50)
  })

  test('are bounded per source like hooks', async () => {
    const { ingest, clock } = openIngest()
    const events = Array.from({ length: 6_000 }, () => ({
      event: { kind: 'notification' as const },
      sessionId: 'wild',
    }))
    const all = ingest.ingestClassified({ agent: 'simulator', source: {}, events, at: clock.now() })
    await expect(all).rejects.toThrow(expect.objectContaining({ code: 'rate_limited' }))
  })
})

describe('hooks of an agent nobody knows', () => {
  test('are bounded too, and leave only their session behind', async () => {
    const { ingest, clock, sessions, log, registry } = openIngest()
    const post = (n: number) =>
      ingest.ingest('nobody', { type: 'x', payload: { sessionID: `s${n}` }, at: clock.now(), source: {} })
    for (let n = 0; n < 5_000; n += 1) await post(n)
    await expect(post(5_001)).rejects.toThrow(expect.objectContaining({ code: 'rate_limited' }))
    expect([log.lastSeq, registry.list().length]).toEqual([0, 0])
    clock.advance(10 * 60_000 + 1)
    sessions.expire()
  })
})

describe('a reply that the hook lacks', () => {
  const prompt = { ...session, prompt: 'go' }

  test('is looked for, and told as the last words of that turn', async () => {
    const { post, told, log } = openIngest(undefined, async () => 'from the transcript')
    await post('UserPromptSubmit', prompt)
    await post('Stop', session)
    await expect.poll(told).toContain('message.assistant')
    const frames = log.readPage({ limit: 20 }).map(({ frame }) => JSON.parse(frame))
    const ended = frames.find(({ event }) => event?.kind === 'turn.ended')
    expect(frames.at(-1)).toMatchObject({
      session_id: 's1',
      turn_id: ended.turn_id,
      event: { kind: 'message.assistant', text: 'from the transcript', final: true },
    })
  })

  test('is not looked for when the hook has it, and a failing look is reported', async () => {
    let looks = 0
    const { post, errors } = openIngest(undefined, () => {
      looks += 1
      return Promise.reject(new Error('unreadable'))
    })
    await post('UserPromptSubmit', prompt)
    await post('Stop', { ...session, last_assistant_message: 'here' })
    expect(looks).toBe(0)
    await post('UserPromptSubmit', prompt)
    await post('Stop', session)
    await expect.poll(() => errors.length).toBe(1)
  })
})

describe('after a restart', () => {
  test('a turn goes on under its id, and repetitions are known', async () => {
    const before = openIngest()
    await before.post('UserPromptSubmit', { ...session, prompt: 'go' }, 'h1')
    await before.post('PreToolUse', { ...ask, tool_use_id: 'toolu_1' }, 'h2')
    const after = openIngest(before.database)
    after.clock.advance(60_000)
    expect(after.registry.list()[0]).toMatchObject({ health: 'working', sessionId: 's1' })
    await after.post('UserPromptSubmit', { ...session, prompt: 'go' }, 'h1')
    await after.post('Stop', session)
    const frames = after.log
      .readPage({ limit: 50 })
      .filter(({ type }) => type === 'agent_event')
      .map(({ frame }) => JSON.parse(frame))
    expect(new Set(frames.map(({ turn_id: turn }) => turn)).size).toBe(1)
    expect(frames.filter(({ event }) => event.kind === 'turn.started').length).toBe(1)
  })
})
