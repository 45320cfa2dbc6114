import { existsSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ensurePrivateFile } from '../config/private-file.ts'
import { BridgeError } from '../core/errors.ts'

/** Marks a SQLite file as ours ("BRDG"). */
const applicationId = 0x42_52_44_47
/** Up to this size the whole file is checked at start; a larger one only where it is read. */
const checkedBytes = 64 * 1024 * 1024

/** Checkpoints are the checkpointer's; the writer makes its own only when that is gone and the WAL has 256 MB. */
const checkpointPages = 64_000

/** A step of the schema; steps run once, in order, and are never changed after a release. */
export type Migration = string

export interface OpenedDatabase extends Disposable {
  readonly database: DatabaseSync
  /** Set when a file that could not be used was moved away: where to, and why. */
  readonly setAside?: { readonly path: string; readonly reason: 'corrupt' | 'foreign' }
}

/**
 * Opens (or makes) the bridge's database: WAL, so that a commit survives the death of the process, and foreign
 * or corrupt files are moved aside and never written to.
 *
 * @throws BridgeError `store_newer` when a newer version wrote it, `home_unusable` when it cannot be opened
 */
export function openDatabase(path: string, migrations: readonly Migration[], nowMs: number): OpenedDatabase {
  const problem = existsSync(path) ? inspect(path) : undefined
  const setAside = problem ? { path: moveAside(path, problem, nowMs), reason: problem } : undefined
  const database = connect(path)
  try {
    migrate(database, path, migrations)
  } catch (error) {
    database.close()
    throw error
  }
  return {
    database,
    ...(setAside && { setAside }),
    [Symbol.dispose]: () => {
      if (database.isOpen) database.close()
    },
  }
}

function connect(path: string): DatabaseSync {
  let database
  try {
    // The WAL beside it takes its mode from it.
    if (path !== ':memory:') ensurePrivateFile(path)
    database = new DatabaseSync(path, { timeout: 5_000 })
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA wal_autocheckpoint = ${checkpointPages};
      PRAGMA cache_size = -16000;
    `)
  } catch (error) {
    database?.close()
    throw new BridgeError('home_unusable', { path, problem: messageOf(error) }, { cause: error })
  }
  return database
}

function inspect(path: string): 'corrupt' | 'foreign' | undefined {
  let database
  try {
    // Closing a writable connection would bring a foreign file's own log into it.
    database = new DatabaseSync(path, { timeout: 5_000, readOnly: true })
    const id = readNumber(database, 'PRAGMA application_id')
    const tables = readNumber(database, 'SELECT count(*) FROM sqlite_master')
    if (tables > 0 && id !== applicationId) return 'foreign'
    const sizeBytes = readNumber(database, 'PRAGMA page_count') * readNumber(database, 'PRAGMA page_size')
    if (sizeBytes > checkedBytes) return undefined
    const check = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0]
    return check === 'ok' ? undefined : 'corrupt'
  } catch (error) {
    if (isCorruption(error)) return 'corrupt'
    throw new BridgeError('home_unusable', { path, problem: messageOf(error) }, { cause: error })
  } finally {
    database?.close()
  }
}

function moveAside(path: string, reason: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')
  const wanted = `${path}.${reason}-${stamp}`
  let target = wanted
  for (let n = 2; existsSync(target); n += 1) target = `${wanted}-${n}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix)
  }
  return target
}

function migrate(database: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  const found = readNumber(database, 'PRAGMA user_version')
  if (found > migrations.length)
    throw new BridgeError('store_newer', { path, found, known: migrations.length })
  if (found === migrations.length) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const migration of migrations.slice(found)) database.exec(migration)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** The one number a PRAGMA or count answers with. */
function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0])
}

/** SQLite's primary result codes, of which the extended ones carry the low byte. */
const sqliteBusy = 5
const sqliteCorrupt = 11
const sqliteFull = 13
const sqliteNotADatabase = 26

function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code & 0xff : undefined
}

/** Whether another connection holds the database. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === sqliteBusy
}

function isCorruption(error: unknown): boolean {
  const code = resultCode(error)
  return code === sqliteCorrupt || code === sqliteNotADatabase
}

/** A failed write as the error the outside is told: a full disk by its name, anything else as it is. */
export function translateWriteError(error: unknown): unknown {
  return resultCode(error) === sqliteFull ? new BridgeError('disk_full', {}, { cause: error }) : error
}

/** What a failure says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
