import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHomeLock } from './home-lock.ts'

let home: string
const children: ChildProcess[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

/** Another process that tries to take the lock, says how it went, and keeps what it got. */
async function otherProcess(): Promise<{ child: ChildProcess; outcome: string }> {
  const script = `
    import { openHomeLock } from ${JSON.stringify(join(import.meta.dirname, 'home-lock.ts'))}
    let lock
    try { lock = openHomeLock(${JSON.stringify(home)}); console.log('locked') } catch (error) { console.log(error.code, error.data?.pid) }
    setInterval(() => lock, 1_000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [output] = await once(child.stdout ?? child, 'data')
  return { child, outcome: String(output).trim() }
}

const refused = expect.objectContaining({ code: 'already_running' })

describe('the home lock', () => {
  test('a second process is refused, and told who runs', async () => {
    writeFileSync(join(home, 'daemon.json'), JSON.stringify({ pid: process.pid }))
    using _lock = openHomeLock(home)
    expect((await otherProcess()).outcome).toBe(`already_running ${process.pid}`)
  })

  test('ends with its process, also one that is killed', async () => {
    const { child, outcome } = await otherProcess()
    expect(outcome).toBe('locked')
    expect(() => openHomeLock(home)).toThrow(refused)
    child.kill('SIGKILL')
    await once(child, 'exit')
    using _lock = openHomeLock(home)
  })

  test('is refused within one process too, and free once it was given back', () => {
    const lock = openHomeLock(home)
    expect(() => openHomeLock(home)).toThrow(refused)
    lock[Symbol.dispose]()
    lock[Symbol.dispose]()
    using _again = openHomeLock(home)
  })

  test('a torn or foreign daemon.json only leaves the process unnamed', () => {
    writeFileSync(join(home, 'daemon.json'), '{"pid":')
    using _lock = openHomeLock(home)
    expect(() => openHomeLock(home)).toThrow(expect.objectContaining({ data: { home, pid: 'unknown' } }))
  })

  test('a lock file that cannot be opened is another problem than a running daemon', () => {
    writeFileSync(join(home, 'lock.db'), 'not a database, but long enough to look like one'.repeat(50))
    expect(() => openHomeLock(home)).toThrow(expect.objectContaining({ code: 'home_unusable' }))
  })
})
