import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { loadConfig, type Config } from '../../config/config.ts'
import { prepareHome } from '../../config/home.ts'
import type { ConfigFlags } from '../../config/settings.ts'
import { BridgeError } from '../../core/errors.ts'
import { version } from '../../core/version.ts'
import type { Status } from '../../protocol/index.ts'
import { shortPath } from '../cli-home.ts'
import { callDaemon } from '../control-client.ts'
import { ExitCode } from '../failure.ts'
import { commandLine } from '../invocation.ts'
import { safeJson } from '../safe-text.ts'
import { styleFor } from '../style.ts'

export interface UpOptions extends ConfigFlags {
  readonly foreground?: boolean
  /** Runs as the child of a `bridge up` that waits for it: quiet, and with its errors going to a file. */
  readonly detached?: boolean
  readonly json?: boolean
}

/** A start that takes longer than this has failed: opening even a large log takes a fraction of it. */
const startTimeoutMs = 20_000
const pollMs = 25

/**
 * `bridge up`: starts the daemon in the background, or with `--foreground` in this process until it is told to stop.
 * A token is made on the first start.
 *
 * @throws BridgeError `already_running`, and whatever keeps the daemon from starting
 */
export async function up(options: UpOptions): Promise<void> {
  const { foreground, detached, json, ...flags } = options
  const config = loadConfig({ flags, env: process.env, cwd: process.cwd(), homeDir: homedir() })
  if (foreground === true || detached === true) {
    await runHere(config, { quiet: detached === true, json: json === true })
    return
  }
  const running = await statusOrUndefined(config.home)
  if (running) throw new BridgeError('already_running', { home: running.home, pid: running.pid })
  prepareHome(config.home)
  const status = await startInBackground(config.home)
  await greet(status, { json: json === true, foreground: false })
}

async function runHere(config: Config, { quiet, json }: { quiet: boolean; json: boolean }): Promise<void> {
  const [{ startDaemon }, { runUntilSignal }] = await Promise.all([
    import('../../daemon/daemon.ts'),
    import('../../daemon/run.ts'),
  ])
  await runUntilSignal(
    () => startDaemon(config, { createToken: true, console: quiet ? 'none' : 'text' }),
    async () => {
      if (quiet) return
      await greet(await callDaemon(config.home, 'status.get', {}), { json, foreground: true })
    },
  )
}

/** Starts this same command again, apart from this terminal, and waits until it answers. */
async function startInBackground(home: string): Promise<Status> {
  const errorPath = join(home, 'daemon.err')
  const errors = openSync(errorPath, 'w', 0o600)
  const [script = '', ...args] = process.argv.slice(1)
  const child = spawn(process.execPath, [...process.execArgv, script, ...args, '--detached'], {
    detached: true,
    stdio: ['ignore', 'ignore', errors],
  })
  closeSync(errors)
  try {
    const status = await untilAnswers(home, child)
    if (status !== undefined) return status
  } finally {
    child.unref()
    process.stderr.write(readFileSync(errorPath, 'utf8'))
  }
  throw new ExitCode(child.exitCode || 1)
}

/** Undefined when the child ended instead. */
async function untilAnswers(home: string, child: ChildProcess): Promise<Status | undefined> {
  let ended = false
  child.once('exit', () => (ended = true))
  child.once('error', () => (ended = true))
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    const status = await statusOrUndefined(home)
    if (status !== undefined && status.pid === child.pid) return status
    if (ended) return undefined
    await wait(pollMs)
  }
  child.kill('SIGKILL')
  throw new BridgeError('timeout', { what: 'The start of the bridge', timeoutMs: startTimeoutMs })
}

async function statusOrUndefined(home: string): Promise<Status | undefined> {
  try {
    return await callDaemon(home, 'status.get', {}, 2_000)
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'not_running') return undefined
    throw error
  }
}

/** What somebody who has just started the bridge does next. */
async function greet(
  status: Status,
  { json, foreground }: { json: boolean; foreground: boolean },
): Promise<void> {
  const { url: link } = await callDaemon(status.home, 'links.create', {})
  if (json) {
    process.stdout.write(`${safeJson({ ...status, link }, 2)}\n`)
    return
  }
  const style = styleFor(process.stdout)
  const next = [
    ['Dashboard', link],
    ['', style.paint('grey', 'opens once, within 10 minutes')],
    ['Connect Claude Code', commandLine('wire claude')],
    ['Watch', commandLine('tail')],
    ['Stop', foreground ? 'Ctrl-C' : commandLine('down')],
  ]
  const lines = next.map(([what = '', how]) => `  ${style.paint('grey', what.padEnd(20))} ${how}`)
  const title = style.paint('bold', `Agent Bridge ${version}`)
  process.stdout.write(
    `${title} runs on ${status.url}, home ${shortPath(status.home)}\n\n${lines.join('\n')}\n`,
  )
}
