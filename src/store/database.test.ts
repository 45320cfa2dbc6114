import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, translateWriteError, type OpenedDatabase } from './database.ts'

const first = 'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT'
const second = 'ALTER TABLE things ADD COLUMN color TEXT'
const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'database-'))
  path = join(directory, 'bridge.db')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function open(migrations: readonly string[] = [first]): OpenedDatabase {
  return openDatabase(path, migrations, nowMs)
}

/** Makes a database of ours with `rows` things in it. */
function fill(rows: number): void {
  using opened = open()
  const insert = opened.database.prepare('INSERT INTO things (name) VALUES (?)')
  opened.database.exec('BEGIN')
  for (let n = 0; n < rows; n += 1) insert.run(`thing ${n} ${'x'.repeat(100)}`)
  opened.database.exec('COMMIT')
}

function count(opened: OpenedDatabase): unknown {
  return opened.database.prepare('SELECT count(*) AS n FROM things').get()
}

describe('the database', () => {
  test('is made, kept, and opened again', () => {
    fill(3)
    using opened = open()
    expect(opened.setAside).toBeUndefined()
    expect(count(opened)).toEqual({ n: 3 })
  })

  test('steps of the schema run once, in order, and keep what is there', () => {
    fill(2)
    {
      using opened = open([first, second])
      expect(count(opened)).toEqual({ n: 2 })
      opened.database.exec("UPDATE things SET color = 'red'")
    }
    using opened = open([first, second])
    expect(opened.database.prepare('SELECT DISTINCT color FROM things').all()).toEqual([{ color: 'red' }])
  })

  test('a step that fails changes nothing', () => {
    fill(2)
    expect(() => open([first, `${second}; CREATE TABLE things (id)`])).toThrow(
      /duplicate column|already exists/,
    )
    using opened = open()
    expect(
      opened.database
        .prepare('SELECT * FROM things')
        .columns()
        .map(({ name }) => name),
    ).toEqual(['id', 'name'])
    expect(count(opened)).toEqual({ n: 2 })
  })

  test('an empty file, as a crash at the first start may leave it, is begun', () => {
    writeFileSync(path, '')
    using opened = open()
    expect(opened.setAside).toBeUndefined()
    expect(count(opened)).toEqual({ n: 0 })
  })

  test('with a log that a killed process left is read whole', () => {
    const elsewhere = join(directory, 'elsewhere.db')
    using running = openDatabase(elsewhere, [first], nowMs)
    running.database.exec("INSERT INTO things (name) VALUES ('only in the log')")
    for (const suffix of ['', '-wal']) copyFileSync(elsewhere + suffix, path + suffix)
    using opened = open()
    expect(opened.setAside).toBeUndefined()
    expect(count(opened)).toEqual({ n: 1 })
  })
})

describe('a file that cannot be used', () => {
  const unusable: [string, () => void][] = [
    ['is no database', () => writeFileSync(path, 'these are my notes, not a database\n'.repeat(100))],
    ['was cut off', () => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['has a damaged page', () => writeFileSync(path, damaged(readFileSync(path)))],
  ]
  const damaged = (content: Buffer) => content.fill(0xff, 4_096 * 3, 4_096 * 4)

  test.each(unusable)('that %s is set aside as it is', (_name, damage) => {
    fill(2_000)
    damage()
    const content = readFileSync(path)
    using opened = open()
    const kept = `${path}.corrupt-2026-01-02T03-04-05-000Z`
    expect(opened.setAside).toEqual({ path: kept, reason: 'corrupt' })
    expect(readFileSync(kept)).toEqual(content)
    expect(count(opened)).toEqual({ n: 0 })
  })

  test("that is another program's is set aside and not written to, its log included", () => {
    const elsewhere = join(directory, 'elsewhere.db')
    const foreign = new DatabaseSync(elsewhere)
    foreign.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text); INSERT INTO notes VALUES (1)')
    // What is there while it is open is what a crash of its program would leave.
    for (const suffix of ['', '-wal']) copyFileSync(elsewhere + suffix, path + suffix)
    foreign.close()
    const content = readFileSync(path)
    const log = readFileSync(`${path}-wal`)
    using opened = open()
    expect(opened.setAside?.reason).toBe('foreign')
    const kept = opened.setAside?.path ?? ''
    expect(readFileSync(kept)).toEqual(content)
    expect(readFileSync(`${kept}-wal`)).toEqual(log)
    using unharmed = new DatabaseSync(kept)
    expect(unharmed.prepare('SELECT * FROM notes').all()).toEqual([{ text: 1 }])
  })

  test('two on one day do not overwrite each other', () => {
    for (const text of ['one '.repeat(100), 'two '.repeat(100)]) {
      rmSync(path, { force: true })
      writeFileSync(path, text)
      using _opened = open()
    }
    const kept = readdirSync(directory).filter((name) => name.includes('corrupt'))
    expect(kept.map((name) => readFileSync(join(directory, name), 'utf8').slice(0, 3)).sort()).toEqual([
      'one',
      'two',
    ])
  })

  test('what a newer version wrote is refused and left alone', () => {
    {
      using _opened = open([first, second])
    }
    const content = readFileSync(path)
    expect(() => open()).toThrow(
      expect.objectContaining({ code: 'store_newer', data: { path, found: 2, known: 1 } }),
    )
    expect(readFileSync(path)).toEqual(content)
    expect(readdirSync(directory)).toEqual(['bridge.db'])
  })

  test('a directory in its place is a clear error', () => {
    mkdirSync(path)
    expect(() => open()).toThrow(expect.objectContaining({ code: 'home_unusable' }))
    expect(existsSync(path)).toBe(true)
  })
})

describe('writing', () => {
  test('a full disk has its name, anything else stays what it is', () => {
    using opened = open()
    opened.database.exec('PRAGMA max_page_count = 12')
    const insert = opened.database.prepare('INSERT INTO things (name) VALUES (?)')
    let failure: unknown
    try {
      for (let n = 0; n < 1_000; n += 1) insert.run('x'.repeat(1_000))
    } catch (error) {
      failure = error
    }
    expect(translateWriteError(failure)).toMatchObject({ code: 'disk_full', status: 507 })
    const other = new Error('other')
    expect(translateWriteError(other)).toBe(other)
    expect(count(opened)).not.toEqual({ n: 0 })
  })
})
