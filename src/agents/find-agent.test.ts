import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { agentPrograms, findAgent, readAgentVersion } from './find-agent.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'find-agent-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function program(path: string, script: string, mode = 0o755): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, script)
  chmodSync(file, mode)
  return file
}

const shell = (script: string) => `#!/bin/sh\n${script}\n`
const [claude] = agentPrograms
if (!claude) throw new Error('no agent is known')

describe('finding', () => {
  const find = (path: string) => findAgent(claude, { path, homeDir: home })

  test('looks through PATH as a shell does', () => {
    mkdirSync(join(home, 'a/claude'), { recursive: true })
    program('b/claude', '', 0o644)
    const path = program('c/claude', shell('true'))
    program('d/claude', shell('true'))
    const directories = ['a', 'b', 'c', 'd'].map((name) => join(home, name))
    expect(find(['relative', '', ...directories].join(':'))).toEqual({ path, inPath: true })
  })

  test('also where installers put it, and says that no shell finds it there', () => {
    expect(find('/nowhere')).toBeUndefined()
    const path = program('.claude/local/claude', shell('true'))
    expect(find('/nowhere')).toEqual({ path, inPath: false })
    const other = program('bin/claude', shell('true'))
    expect(find(join(home, 'bin'))).toEqual({ path: other, inPath: true })
  })
})

describe('the version', () => {
  const read = (path: string, timeoutMs?: number) =>
    readAgentVersion(path, { path: '/usr/bin:/bin', ...(timeoutMs !== undefined && { timeoutMs }) })

  test.each([
    ['2.1.332 (Claude Code)', '2.1.332'],
    ['codex-cli 0.171.0', '0.171.0'],
    ['v1.18.33-beta.2', '1.18.33-beta.2'],
    ['Update available!\n2026.11.03-abc1234', '2026.11.03-abc1234'],
  ])('of %j is %s', async (output, version) => {
    expect(await read(program('agent', shell(`printf '%s\\n' '${output}'`)))).toEqual({ version })
  })

  test.each([
    ['exit 3', 'ended with 3 when asked for --version'],
    ['kill -SEGV $$', 'was ended by SIGSEGV when asked for --version'],
    ['echo hello', 'told no version when asked for --version'],
    ['echo 1.2.3; exit 1', 'ended with 1 when asked for --version'],
  ])('of one that does "%s" is not known', async (script, problem) => {
    expect(await read(program('agent', shell(script)))).toEqual({ problem })
  })

  test('of one that cannot be run is not known', async () => {
    expect(await read(program('agent', '#!/no/such/interpreter\n'))).toEqual({
      problem: 'cannot be run: it does not exist',
    })
  })

  test('of one that hangs is not waited for, and what it started ends with it', async () => {
    const pids = join(home, 'pids')
    const path = program('agent', shell(`sleep 300 & echo $$ $! > ${pids}; wait`))
    const begun = performance.now()
    expect(await read(path, 300)).toEqual({ problem: 'did not answer --version within 0.3 s' })
    expect(performance.now() - begun).toBeLessThan(5_000)
    for (const pid of readFileSync(pids, 'utf8').trim().split(' ')) await untilGone(Number(pid))
  })

  test('what it leaves running is ended too, and does not hold us up', async () => {
    const pids = join(home, 'pids')
    const path = program('agent', shell(`sleep 300 & echo $! > ${pids}; echo 1.2.3`))
    expect(await read(path)).toEqual({ version: '1.2.3' })
    await untilGone(Number(readFileSync(pids, 'utf8')))
  })

  test('it learns nothing of the user, and what it writes is gone', async () => {
    process.env['BRIDGE_TOKEN'] = 'a-secret-of-the-user'
    const seen = join(home, 'seen')
    const path = program('agent', shell(`env > ${seen}; echo x > "$HOME/left"; echo 1.2.3`))
    try {
      expect(await read(path)).toEqual({ version: '1.2.3' })
    } finally {
      delete process.env['BRIDGE_TOKEN']
    }
    const env = readFileSync(seen, 'utf8')
    expect(env).not.toContain('a-secret-of-the-user')
    const privateHome = /^HOME=(.*)$/m.exec(env)?.[1] ?? ''
    expect(privateHome).not.toBe(process.env['HOME'])
    expect(privateHome).toMatch(/bridge-version-/)
    expect(existsSync(privateHome)).toBe(false)
  })
})

/** A process that was killed may still be there for a moment, or as a zombie where nobody takes note of its end. */
async function untilGone(pid: number): Promise<void> {
  const deadline = Date.now() + 5_000
  while (isRunning(pid)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} still runs`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // Gone.
    return false
  }
}
