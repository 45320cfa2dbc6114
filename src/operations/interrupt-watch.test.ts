import { describe, expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import { createTestStore } from '../../test/fixtures/store.ts'
import { adapters } from '../agents/index.ts'
import { ContactRegistry } from '../contacts/registry.ts'
import { SessionActivity } from '../contacts/session-activity.ts'
import { ManualClock } from '../core/clock.ts'
import { PendingRequests } from '../requests/pending-requests.ts'
import { EventLog } from '../store/log.ts'
import { HookIngest } from './ingest.ts'
import { InterruptWatch } from './interrupt-watch.ts'
import { SourceLimits } from './source-limits.ts'

/** A contact in a turn, and an agent whose own word on whether it is idle the test decides. */
async function openWatch() {
  const { database } = createTestStore()
  const clock = new ManualClock()
  const log = new EventLog(database)
  const registry = new ContactRegistry(database, clock)
  const ingest = new HookIngest({
    log,
    registry,
    sessions: new SessionActivity(clock),
    requests: new PendingRequests(database),
    adapters,
    limits: new SourceLimits(clock),
    redact: (text) => text,
    clock,
    findReply: () => Promise.resolve(undefined),
    onError: (error) => {
      throw error
    },
  })
  const agent = { isIdle: false as boolean | undefined, asked: 0 }
  const watch = new InterruptWatch({
    registry,
    ingest,
    clock,
    askIdle: (name, pid, sessionId) => {
      expect([name, pid, sessionId]).toEqual(['claude', '4242', 's1'])
      agent.asked += 1
      return Promise.resolve(agent.isIdle)
    },
  })
  const post = (type: string, fields: Record<string, unknown> = {}) => {
    clock.advance(5)
    const payload = { session_id: 's1', cwd: '/home/dev/project', ...fields }
    return ingest.ingest('claude', { type, payload, at: clock.now(), source: { pid: '4242' } })
  }
  const look = (afterMs = 5_000) => {
    clock.advance(afterMs)
    return watch.look()
  }
  const events = () =>
    log
      .readPage({ limit: 100 })
      .flatMap(({ type, frame }): Record<string, unknown>[] =>
        type === 'agent_event' ? [JSON.parse(frame).event] : [],
      )
  await post('UserPromptSubmit', { prompt: 'tell a story' })
  return { agent, look, post, events, registry }
}

describe('an interrupt that fires no hook', () => {
  test(
    'ends the turn as aborted within two looks, ten seconds after the last hook' + verifies('B19'),
    async () => {
      const { agent, look, post, events, registry } = await openWatch()
      await post('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'sleep 600' }, tool_use_id: 't1' })
      agent.isIdle = true
      await look()
      expect(registry.list()[0]?.health).toBe('working')
      await look()
      expect(registry.list()[0]?.health).toBe('ok')
      expect(events().slice(-2)).toMatchObject([
        { kind: 'activity.failed', failure_kind: 'interrupted' },
        { kind: 'turn.ended', cause: 'aborted' },
      ])
      await look()
      expect(agent.asked).toBe(2)
      await post('UserPromptSubmit', { prompt: 'go on' })
      const kinds = events().map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'turn.started')).toHaveLength(2)
      expect(kinds.filter((kind) => kind === 'turn.ended')).toHaveLength(1)
    },
  )

  test('is not believed at once: an Esc that only closed an overlay leaves the agent busy', async () => {
    const { agent, look, post, events } = await openWatch()
    agent.isIdle = true
    await look()
    agent.isIdle = false
    await look()
    agent.isIdle = true
    await look()
    await post('Stop', { last_assistant_message: 'The end.' })
    await look()
    expect(events().filter(({ kind }) => kind === 'turn.ended')).toMatchObject([{ cause: 'completed' }])
  })

  test('is not looked for while hooks come, nor where the agent says nothing', async () => {
    const { agent, look, events } = await openWatch()
    agent.isIdle = true
    await look(1_000)
    expect(agent.asked).toBe(0)
    agent.isIdle = undefined
    await look()
    await look()
    expect(events().map(({ kind }) => kind)).not.toContain('turn.ended')
  })
})
