import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
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

describe('B40 after a crash', () => {
  test('a line torn anywhere is cut off, recorded, and the chain holds', async () => {
    {
      using audit = open()
      audit.write('ada', 'first', 'kept')
      audit.write('ada', 'second', 'täglich')
    }
    const whole = readFileSync(path)
    const start = whole.indexOf('\n') + 1
    for (let cut = start; cut <= whole.length; cut++) {
      writeFileSync(path, whole.subarray(0, cut))
      {
        using audit = open()
        audit.write('ada', 'third', '')
      }
      // Without its LF alone the line is complete all the same.
      const torn = cut > start && cut < whole.length - 1
      const expected =
        cut < whole.length - 1
          ? ['first', ...(torn ? ['audit-torn'] : []), 'third']
          : ['first', 'second', 'third']
      const entries = await readAudit(path, { limit: 10 })
      expect(entries.map(({ action }) => action)).toEqual(expected)
      const { ok, notes } = await verifyAudit(path)
      expect([cut, ok, notes.length]).toEqual([cut, true, torn ? 1 : 0])
      const message = torn ? `${cut - start} bytes of an unfinished line were cut off: ` : ''
      expect(notes[0]?.message ?? '').toContain(message)
    }
  })

  test('an empty file is a beginning', async () => {
    writeFileSync(path, '')
    using audit = open()
    audit.write('ada', 'a', '')
    expect(await audit.verify()).toEqual({ ok: true, lines: 1, notes: [] })
  })

  test('a file of NULs is kept beside, and the audit begins', async () => {
    writeFileSync(path, Buffer.alloc(20_000))
    using audit = open()
    audit.write('ada', 'a', '')
    const damaged = readdirSync(directory).filter((name) =>
      name.startsWith('audit.log.damaged-2026-01-01T00-00-00'),
    )
    expect(damaged).toHaveLength(1)
    expect(readFileSync(join(directory, damaged[0] ?? ''))).toEqual(Buffer.alloc(20_000))
    expect(await audit.verify()).toMatchObject({ ok: true, lines: 2, notes: [{ line: 1 }] })
  })

  test('damage in the middle does not keep it from going on, and is found', async () => {
    {
      using audit = open()
      for (const action of ['a', 'b', 'c']) audit.write('ada', action, '')
    }
    const content = readFileSync(path)
    content.fill(0, 10, 30)
    writeFileSync(path, content)
    using audit = open()
    audit.write('ada', 'd', '')
    expect(await audit.verify()).toMatchObject({ ok: false, lines: 0, problem: { line: 1 } })
    expect((await actions()).at(-1)).toBe('d')
  })

  test('garbage behind the last good line does not break the lines after it once more', async () => {
    {
      using audit = open()
      audit.write('ada', 'a', '')
    }
    appendFileSync(path, 'garbage\n\n')
    using audit = open()
    audit.write('ada', 'b', '')
    expect(await audit.verify()).toMatchObject({ ok: false, lines: 1, problem: { line: 2 } })
    expect(await actions()).toEqual(['a', 'b'])
  })

  test('kill -9 in the middle of writing loses no line that was written', async () => {
    const code = `
      const audit = openAudit({ path, clock, rotateBytes: 50_000 })
      for (let index = 0; ; index++) {
        audit.write('ada', 'a', String(index))
        if (index % 100 === 0) process.stdout.write(index + '\\n')
      }`
    const child = spawn(process.execPath, auditScript(path, code), { stdio: ['ignore', 'pipe', 'inherit'] })
    let reported = ''
    for await (const chunk of child.stdout) {
      reported += String(chunk)
      if (reported.length > 1_000) child.kill('SIGKILL')
    }
    if (child.signalCode === null && child.exitCode === null) await once(child, 'exit')
    const last = Number(reported.split('\n').at(-2))
    expect(last).toBeGreaterThan(100)
    using audit = open()
    audit.write('ada', 'after', '')
    const { ok, lines } = await audit.verify()
    expect(ok).toBe(true)
    expect(lines).toBeGreaterThan(last)
  })
})

describe('B40 on a full disk', () => {
  test('lines that find no room are reported and counted, and what is there stays whole', async () => {
    // A limit on the size of files stops a write in its middle, as a full disk does, and needs no mount.
    const code = `
      const audit = openAudit({ path, clock, onError })
      for (let index = 0; index < 8; index++) audit.write('ada', 'a' + index, 'x'.repeat(1000))
      renameSync(path, path + '.1') // room again
      audit.write('ada', 'after', '')
      console.log(failures.join())`
    const command = 'ulimit -f 4; exec "$0" "$@"'
    const run = spawnSync('bash', ['-c', command, process.execPath, ...auditScript(path, code)], {
      encoding: 'utf8',
    })
    expect(run).toMatchObject({ stdout: 'EFBIG,EFBIG,EFBIG,EFBIG,EFBIG\n', stderr: '' })
    expect(await actions()).toEqual(['a0', 'a1', 'a2', 'audit-lost', 'after'])
    const { ok, notes } = await verifyAudit(path)
    expect(ok).toBe(true)
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^5 lines could not be written: EFBIG/),
    ])
  })

  test('it opens also when what is torn cannot be recorded yet', async () => {
    writeFileSync(path, 'x'.repeat(600))
    const code = `
      const audit = openAudit({ path, clock, onError })
      audit.write('ada', 'lost', '')
      console.log(failures.join())`
    const command = 'ulimit -f 0; exec "$0" "$@"'
    const run = spawnSync('bash', ['-c', command, process.execPath, ...auditScript(path, code)], {
      encoding: 'utf8',
    })
    expect(run).toMatchObject({ stdout: 'EFBIG,EFBIG\n', stderr: '' })
    expect(statSync(path).size).toBe(0)
  })
})
