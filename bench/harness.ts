import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const packageRoot = resolve(import.meta.dirname, '..')

/** A server under measurement, in a process of its own. */
export interface MeasuredServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly token: string
  readonly home: string
  /** Resident memory in MB. */
  readonly rssMb: () => number
}

/** Starts the built daemon on a temporary home, pinned to the first processor where the machine allows it. */
export async function startDaemonProcess(): Promise<MeasuredServer> {
  const home = mkdtempSync(join(tmpdir(), 'bridge-bench-'))
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    BRIDGE_HOME: home,
    BRIDGE_TOKEN: 'bench-token-0123456789',
    BRIDGE_PORT: '0',
  }
  const child = spawnPinned(0, [join(packageRoot, 'bin/bridged.js')], env)
  const file = await waitForFile(join(home, 'daemon.json'), child)
  const { port } = JSON.parse(file)
  return measured(child, { home, port, token: env.BRIDGE_TOKEN })
}

/** Starts `bench/fan-out.ts`, the baseline without a log. */
export async function startFanOutProcess(): Promise<MeasuredServer> {
  const home = mkdtempSync(join(tmpdir(), 'bridge-bench-'))
  const child = spawnPinned(0, [join(packageRoot, 'bench/fan-out.ts'), join(home, 'port')], {
    PATH: process.env['PATH'],
  })
  return measured(child, { home, port: Number(await waitForFile(join(home, 'port'), child)), token: 'none' })
}

function measured(
  child: ChildProcess,
  { home, port, token }: { home: string; port: number; token: string },
): MeasuredServer {
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    token,
    home,
    rssMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function spawnPinned(
  cpu: number,
  args: readonly string[],
  env: Record<string, string | undefined>,
): ChildProcess {
  return spawn('taskset', ['-c', String(cpu), process.execPath, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Runs a script of this folder on the second processor and returns what it prints, as JSON. */
export async function runOnOtherCore(script: string, args: readonly string[]): Promise<unknown> {
  const child = spawn('taskset', ['-c', '1', process.execPath, join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${script} ended with ${String(code)}`)
  return JSON.parse(output)
}

async function waitForFile(path: string, child: ChildProcess): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    try {
      const text = readFileSync(path, 'utf8')
      if (text !== '') return text
    } catch {
      // Not there yet.
    }
    await delay(50)
  }
  throw new Error(`${path} did not appear`)
}

export function percentile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

/** Prints a benchmark's figures: one JSON line for programs, a table for people. */
export function report(name: string, figures: Record<string, number | string>): void {
  console.log(JSON.stringify({ bench: name, node: process.version, ...figures }))
  const width = Math.max(...Object.keys(figures).map((key) => key.length))
  for (const [key, value] of Object.entries(figures)) console.log(`  ${key.padEnd(width)}  ${value}`)
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}
