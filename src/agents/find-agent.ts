import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileProblem } from '../config/file-problem.ts'

/** A kind of agent as it is installed on a machine. */
export interface AgentProgram {
  readonly agent: string
  /** Its name for people. */
  readonly title: string
  /** The names its program may have, the surest first. */
  readonly programs: readonly string[]
  /** Directories in the user's home where its own installer puts it. */
  readonly places: readonly string[]
}

/** The agents that are looked for. */
export const agentPrograms: readonly AgentProgram[] = [
  { agent: 'claude', title: 'Claude Code', programs: ['claude'], places: ['.claude/local'] },
  { agent: 'codex', title: 'Codex', programs: ['codex'], places: [] },
  // `cursor` is the command of the editor.
  { agent: 'cursor', title: 'Cursor', programs: ['cursor-agent'], places: [] },
  { agent: 'opencode', title: 'OpenCode', programs: ['opencode'], places: ['.opencode/bin'] },
  { agent: 'gemini', title: 'Gemini CLI', programs: ['gemini'], places: [] },
]

/** Where installers and package managers put programs besides what `PATH` names: in the home, and on the machine. */
const homePlaces = ['.local/bin', '.npm-global/bin', '.bun/bin']
const machinePlaces = ['/usr/local/bin', '/opt/homebrew/bin']

export interface FoundAgent {
  readonly path: string
  /** False: no shell finds it by its name. */
  readonly inPath: boolean
}

/** Where the program of an agent is; undefined when it is nowhere one would look. */
export function findAgent(
  { programs, places }: AgentProgram,
  { path, homeDir }: { readonly path: string | undefined; readonly homeDir: string },
): FoundAgent | undefined {
  const shell = (path ?? '').split(delimiter).filter((directory) => directory.startsWith('/'))
  const others = [...[...places, ...homePlaces].map((place) => join(homeDir, place)), ...machinePlaces]
  for (const [directories, inPath] of [
    [shell, true],
    [others, false],
  ] as const) {
    for (const program of programs) {
      const directory = directories.find((candidate) => isProgram(join(candidate, program)))
      if (directory !== undefined) return { path: join(directory, program), inPath }
    }
  }
  return undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Not here.
    return false
  }
}

/** What an agent says of its version, or why it says nothing. */
export type AgentVersion = { readonly version: string } | { readonly problem: string }

const versionTimeoutMs = 5_000
/** A version is a line; what prints more is not listened to any longer. */
const maxOutputLength = 65_536
/** How long the last of its output may be on its way after its end. */
const closeMs = 200

/**
 * Asks a program for its version, with nothing of the user's environment and a home of its own that goes with it:
 * agents update themselves, log in or start daemons where they can. It and what it started are killed after
 * `timeoutMs`. Never throws.
 */
export async function readAgentVersion(
  program: string,
  options: { readonly path: string | undefined; readonly timeoutMs?: number },
): Promise<AgentVersion> {
  const { path = '/usr/bin:/bin', timeoutMs = versionTimeoutMs } = options
  const home = mkdtempSync(join(tmpdir(), 'bridge-version-'))
  try {
    return await run(program, { path, home, timeoutMs })
  } catch (error) {
    return { problem: `cannot be run: ${fileProblem(error)}` }
  } finally {
    try {
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // Something the program left still writes there; the system clears its own directory.
    }
  }
}

async function run(
  program: string,
  { path, home, timeoutMs }: { path: string; home: string; timeoutMs: number },
): Promise<AgentVersion> {
  const child = spawn(program, ['--version'], {
    cwd: home,
    env: {
      PATH: path,
      HOME: home,
      TMPDIR: home,
      TERM: 'dumb',
      LC_ALL: 'C',
      NO_COLOR: '1',
      CI: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that everything it starts can be ended with it.
    detached: true,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    if (stdout.length < maxOutputLength) stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < maxOutputLength) stderr += chunk.toString()
  })
  const ended = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  child.once('error', ended.reject)
  child.once('exit', () => ended.resolve())
  child.once('close', () => closed.resolve())
  let late = false
  const timer = setTimeout(() => {
    late = true
    killGroup(child.pid)
  }, timeoutMs)
  try {
    await ended.promise
    // What it left running may hold its pipes open.
    killGroup(child.pid)
    await Promise.race([closed.promise, wait(closeMs)])
  } finally {
    clearTimeout(timer)
    child.stdout.destroy()
    child.stderr.destroy()
  }
  if (late) return { problem: `did not answer --version within ${timeoutMs / 1000} s` }
  if (child.signalCode !== null)
    return { problem: `was ended by ${child.signalCode} when asked for --version` }
  if (child.exitCode !== 0) return { problem: `ended with ${child.exitCode} when asked for --version` }
  const version = /\d+\.\d+\.\d+[\w.+-]{0,40}/.exec(`${stdout}\n${stderr}`)?.[0]
  return version === undefined ? { problem: 'told no version when asked for --version' } : { version }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}
