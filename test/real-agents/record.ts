import { claudePackage, installAgent } from './install.ts'
import { changesSince, recordClaude } from './recording.ts'
import { fixturesOf, lastRecordedVersion, readRecording, writeRecording } from './fixtures.ts'

// Records the hooks of the pinned Claude Code in every scenario and says what changed since the last recording.

const begun = performance.now()
const folder = fixturesOf('claude')
const { program, version } = await installAgent(claudePackage)
const last = await lastRecordedVersion(folder)
const before = last === undefined ? undefined : await readRecording(folder, last)

const after = await recordClaude(program, version, (line) => console.log(line))
await writeRecording(folder, after)

const hooks = [...after.scenarios.values()].flat()
const seen = new Set(hooks.map((hook) => hook.hook_event_name))
const unseen = after.events.filter((event) => !seen.has(event))
const seconds = ((performance.now() - begun) / 1000).toFixed(1)
console.log(`claude ${version}: ${after.scenarios.size} scenarios, ${hooks.length} hooks, ${seconds} s`)
console.log(`not seen in any scenario: ${unseen.join(' ') || 'none'}`)
if (before) {
  const changes = changesSince(before, after)
  console.log(`against ${before.version}: ${changes.length === 0 ? 'nothing changed' : ''}`)
  for (const line of changes) console.log(`  ${line}`)
} else {
  console.log('the first recording: nothing to compare with')
}
