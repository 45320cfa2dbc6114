import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

interface ProcessRow {
  pid: number
  parent: number
  session: number
}

/** How long a process gets between SIGTERM and SIGKILL. */
const GRACE_MS = 2_000
/** The kernel ends a process within moments of SIGKILL unless it is stuck in a device. */
const KILL_MS = 5_000

/**
 * Ends what a PTY child left: its session and every descendant, also those that made sessions of their own.
 * Only processes that lead back to `leader` are touched, and each by its pid.
 */
export async function endSession(leader: number): Promise<void> {
  const pids = membersOf(leader)
  signal(pids, 'SIGTERM')
  await waitForEnd(pids, GRACE_MS)
  // Looked up again: a process may have forked between the two signals.
  const left = [...new Set([...runningOf(pids), ...membersOf(leader)])]
  signal(left, 'SIGKILL')
  await waitForEnd(left, KILL_MS)
}

/** The living processes of a session and their descendants, the leader included while it lives. */
export function membersOf(leader: number): number[] {
  const rows = processTable()
  const members = new Set(
    rows.filter((row) => row.session === leader || row.pid === leader).map((row) => row.pid),
  )
  let before = -1
  while (members.size !== before) {
    before = members.size
    for (const row of rows) if (members.has(row.parent)) members.add(row.pid)
  }
  return [...members]
}

/**
 * The living processes that were given this text in their environment, such as the path of a private home: whoever
 * their parents are now. Only Linux tells; elsewhere there are none.
 */
export function startedWith(text: string): number[] {
  if (process.platform !== 'linux') return []
  return linuxTable()
    .map(({ pid }) => pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text)
      } catch {
        // It ended, or is somebody else's.
        return false
      }
    })
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // Already gone, which is what was wanted.
    }
  }
}

async function waitForEnd(pids: readonly number[], boundMs: number): Promise<void> {
  const deadline = Date.now() + boundMs
  while (runningOf(pids).length > 0 && Date.now() < deadline) await sleep(20)
}

/** Those that still run. One that has ended but was not fetched by its parent does not. */
export function runningOf(pids: readonly number[]): number[] {
  const running = new Set(processTable().map((row) => row.pid))
  return pids.filter((pid) => running.has(pid))
}

function processTable(): ProcessRow[] {
  return process.platform === 'linux' ? linuxTable() : psTable()
}

function linuxTable(): ProcessRow[] {
  const rows: ProcessRow[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // The command stands in parentheses and may hold spaces: the fixed fields begin after the last one.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state !== 'Z') rows.push({ pid: Number(name), parent: Number(parent), session: Number(session) })
    } catch {
      // It ended while the table was read.
    }
  }
  return rows
}

function psTable(): ProcessRow[] {
  // macOS prints sessions as addresses, so there the process group stands in: the leader's group has its pid.
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, , , state]) => pid !== '' && state?.startsWith('Z') === false)
    .map(([pid, parent, session]) => ({ pid: Number(pid), parent: Number(parent), session: Number(session) }))
}
