import { parseArgs } from 'node:util'
import { recordAgent } from './agent-recording.ts'
import { realAgents } from './agents.ts'
import { fixturesOf, lastRecordedVersion, readRecording, writeRecording } from './fixtures.ts'
import type { Recording } from './fixtures.ts'
import { atVersion, claudePackage, installAgent, type AgentPackage, type InstalledAgent } from './install.ts'
import { changesSince, recordClaude } from './recording.ts'

// Records the hooks of agents in every scenario and says what changed since the last recording. Without arguments:
// all agents at the versions the tests are pinned to. `--agent NAME` takes one, `--version X` another version of it,
// which is compared and, without `--write`, not kept.

type Report = (line: string) => void

interface Recordable {
  package: AgentPackage
  record(installed: InstalledAgent, report: Report): Promise<Recording>
}

const recordables: readonly Recordable[] = [
  {
    package: claudePackage,
    record: ({ program, version }, report) => recordClaude(program, version, report),
  },
  ...realAgents.map((agent) => ({
    package: agent.package,
    record: (installed: InstalledAgent, report: Report) => recordAgent(agent, installed, report),
  })),
]

const { values } = parseArgs({
  options: { agent: { type: 'string' }, version: { type: 'string' }, write: { type: 'boolean' } },
})
const names = recordables.map((one) => one.package.agent)
const chosen = recordables.filter(
  ({ package: { agent } }) => values.agent === undefined || agent === values.agent,
)
if (chosen.length === 0) throw new Error(`There is no agent ${values.agent}; known: ${names.join(', ')}`)
if (values.version !== undefined && values.agent === undefined) throw new Error('--version needs --agent')

for (const recordable of chosen) await recordOne(recordable)

async function recordOne(recordable: Recordable): Promise<void> {
  const begun = performance.now()
  const { version: pinned, agent } = recordable.package
  const version = values.version ?? pinned
  const folder = fixturesOf(agent)
  const installed = await installAgent(atVersion(recordable.package, version))
  const last = await lastRecordedVersion(folder)
  const before = last === undefined ? undefined : await readRecording(folder, last)

  const after = await recordable.record(installed, (line) => console.log(line))
  if (version === pinned || values.write) await writeRecording(folder, after)

  const hooks = [...after.scenarios.values()].flat()
  const seen = new Set(hooks.map((hook) => hook.hook_event_name))
  const unseen = after.events.filter((event) => !seen.has(event))
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${agent} ${version}: ${after.scenarios.size} scenarios, ${hooks.length} hooks, ${seconds} s`)
  console.log(`not seen in any scenario: ${unseen.join(' ') || 'none'}`)
  if (!before) return console.log('the first recording: nothing to compare with')
  const changes = changesSince(before, after)
  console.log(`against ${before.version}: ${changes.length === 0 ? 'nothing changed' : ''}`)
  for (const line of changes) console.log(`  ${line}`)
}
