import { homedir } from 'node:os'
import { loadConfig } from '../config/config.ts'
import { BridgeError } from '../core/errors.ts'
import { startDaemon } from './daemon.ts'
import { runUntilSignal } from './run.ts'

/**
 * The strict daemon of the seeds (`bridged`): configured by file and environment alone, in the foreground, and
 * without a token it refuses to start.
 */
export async function main(): Promise<void> {
  try {
    const config = loadConfig({ env: process.env, cwd: process.cwd(), homeDir: homedir() })
    await runUntilSignal(() => startDaemon(config, { console: 'json' }))
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error
    process.stderr.write(`bridged: ${error.message}\n`)
    process.exitCode = error.exit
  }
}

await main()
