import { setTimeout as delay } from 'node:timers/promises'
import { unwireClaude, wireClaude, type WireClaudeOptions } from '../../../src/agents/claude/wire.ts'
import { BridgeError } from '../../../src/core/errors.ts'

/**
 * An installer as a process of its own: `run-wire.ts ROUNDS OPTIONS` wires and unwires ROUNDS times, or only wires with
 * 0, and prints what came of it as one line of JSON.
 */
const [rounds = '0', json = '{}'] = process.argv.slice(2)
const options: WireClaudeOptions = JSON.parse(json)
const errors: string[] = []

if (rounds === '0') await attempt(() => wireClaude(options))
for (let round = 0; round < Number(rounds); round += 1) {
  await attempt(() => wireClaude(options))
  await attempt(() => unwireClaude(options))
  await delay(1)
}
console.log(JSON.stringify({ errors }))
process.exitCode = errors.length > 0 ? 1 : 0

async function attempt(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error
    errors.push(`${error.code}: ${error.message}`)
  }
}
