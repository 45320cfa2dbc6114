import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { expectScenarios } from './expectations.ts'
import { atVersion, claudePackage, openCodePackage } from './install.ts'
import { createNeutralizer } from './neutral.ts'
import { quietKeyOf } from './opencode-plugins.ts'
import { openPrivateHome } from './private-home.ts'
import { startedWith } from './processes.ts'
import { inputAfter } from './session.ts'

describe('the input line', () => {
  const screen = (...lines: string[]) => inputAfter(' > ', /^ footer/, lines.join('\n'))

  test('is the last with its sign above the footer', () => {
    expect(screen(' > said before', 'answer', ' > typed now  ', ' footer')).toBe('typed now')
  })

  test('cannot be told while the screen is drawn', () => {
    expect(screen(' > said before', 'answer')).toBeUndefined()
    expect(screen('answer', ' footer')).toBeUndefined()
  })
})

test('ids and times of other agents are made neutral, and equal ones stay equal', async () => {
  await using home = await openPrivateHome()
  const neutral = createNeutralizer(home)
  const session = 'ses_dd1ecf103ffew3O1CPMixe7Cta'
  expect(
    neutral({
      session,
      again: { session },
      message: 'msg_22e130f0f001aUEpYWaKg0wF8f',
      rollout:
        '/x/sessions/2026/11/30/rollout-2026-11-30T20-03-13-01a22e0d-ea10-7703-bf67-6f16e6e57193.jsonl',
      output: 'Chunk ID: e1a2d3\nWall time: 0.0354 seconds',
      chat: 'session-2026-11-30T20-17-d50b83c9.jsonl',
      date: 'Mon, 30 Nov 2026 22:54:20 GMT',
    }),
  ).toEqual({
    session: 'ses_00000000000000000000000001',
    again: { session: 'ses_00000000000000000000000001' },
    message: 'msg_00000000000000000000000002',
    rollout: '/x/sessions/2026/01/01/rollout-2026-01-01T00-00-00-00000000-0000-4000-8000-000000000001.jsonl',
    output: 'Chunk ID: 000000\nWall time: 0.1 seconds',
    chat: 'session-2026-01-01T00-00-00000000.jsonl',
    date: 'Thu, 01 Jan 2026 00:00:00 GMT',
  })
})

test('what OpenCode tells many times is known by its form', () => {
  const part = (id: string, status: string) => ({
    hook_event_name: 'message.part.updated',
    properties: { part: { id, type: 'tool', state: { status } } },
  })
  expect(quietKeyOf(part('a', 'running'))).toBe(quietKeyOf(part('b', 'running')))
  expect(quietKeyOf(part('a', 'running'))).not.toBe(quietKeyOf(part('a', 'completed')))
  expect(quietKeyOf({ hook_event_name: 'session.idle' })).toBeUndefined()
})

test.skipIf(process.platform !== 'linux')(
  'a process is found by the home it was given, whoever its parent is',
  async () => {
    await using home = await openPrivateHome()
    const child = spawn('/bin/cat', { env: home.env, stdio: ['pipe', 'pipe', 'ignore'], detached: true })
    child.stdin.write('up\n')
    await once(child.stdout, 'data')
    expect(startedWith(home.home)).toEqual([child.pid])
    child.stdin.end()
    await once(child, 'exit')
    expect(startedWith(home.home)).toEqual([])
  },
)

test('another version of an agent brings the same version of what stands beside it', () => {
  expect(atVersion(openCodePackage, '9.9.9')).toMatchObject({
    version: '9.9.9',
    beside: ['@opencode-ai/plugin@9.9.9'],
  })
  expect(atVersion(claudePackage, '9.9.9')).not.toHaveProperty('beside')
})

test('a scenario without an expectation, and one the other way round, are refused', () => {
  const play = { name: 'hello', rules: () => [], drive: () => Promise.resolve() }
  const expected = { hooks: { inOrder: 'A' }, kinds: { inOrder: 'b' }, facts: [] }
  expect(expectScenarios([play], { hello: expected })).toMatchObject([
    { name: 'hello', hooks: { inOrder: 'A' }, events: { kinds: { inOrder: 'b' } } },
  ])
  expect(() => expectScenarios([play], {})).toThrow('Played: hello; expected: ')
  expect(() => expectScenarios([], { hello: expected })).toThrow('Played: ; expected: hello')
})
