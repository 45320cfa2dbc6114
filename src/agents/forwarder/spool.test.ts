import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../core/clock.ts'
import { BridgeError } from '../../core/errors.ts'
import { openSpool, type SpooledHook } from './spool.ts'

const run = promisify(execFile)
const start = Date.UTC(2026, 10, 1)

describe('the spool', () => {
  let home: string
  let folder: string
  let clock: ManualClock
  let taken: SpooledHook[]
  let errors: unknown[]
  let ingest: (hook: SpooledHook) => Promise<void>
  const open = (pollMs = 600_000) =>
    openSpool({ home, clock, pollMs, ingest: (hook) => ingest(hook), onError: (error) => errors.push(error) })

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'spool-'))
    folder = join(home, 'spool')
    mkdirSync(folder)
    clock = new ManualClock(start)
    taken = []
    errors = []
    ingest = async (hook) => {
      taken.push(hook)
    }
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  /** Writes a file as a forwarder does, which it may have been killed at. */
  function put(at: number, { pid = 7, state = 'hook', body = '{}', cut = 0, head = '' } = {}): string {
    const id = `${at}-${pid}-abcdef012345`
    const length = Buffer.byteLength(body)
    const text = `Agent: claude\nId: ${id}\nTime: ${at}\n${head}Length: ${length}\n\n${body}`
    const name = `${id}.${text.length}.${state}`
    writeFileSync(join(folder, name), text.slice(0, text.length - cut))
    return name
  }

  const waitingFiles = () => readdirSync(folder).filter((name) => name !== 'bad')

  test('hands over what waits, in order of time, with its time and its sender', async () => {
    put(start - 1, { pid: 10, body: '{"n":3}' })
    put(start - 1, { pid: 9, body: '{"n":2}', head: 'Contact: c1\nPid: 42\nPane: /tmp/tmux,%3\n' })
    put(999, { body: '{"n":1}', head: 'Hook-Type: Stop\n' })
    await using spool = open()
    await spool.drain()
    expect(taken.map(({ body }) => body.toString())).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
    expect(taken[0]).toMatchObject({ agent: 'claude', hookType: 'Stop', at: 999, id: '999-7-abcdef012345' })
    expect(taken[1]?.source).toEqual({ contact: 'c1', pid: '42', pane: '/tmp/tmux,%3' })
    expect(taken.map(({ truncated }) => truncated)).toEqual([false, false, false])
    expect(waitingFiles()).toEqual([])
    expect(spool.waiting).toBe(0)
  })

  test.each([
    ['perl', 'hook.pl'],
    [process.execPath, 'hook.js'],
  ])('understands what %s %s left, and sees it come', async (program, script) => {
    await using spool = open()
    await spool.drain()
    const body = `{"hook_event_name":"Stop","text":"\n\n ü ${'x'.repeat(70_000)}"}`
    const child = run(program, [join(import.meta.dirname, '../../../bin', script), 'codex', 'Stop'], {
      env: { BRIDGE_HOME: home, BRIDGE_URL: 'http://127.0.0.1:9', BRIDGE_TOKEN: 't', CLAUDE_PID: '12' },
    })
    child.child.stdin?.end(body)
    await child
    await vi.waitFor(() => expect(taken).toHaveLength(1), 5_000)
    expect(taken[0]).toMatchObject({ agent: 'codex', hookType: 'Stop', truncated: false })
    expect(taken[0]?.body.toString()).toBe(body)
    expect(taken[0]?.source.pid).toBe('12')
    expect(taken[0]?.at).toBeGreaterThan(Date.now() - 60_000)
    await vi.waitFor(() => expect(waitingFiles()).toEqual([]), 5_000)
  })

  test('keeps a file until its hook is stored, also over a crash', async () => {
    put(1)
    const stored = Promise.withResolvers<void>()
    ingest = (hook) => {
      taken.push(hook)
      return stored.promise
    }
    const crashed = open()
    await vi.waitFor(() => expect(taken).toHaveLength(1))
    expect(waitingFiles()).toHaveLength(1)

    // Another daemon finds the file of the crashed one; the id tells that the hook is the same.
    ingest = async (hook) => {
      taken.push(hook)
    }
    await using next = open()
    await next.drain()
    expect(taken.map(({ id }) => id)).toEqual(['1-7-abcdef012345', '1-7-abcdef012345'])
    expect(waitingFiles()).toEqual([])
    stored.resolve()
    await crashed[Symbol.asyncDispose]()
    expect(errors).toEqual([])
  })

  test('waits when a hook cannot be stored now, and goes on in order', async () => {
    for (let at = 0; at < 100; at += 1) put(at)
    ingest = () => Promise.reject(new BridgeError('disk_full'))
    await using spool = open()
    await spool.drain()
    expect(spool.waiting).toBe(100)
    ingest = async (hook) => {
      taken.push(hook)
    }
    await vi.waitFor(() => expect(taken).toHaveLength(100), 5_000)
    expect(taken.map(({ at }) => at)).toEqual(Array.from({ length: 100 }, (_, at) => at))
    expect(errors).toEqual([])
  })

  test('waits when its sender is over a limit', async () => {
    put(1)
    ingest = () => Promise.reject(new BridgeError('rate_limited', { retryAfterSeconds: 1 }))
    await using spool = open()
    await spool.drain()
    expect(waitingFiles()).toHaveLength(1)
  })

  test('sets aside what is refused, a bounded number, and says so', async () => {
    for (let at = 0; at < 60; at += 1) put(at)
    ingest = () => Promise.reject(new BridgeError('invalid_json'))
    await using spool = open()
    await spool.drain()
    expect(waitingFiles()).toEqual([])
    expect(readdirSync(join(folder, 'bad'))).toHaveLength(50)
    expect(errors).toHaveLength(60)
  })

  test('is not held up for ever by a hook that nobody foresaw', async () => {
    put(1)
    put(2)
    ingest = async (hook) => {
      if (hook.at === 1) throw new TypeError('a bug')
      taken.push(hook)
    }
    await using spool = open()
    await spool.drain()
    await spool.drain()
    await spool.drain()
    expect(waitingFiles()).toEqual([])
    expect(errors).toHaveLength(1)
    expect(taken.map(({ at }) => at)).toEqual([2])
  })

  test('takes in what a killed forwarder left, after a minute', async () => {
    const name = put(start - 1_000, { state: 'tmp', body: '{"a":"bcdefgh"}', cut: 5 })
    await using spool = open()
    await spool.drain()
    expect(taken).toEqual([])
    clock.advance(60_000)
    await spool.drain()
    expect(taken).toMatchObject([{ truncated: true }])
    expect(taken[0]?.body.toString()).toBe('{"a":"bcde')
    expect(existsSync(join(folder, name))).toBe(false)
  })

  test('sets aside a file whose head is not whole, and leaves other files alone', async () => {
    writeFileSync(join(folder, '5-5-abc.10.hook'), 'Agent: cla')
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    await using spool = open()
    await spool.drain()
    expect(waitingFiles()).toEqual(['notes.txt'])
    expect(readFileSync(join(folder, 'bad', '5-5-abc.10.hook'), 'utf8')).toBe('Agent: cla')
    expect(errors).toHaveLength(1)
  })

  test('makes its folder, and looks again from time to time', async () => {
    rmSync(folder, { recursive: true })
    await using spool = open(20)
    await spool.drain()
    expect(existsSync(folder)).toBe(true)
    put(3)
    await vi.waitFor(() => expect(taken).toHaveLength(1))
  })

  test('closing waits for what is being stored', async () => {
    for (let at = 0; at < 3; at += 1) put(at)
    const finished: number[] = []
    ingest = async (hook) => {
      taken.push(hook)
      await new Promise((resolve) => setTimeout(resolve, 30))
      finished.push(hook.at)
    }
    const spool = open()
    await vi.waitFor(() => expect(taken).toHaveLength(3))
    await spool[Symbol.asyncDispose]()
    expect(finished).toEqual([0, 1, 2])
    expect(waitingFiles()).toEqual([])
    put(9)
    await spool.drain()
    expect(waitingFiles()).toHaveLength(1)
  })
})
