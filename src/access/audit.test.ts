import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditScript } from '../../test/fixtures/audit.ts'
import { ManualClock } from '../core/clock.ts'
import { openAudit, type Audit } from './audit.ts'
import { readAudit } from './audit-read.ts'
import { verifyAudit } from './audit-verify.ts'

let directory: string
let path: string
let clock: ManualClock
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bridge-audit-'))
  path = join(directory, 'audit.log')
  clock = new ManualClock()
})

const open = (rotateBytes?: number): Audit =>
  openAudit({ path, clock, ...(rotateBytes !== undefined && { rotateBytes }) })
const actions = async (limit = 100) => (await readAudit(path, { limit })).map(({ action }) => action)

describe('writing', () => {
  test('one action is one line, in a private file', async () => {
    using audit = open()
    audit.write('ada', 'token-created', 't1\tphone\nread')
    clock.advance(1500)
    audit.write('', 'link-refused', '')
    expect(readFileSync(path, 'utf8')).toMatch(
      /^2026-01-01T00:00:00.000Z\tada\ttoken-created\tt1 phone read\t\w{64}\n2026-01-01T00:00:01.500Z\t-\tlink-refused\t\t\w{64}\n$/,
    )
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await audit.verify()).toEqual({ ok: true, lines: 2, notes: [] })
    expect(await audit.read({ limit: 1 })).toEqual([
      { ts: '2026-01-01T00:00:01.500Z', identity: '-', action: 'link-refused', detail: '' },
    ])
  })

  test('a file others could read is made private', () => {
    writeFileSync(path, '', { mode: 0o644 })
    open().close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('the chain goes on after a restart', async () => {
    for (const action of ['a', 'b', 'c']) {
      using audit = open()
      audit.write('ada', action, '')
    }
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 3, notes: [] })
  })

  test('after closing, lines are dropped and closing again is fine', () => {
    const audit = open()
    audit.write('ada', 'a', '')
    audit.close()
    audit.close()
    audit.write('ada', 'b', '')
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2)
  })

  test('lines of another process are chained to', async () => {
    using audit = open(600)
    using other = open(600)
    for (let index = 0; index < 10; index++) (index % 2 ? audit : other).write('ada', `a${index}`, '')
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 10, notes: [] })
    expect(await actions()).toEqual(Array.from({ length: 10 }, (_, index) => `a${index}`))
  })

  test('a file that was moved away by hand is begun anew', async () => {
    using audit = open()
    audit.write('ada', 'a', '')
    renameSync(path, `${path}.1`)
    audit.write('ada', 'b', '')
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 2, notes: [] })
    rmSync(`${path}.1`)
    audit.write('ada', 'c', '')
    expect(await verifyAudit(path)).toMatchObject({ ok: false, problem: { file: path, line: 1 } })
    expect(await actions()).toEqual(['b', 'c'])
  })

  test('where no file can be, the reason is named', () => {
    expect(() => openAudit({ path: directory, clock })).toThrow(
      `${directory} cannot be used: it is a directory`,
    )
    expect(() => openAudit({ path: join(directory, 'no', 'a'), clock })).toThrow(
      'cannot be used: it does not exist',
    )
  })
})

describe('rotating', () => {
  test('keeps everything, in files of a higher number the newer they are', async () => {
    {
      using audit = open(200)
      for (let index = 0; index < 40; index++) audit.write('ada', `a${index}`, '')
    }
    const names = readdirSync(directory)
    expect(names.length).toBeGreaterThan(10)
    expect(names.toSorted()).toEqual(
      [
        'audit.log',
        ...Array.from({ length: names.length - 1 }, (_, index) => `audit.log.${index + 1}`),
      ].toSorted(),
    )
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 40, notes: [] })
    expect(await actions()).toEqual(Array.from({ length: 40 }, (_, index) => `a${index}`))
  })

  test('a crash between the two steps of it changes nothing', async () => {
    {
      using audit = open()
      audit.write('ada', 'a', '')
    }
    renameSync(path, `${path}.1`)
    using audit = open()
    audit.write('ada', 'b', '')
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 2, notes: [] })
  })

  test('other files in the home are none of the audit', async () => {
    for (const name of [
      'audit.log.old',
      'audit.log.01',
      'audit.log.1.gz',
      'audit.log.damaged-1',
      'xaudit.log.1',
    ]) {
      writeFileSync(join(directory, name), 'garbage\n')
    }
    using audit = open(1)
    audit.write('ada', 'a', '')
    audit.write('ada', 'b', '')
    expect(readdirSync(directory)).toContain('audit.log.1')
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 2, notes: [] })
  })

  test('that fails is reported, and the file grows on', async () => {
    if (process.getuid?.() === 0) chownSync(directory, 65_534, 65_534)
    const code = `
      if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
      const audit = openAudit({ path, clock, onError, rotateBytes: 1 })
      chmodSync(${JSON.stringify(directory)}, 0o500)
      for (const action of ['a', 'b', 'c']) audit.write('ada', action, '')
      console.log(failures.join())`
    const run = spawnSync(process.execPath, auditScript(path, code), { encoding: 'utf8' })
    expect(run).toMatchObject({ stdout: 'EACCES,EACCES\n', stderr: '' })
    expect(await actions()).toEqual(['a', 'b', 'c'])
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 3, notes: [] })
  })
})

describe('reading', () => {
  beforeEach(() => {
    using audit = open(500)
    for (let index = 0; index < 20; index++) {
      audit.write(index % 2 ? 'ada' : 'bob', index % 3 ? 'send' : 'react', `m${index}`)
      clock.advance(1)
    }
  })
  const details = async (filter: Parameters<typeof readAudit>[1]) =>
    (await readAudit(path, filter)).map(({ detail }) => detail)

  test('gives the newest, oldest first, over several files', async () => {
    expect(await details({ limit: 5 })).toEqual(['m15', 'm16', 'm17', 'm18', 'm19'])
    expect(await details({ limit: 100 })).toHaveLength(20)
    expect(await details({ limit: 0 })).toEqual([])
  })

  test('filters by action and identity', async () => {
    expect(await details({ limit: 3, action: 'react' })).toEqual(['m12', 'm15', 'm18'])
    expect(await details({ limit: 2, identity: 'ada' })).toEqual(['m17', 'm19'])
    expect(await details({ limit: 9, action: 'react', identity: 'ada' })).toEqual(['m3', 'm9', 'm15'])
    expect(await details({ limit: 9, action: 'reac' })).toEqual([])
  })

  test('leaves out what is damaged or not finished', async () => {
    appendFileSync(path, 'garbage\n2026')
    expect(await details({ limit: 1 })).toEqual(['m19'])
    truncateSync(path, statSync(path).size - 1)
    expect(await details({ limit: 1 })).toEqual(['m19'])
  })

  test('reads lines that lie across the blocks of a large file', async () => {
    const large = join(directory, 'large', 'audit.log')
    mkdirSync(join(directory, 'large'))
    using audit = openAudit({ path: large, clock })
    for (let index = 0; index < 300; index++) audit.write('ada', 'send', `${index} ${'é'.repeat(index * 3)}`)
    const read = await audit.read({ limit: 1000 })
    expect(read.map(({ detail }) => detail.split(' ')[0])).toEqual(
      Array.from({ length: 300 }, (_, index) => `${index}`),
    )
    expect(statSync(large).size).toBeGreaterThan(4 * 65_536)
  })

  test('of no audit gives nothing', async () => {
    expect(await readAudit(join(directory, 'none', 'audit.log'), { limit: 5 })).toEqual([])
  })
})
