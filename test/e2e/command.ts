import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const main = resolve(import.meta.dirname, '../../src/cli/main.ts')

export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | null
}

/** A home of its own for the commands of a test, in a home directory of its own. */
export class CommandHome implements AsyncDisposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'bridge-e2e-'))
  readonly path = join(this.directory, 'bridge')
  readonly #children = new Set<ChildProcess>()

  /** Only what a command needs: nothing of the machine's own configuration reaches it. */
  get env(): Record<string, string | undefined> {
    return { PATH: process.env['PATH'], HOME: this.directory, BRIDGE_HOME: this.path, TZ: 'UTC' }
  }

  /** Starts `bridge` with these arguments. */
  start(args: readonly string[], env: Record<string, string> = {}): RunningCommand {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: this.directory,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    return new RunningCommand(child)
  }

  /** Runs `bridge` to its end. */
  run(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
    return this.start(args, env).ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    await this.run(['down'])
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** A command that runs, and what it has printed so far. */
export class RunningCommand {
  readonly child: ChildProcess
  readonly ended: Promise<Outcome>
  stdout = ''
  stderr = ''

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.ended = once(child, 'close').then(() => ({
      stdout: this.stdout,
      stderr: this.stderr,
      exit: child.exitCode,
    }))
  }

  get lines(): string[] {
    return this.stdout.split('\n').filter((line) => line !== '')
  }

  /** Waits until what it printed says so. */
  async until(fact: (command: this) => boolean, timeoutMs = 15_000): Promise<void> {
    const deadline = Date.now() + timeoutMs
    while (!fact(this)) {
      if (this.child.exitCode !== null) throw new Error(`ended with ${this.child.exitCode}: ${this.stderr}`)
      if (Date.now() > deadline)
        throw new Error(`still not so: ${String(fact)}\n${this.stdout}\n${this.stderr}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals): Promise<Outcome> {
    this.child.kill(signal)
    return this.ended
  }
}
