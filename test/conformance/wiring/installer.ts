import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WireClaudeOptions } from '../../../src/agents/claude/wire.ts'

const runner = fileURLToPath(new URL('run-wire.ts', import.meta.url))

/** A user's home with Claude Code's settings in it. */
export class UserHome implements Disposable {
  readonly path: string
  readonly options: WireClaudeOptions

  constructor(parent = tmpdir()) {
    this.path = mkdtempSync(join(parent, 'wire-home-'))
    this.options = {
      homeDir: this.path,
      env: {},
      scope: 'user',
      bridgeHome: join(this.path, '.bridge'),
      nodePath: '/usr/bin/node',
      perlPath: '/usr/bin/perl',
      forwarderDir: '/opt/agent-bridge/bin',
    }
  }

  get settings(): string {
    return join(this.path, '.claude', 'settings.json')
  }

  /** Writes a file that nobody is in the middle of writing. */
  write(content: string, path = this.settings): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    utimesSync(path, 1_000_000, 1_000_000)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

export interface InstallerRun {
  readonly code: number | null
  readonly errors: readonly string[]
}

/** Starts an installer; `uid` makes it an ordinary user, whom permissions stop. */
export function startInstaller(
  options: WireClaudeOptions,
  { rounds = 0, uid }: { rounds?: number; uid?: number } = {},
): { readonly child: ChildProcess; readonly done: Promise<InstallerRun> } {
  const child = spawn(process.execPath, [runner, String(rounds), JSON.stringify(options)], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const done = new Promise<InstallerRun>((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (signal !== null) resolve({ code, errors: [signal] })
      else if (stdout === '') reject(new Error(`the installer failed: ${stderr}`))
      else resolve({ code, errors: JSON.parse(stdout).errors })
    })
  })
  return { child, done }
}
