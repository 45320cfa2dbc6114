import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { agentEventSchema } from '../protocol/index.ts'
import { fieldsOf } from './fields.ts'
import { adapters } from './index.ts'
import { Tracker } from './tracking/tracker.ts'

/**
 * Hooks as the real agents posted them, and the events that come out, held in one file per scenario:
 * `npx vitest run src/agents/golden.test.ts -u` writes those anew after a change that is meant. The scenarios of a
 * version come from the recorder; the others show what its scenarios do not reach. Cursor's are its documentation's
 * examples.
 */
const fixtures = join(import.meta.dirname, '../../test/fixtures')
const scenarios = [
  ...globSync('hooks/*/scenarios/*/', { cwd: fixtures }),
  ...globSync('payloads/*/*/*/', { cwd: fixtures }),
].map((path) => {
  const [, agent = '', ...rest] = path.split(/[\\/]/)
  return { agent, name: rest.filter((part) => part !== '').join('/'), folder: join(fixtures, path) }
})
/** Close together, as most hooks are; repetitions must be told from news by more than the clock. */
const stepMs = 50

test('scenarios of all agents are there', () => {
  const recorded = scenarios.filter(({ agent, name }) => agent === 'claude' && !name.startsWith('scenarios'))
  expect(recorded.length).toBeGreaterThan(10)
  for (const agent of ['claude', 'codex', 'cursor', 'opencode', 'gemini'])
    expect(scenarios.filter((scenario) => scenario.agent === agent).length).toBeGreaterThan(2)
})

test('no file holds the events of a scenario that is gone', () => {
  const names = new Set(scenarios.map(({ agent, name }) => `${agent}/${name}`))
  const held = globSync('*/golden/*/*.jsonl', { cwd: join(fixtures, 'hooks') }).map((file) =>
    file.replace(/[\\/]golden[\\/]/, '/').slice(0, -'.jsonl'.length),
  )
  expect(held.filter((name) => !names.has(name))).toEqual([])
})

test.each(scenarios)('$agent $name', async ({ agent, name, folder }) => {
  const lines = eventsOf(agent, folder).map((line) => JSON.stringify(line))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
    join(fixtures, 'hooks', agent, 'golden', `${name}.jsonl`),
  )
})

/** A hook of OpenCode's plugins has its name in no body; what posts it says it beside. */
const nameInFile = /^\d+-(?:hook\.)?(.+)\.json$/

function eventsOf(agent: string, folder: string): object[] {
  const adapter = adapters.get(agent)
  if (!adapter) throw new Error(`there is no adapter for ${agent}`)
  let minted = 0
  const tracker = new Tracker(() => `#${(minted += 1)}`)
  return globSync('*.json', { cwd: folder })
    .sort()
    .flatMap((file, index) => {
      const payload = fieldsOf(JSON.parse(readFileSync(join(folder, file), 'utf8')))
      const type = adapter.nativeHookType(payload) ?? nameInFile.exec(file)?.[1]
      if (type === undefined) throw new Error(`${file} is no hook of ${agent}`)
      const at = index * stepMs
      const { events, closedRequests } = tracker.apply(adapter.parse({ type, payload, at }), at)
      const { health, reason } = tracker.state
      return [
        ...events.map(({ event, turnId }) => ({ turn: turnId, ...agentEventSchema.parse(event) })),
        ...closedRequests.map(({ requestId, decision, reason }) => ({ closed: requestId, decision, reason })),
        { after: basename(file, '.json'), health, reason },
      ]
    })
}
