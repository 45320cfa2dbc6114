import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../src/core/clock.ts'
import { agentEventEnvelopeSchema, agentEventSchema } from '../../src/protocol/index.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame, type Frame } from '../fixtures/frames.ts'
import type { TestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

/** Claude's hooks on their whole way: posted over HTTP, received by a subscriber. */
let bridge: TestDaemon
let clock: ManualClock
let socket: TestSocket
beforeAll(async () => {
  clock = new ManualClock(Date.now())
  bridge = await openTestDaemon({ clock })
  socket = await bridge.ws()
})
afterAll(() => bridge.close())

/** The envelopes that one hook became. */
async function envelopesOf(
  hookType: string,
  payload: Frame,
  headers: Record<string, string> = {},
): Promise<Frame[]> {
  const before = socket.frames.ofType('agent_event').length
  clock.advance(5)
  const answer = await bridge.call('/hooks/claude', {
    method: 'POST',
    headers,
    body: { hook_type: hookType, payload },
  })
  expect(answer.status).toBe(204)
  await bridge.settle(socket)
  return socket.frames.ofType('agent_event').slice(before)
}

const tool = (id: string, name: string, input: Frame) => ({
  session_id: 'claude-1',
  tool_name: name,
  tool_use_id: id,
  tool_input: input,
})
const session = {
  session_id: 'claude-1',
  transcript_path: '/nonexistent',
  cwd: '/work/a',
  permission_mode: 'default',
}

/** A session as Claude Code tells it: each hook, and the kinds it becomes. */
const script: [string, Frame, string[]][] = [
  ['SessionStart', { ...session, source: 'startup' }, ['session.started']],
  ['UserPromptSubmit', { ...session, prompt: 'build it' }, ['turn.started', 'message.user']],
  ['PreToolUse', tool('toolu_1', 'Read', { file_path: '/work/a/x.ts' }), ['activity.started']],
  [
    'PostToolUse',
    { ...tool('toolu_1', 'Read', { file_path: '/work/a/x.ts' }), tool_response: {} },
    ['activity.finished'],
  ],
  ['PreToolUse', tool('toolu_2', 'Bash', { command: 'make' }), ['activity.started']],
  ['PermissionRequest', tool('toolu_2', 'Bash', { command: 'make' }), ['permission.requested']],
  [
    'PostToolUseFailure',
    { ...tool('toolu_2', 'Bash', { command: 'make' }), error: 'exit 2' },
    ['activity.failed'],
  ],
  ['Notification', { ...session, message: 'look', notification_type: 'other' }, ['notification']],
  ['PreCompact', { ...session, trigger: 'manual' }, ['context.compacting']],
  ['Stop', { ...session, last_assistant_message: 'Done.' }, ['message.assistant', 'turn.ended']],
  ['SomethingNew', session, ['unknown']],
  ['SessionEnd', { ...session, reason: 'prompt_input_exit' }, ['session.ended']],
]

describe('a session of Claude Code', () => {
  test(
    'every hook becomes its events, each in the one envelope, all of one hook at the same time' +
      verifies(
        'A:agents.claude',
        'A:ws.agent-event',
        'A:stream.vocabulary',
        'A:ingest.classified',
        'A:envelope.agent',
        'A:envelope.ts',
        'A:envelope.event',
        'A:envelope.session-id',
        'A:envelope.turn-id',
      ),
    async () => {
      const turns = new Set<unknown>()
      for (const [hookType, payload, kinds] of script) {
        const envelopes = await envelopesOf(hookType, payload)
        const told = envelopes.map((envelope) => String(asFrame(envelope['event'])['kind']))
        for (const kind of kinds) expect([hookType, told]).toEqual([hookType, expect.arrayContaining([kind])])
        for (const envelope of envelopes) {
          // Nothing of the hook's own body comes along, and what is absent has no key.
          expect(agentEventEnvelopeSchema.strict().parse(envelope)).toEqual(envelope)
          expect(JSON.stringify(envelope)).not.toMatch(
            /hook_event_name|transcript_path|tool_input|permission_mode|null/,
          )
          expect(envelope).toMatchObject({ agent: 'claude', session_id: 'claude-1', ts: clock.now() })
          if ('turn_id' in envelope) turns.add(envelope['turn_id'])
        }
      }
      expect(turns.size).toBe(1)
    },
  )

  test(
    'start and end of one use of a tool share its id, also without one of its own' +
      verifies('A:activity.kind'),
    async () => {
      await envelopesOf('UserPromptSubmit', { session_id: 'claude-2', prompt: 'x' })
      const call = { session_id: 'claude-2', tool_name: 'Grep', tool_input: { pattern: 'TODO' } }
      const [started] = await envelopesOf('PreToolUse', call)
      const [finished] = await envelopesOf('PostToolUse', { ...call, tool_response: 'x' })
      const activity = asFrame(asFrame(started?.['event'])['activity'])
      expect(activity).toEqual({
        id: expect.stringMatching(/./),
        kind: 'search.code',
        tool: 'Grep',
        summary: 'TODO',
      })
      expect(asFrame(asFrame(finished?.['event'])['activity'])).toEqual(activity)
      const [mcp] = await envelopesOf('PreToolUse', { ...call, tool_name: 'mcp__github__search' })
      expect(asFrame(mcp?.['event'])['activity']).toMatchObject({
        kind: 'mcp.call',
        summary: 'github__search',
      })
      const [unknown] = await envelopesOf('PreToolUse', { ...call, tool_name: 'Brandnew' })
      expect(asFrame(unknown?.['event'])['activity']).toMatchObject({
        kind: 'tool.unknown',
        tool: 'Brandnew',
      })
    },
  )

  test('an envelope without session and turn has no such keys', async () => {
    const [envelope] = await envelopesOf('Notification', {
      message: 'from nowhere',
      notification_type: 'other',
    })
    expect(Object.keys(envelope ?? {}).sort()).toEqual(['agent', 'event', 'ts', 'type'])
  })

  test('text that was broken on its way is mended', async () => {
    const [envelope] = await envelopesOf('Notification', {
      session_id: 'm',
      message: 'donâ\u0080\u0099t',
      notification_type: 'o',
    })
    expect(envelope?.['event']).toMatchObject({ text: 'don’t' })
  })

  test('secrets leave the stream, and stay out of the history', async () => {
    // Put together, so that no scanner takes this file for a leak.
    const secret = ['gh', 'p_', 'aB3dE5gH7jK9'.repeat(3)].join('')
    const [, message] = await envelopesOf('UserPromptSubmit', {
      session_id: 'secret',
      prompt: `use ${secret}`,
    })
    expect(message?.['event']).toEqual({ kind: 'message.user', text: 'use [redacted]' })
    expect((await bridge.call('/api/history?limit=1000')).text).not.toContain(secret)
    await bridge.call('/api/messages', { method: 'POST', body: { content: secret, chat_id: 'verbatim' } })
    expect((await bridge.call('/api/messages/verbatim')).text).toContain(secret)
  })

  test('no event claims a state' + verifies('A:stream.no-derived-state'), () => {
    const kinds = agentEventSchema.options.map(({ shape }) => shape.kind.value)
    for (const kind of kinds) expect(kind).not.toMatch(/thinking\.|idle|blocked|working|busy|waiting/)
    const told = JSON.stringify(socket.frames.ofType('agent_event'))
    expect(told).not.toMatch(/"(?:status|health|state)":/)
    expect(told).not.toMatch(/"(?:idle|blocked|working)"/)
  })
})

describe('B16 sessions that come in pairs and change their id', () => {
  const pane = { 'x-bridge-pane': 'tmux:%7', 'x-bridge-agent-pid': '4242' }
  const roster = async () => {
    const { contacts } = asFrame((await bridge.call('/sessions?status=live')).json)
    return (Array.isArray(contacts) ? contacts.map(asFrame) : []).filter(
      ({ directory }) => directory === '/work/b16',
    )
  }
  const activeIds = async () => {
    const { session_ids: ids } = asFrame((await bridge.call('/api/sessions')).json)
    return (Array.isArray(ids) ? ids : []).filter((id) => /^S\d/.test(String(id)))
  }

  test.each([
    ['startup first', ['S2', 'S1']],
    ['resume first', ['S1', 'S2']],
  ])(
    '%s: one live agent, events by pane, no ghost after ten minutes' + verifies('B16'),
    async (_name, order) => {
      const own = { ...pane, 'x-bridge-agent-pid': String(order) }
      const sources: Record<string, string> = { S1: 'resume', S2: 'startup' }
      for (const id of order) {
        const payload = {
          session_id: id,
          source: sources[id],
          cwd: '/work/b16',
          transcript_path: `/nonexistent/${id}.jsonl`,
        }
        await envelopesOf('SessionStart', payload, own)
      }
      const [only, ...others] = await roster()
      expect(others).toEqual([])
      const started = await envelopesOf(
        'UserPromptSubmit',
        { session_id: 'S1', prompt: 'go', cwd: '/work/b16' },
        own,
      )
      expect(started[0]).toMatchObject({ session_id: 'S1' })
      const turn = started[0]?.['turn_id']
      // An older id in later payloads is kept as data, and still belongs to the same turn of the same agent.
      const [used] = await envelopesOf(
        'PreToolUse',
        { ...tool(`toolu_${String(order)}`, 'Read', { file_path: '/x' }), session_id: 'S0' },
        own,
      )
      expect(used).toMatchObject({ session_id: 'S0', turn_id: turn })
      const stopped = await envelopesOf('Stop', { session_id: 'S0' }, own)
      expect(stopped.at(-1)).toMatchObject({ turn_id: turn, event: { kind: 'turn.ended' } })
      const after = await roster()
      expect(after.map(({ id }) => id)).toEqual([only?.['id']])
      expect(after[0]).toMatchObject({ health: 'ok', status: 'live' })

      clock.advance(10 * 60_000 - 1_000)
      await envelopesOf('UserPromptSubmit', { session_id: 'S1', prompt: 'more', cwd: '/work/b16' }, own)
      clock.advance(2_000)
      expect(await activeIds()).toEqual(['S1'])
      await envelopesOf('SessionStart', { session_id: 'S1', source: 'compact', cwd: '/work/b16' }, own)
      expect((await roster()).map(({ id }) => id)).toEqual([only?.['id']])
      await envelopesOf('SessionEnd', { session_id: 'S1', reason: 'clear' }, own)
      await envelopesOf('SessionStart', { session_id: 'S3', source: 'clear', cwd: '/work/b16' }, own)
      expect((await roster()).map(({ id, session_id }) => [id, session_id])).toEqual([[only?.['id'], 'S3']])
      expect(await activeIds()).toEqual(['S3'])
      await envelopesOf('SessionEnd', { session_id: 'S3', reason: 'prompt_input_exit' }, own)
      expect(await roster()).toEqual([])
    },
  )
})
