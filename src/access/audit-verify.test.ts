import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../core/clock.ts'
import { openAudit } from './audit.ts'
import { verifyAudit, type AuditVerification } from './audit-verify.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bridge-audit-'))
  path = join(directory, 'audit.log')
})

/** An audit of `count` lines over files of about `rotateBytes`. */
function writeLines(count: number, rotateBytes = 1_000_000): void {
  using audit = openAudit({ path, clock: new ManualClock(), rotateBytes })
  for (let index = 1; index <= count; index++) audit.write('ada', 'send', `message m${index} \ufffd é`)
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1)
const write = (file: string, lines: readonly string[]) =>
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))

test('an audit that was only written holds, as does none at all', async () => {
  expect(await verifyAudit(path)).toEqual({ ok: true, lines: 0, notes: [] })
  expect(await verifyAudit(join(directory, 'nowhere', 'audit.log'))).toMatchObject({ ok: true, lines: 0 })
  writeLines(25, 200)
  expect(readdirSync(directory).length).toBeGreaterThan(9)
  expect(await verifyAudit(path)).toEqual({ ok: true, lines: 25, notes: [] })
})

test('any changed byte of any file is found', async () => {
  writeLines(9, 300)
  const files = readdirSync(directory).map((name) => ({
    file: join(directory, name),
    content: readFileSync(join(directory, name)),
  }))
  expect(files.length).toBeGreaterThan(2)
  const place = fc
    .integer({ min: 0, max: files.length - 1 })
    .chain((index) =>
      fc.tuple(
        fc.constant(index),
        fc.nat((files[index]?.content.length ?? 1) - 1),
        fc.integer({ min: 1, max: 255 }),
      ),
    )
  await fc.assert(
    fc.asyncProperty(place, async ([index, offset, mask]) => {
      const { file, content } = files[index] ?? { file: '', content: Buffer.alloc(0) }
      const changed = Buffer.from(content)
      changed.writeUInt8(changed.readUInt8(offset) ^ mask, offset)
      writeFileSync(file, changed)
      try {
        expect(await verifyAudit(path)).toMatchObject({ ok: false, problem: { file } })
      } finally {
        writeFileSync(file, content)
      }
    }),
    { numRuns: 150 },
  )
  expect(await verifyAudit(path)).toMatchObject({ ok: true, lines: 9 })
})

test('each byte of a short audit, in each of its bits', async () => {
  writeLines(2)
  const content = readFileSync(path)
  const missed: string[] = []
  for (let offset = 0; offset < content.length; offset++) {
    // One bit per byte, another one for the next, keeps this fast; an end of line takes the slow way of a torn one.
    const changed = Buffer.from(content)
    changed.writeUInt8(changed.readUInt8(offset) ^ (1 << (offset % 8)), offset)
    writeFileSync(path, changed)
    if ((await verifyAudit(path)).ok) missed.push(`${offset}`)
  }
  expect(missed).toEqual([])
})

test('a line that was removed, moved, doubled or added is found where it was', async () => {
  writeLines(5)
  const [a = '', b = '', c = '', d = '', e = ''] = linesOf(path)
  const cases: readonly [lines: readonly string[], at: number][] = [
    [[b, c, d, e], 1],
    [[a, b, d, e], 3],
    [[a, c, b, d, e], 2],
    [[a, b, b, c, d, e], 3],
    [[a, b, c, '', d, e], 4],
    [[a, b, c, d.replace('ada', 'bob'), e], 4],
    [[a, b, c, d, e, 'more'], 6],
    [[a, b, c, d, `${e.slice(0, -64)}${e.slice(-64).toUpperCase()}`], 5],
  ]
  for (const [lines, line] of cases) {
    write(path, lines)
    expect(await verifyAudit(path)).toMatchObject({
      ok: false,
      lines: line - 1,
      problem: { file: path, line },
    })
  }
})

test('a file that is missing, renamed or doubled is found', async () => {
  writeLines(12, 200)
  const found = async () => (await verifyAudit(path)).problem?.file
  renameSync(`${path}.2`, join(directory, 'away'))
  expect(await found()).toBe(`${path}.3`)
  copyFileSync(`${path}.1`, `${path}.2`)
  expect(await found()).toBe(`${path}.2`)
  renameSync(join(directory, 'away'), `${path}.2`)
  expect(await found()).toBeUndefined()
  rmSync(`${path}.1`)
  expect(await verifyAudit(path)).toMatchObject({
    ok: false,
    lines: 0,
    problem: {
      file: `${path}.2`,
      line: 1,
      message: expect.stringContaining('the file before it are missing'),
    },
  })
})

test('that the newest lines were removed is what a chain cannot show', async () => {
  writeLines(5)
  write(path, linesOf(path).slice(0, 3))
  expect(await verifyAudit(path)).toEqual({ ok: true, lines: 3, notes: [] })
})

test('a line without its end is told from one that was changed', async () => {
  writeLines(3)
  writeFileSync(path, readFileSync(path).subarray(0, -20))
  expect(await verifyAudit(path)).toMatchObject({
    ok: false,
    lines: 2,
    problem: { line: 3, message: 'the line has no end; a crash cut it off, or it was changed' },
  })
})

test.each([Buffer.alloc(3_000_000), Buffer.alloc(3_000_000, '\n'), Buffer.from([0xff, 0xfe, 0x0a])])(
  'garbage is a problem, not a crash',
  async (garbage) => {
    writeFileSync(path, garbage)
    expect(await verifyAudit(path)).toMatchObject({ ok: false, lines: 0, problem: { line: 1 } })
  },
)

test('a daemon that writes and rotates meanwhile disturbs nothing', async () => {
  using audit = openAudit({ path, clock: new ManualClock(), rotateBytes: 2_000 })
  const writer = { lines: 0, stopped: false }
  const write = () => {
    audit.write('ada', 'send', `m${++writer.lines}`)
    if (!writer.stopped) setImmediate(write)
  }
  write()
  const results: AuditVerification[] = []
  for (let index = 0; index < 8; index++) results.push(await audit.verify())
  writer.stopped = true
  expect(results.flatMap(({ problem }) => problem ?? [])).toEqual([])
  expect(readdirSync(directory).length).toBeGreaterThan(5)
  expect(await audit.verify()).toMatchObject({ ok: true, lines: writer.lines })
})
