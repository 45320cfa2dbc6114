import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { agentEventSchema } from '../protocol/index.ts'
import { fieldsOf } from './fields.ts'
import { adapters } from './index.ts'
import { Tracker } from './tracker.ts'

/**
 * Hooks as a real Claude Code posted them, and the events that come out, held in one file per scenario:
 * `npx vitest run src/agents/golden.test.ts -u` writes those anew after a change that is meant. The scenarios
 * of a version come from the recorder; the others show what its scenarios do not reach.
 */
const fixtures = join(import.meta.dirname, '../../test/fixtures')
const own = join(fixtures, 'hooks/claude')
const recorded = join(fixtures, 'payloads/claude')
const scenarios = [
  ...globSync('scenarios/*/', { cwd: own }).map((name) => ({ name, folder: join(own, name) })),
  ...globSync('*/*/', { cwd: recorded }).map((name) => ({ name, folder: join(recorded, name) })),
]
/** Close together, as most hooks are; repetitions must be told from news by more than the clock. */
const stepMs = 50

test('scenarios of both kinds are there', () => {
  expect(scenarios.filter(({ name }) => name.startsWith('scenarios')).length).toBeGreaterThan(5)
  expect(scenarios.filter(({ name }) => !name.startsWith('scenarios')).length).toBeGreaterThan(10)
})

test('no file holds the events of a scenario that is gone', () => {
  const names = new Set(scenarios.map(({ name }) => name))
  const held = globSync('*/*.jsonl', { cwd: join(own, 'golden') }).map((file) =>
    file.slice(0, -'.jsonl'.length),
  )
  expect(held.filter((name) => !names.has(name))).toEqual([])
})

test.each(scenarios)('$name', async ({ name, folder }) => {
  const lines = eventsOf(folder).map((line) => JSON.stringify(line))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(own, 'golden', `${name}.jsonl`))
})

function eventsOf(folder: string): object[] {
  const adapter = adapters.get('claude')
  if (!adapter) throw new Error('there is no adapter for claude')
  let minted = 0
  const tracker = new Tracker(() => `#${(minted += 1)}`)
  return globSync('*.json', { cwd: folder })
    .sort()
    .flatMap((file, index) => {
      const payload = fieldsOf(JSON.parse(readFileSync(join(folder, file), 'utf8')))
      const type = adapter.nativeHookType(payload)
      if (type === undefined) throw new Error(`${file} is no hook of Claude Code`)
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
