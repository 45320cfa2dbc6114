import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isBusy, messageOf } from '../../store/database.ts'
import { migrationsOf } from '../../store/schema.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import type { DoctorContext } from './context.ts'
import { openReadOnly } from './read-only-database.ts'
import { countOf, formatBytes, shellPath } from './words.ts'

const make = checksOf('bridge')

/** A larger one takes longer to read than somebody waits; it is checked where it is read. */
const checkedBytes = 256 * 1024 ** 2

/** Whether the database can be read, is whole and of this version, and what was set aside before. */
export function checkDatabase(context: DoctorContext): Check[] {
  const path = join(context.home, 'bridge.db')
  const sizeBytes = sizeOf(path) + sizeOf(`${path}-wal`)
  const database = sizeBytes > 0 ? openAndCheck(path, sizeBytes, context) : undefined
  return [
    database ?? make.skipped('database', 'There is no database yet; the first start makes it'),
    ...checkSetAside(context),
  ]
}

function openAndCheck(
  path: string,
  sizeBytes: number,
  { homeDir, packageRoot, command }: DoctorContext,
): Check {
  const shown = shortPath(path, homeDir)
  let database: DatabaseSync | undefined
  try {
    database = openReadOnly(path)
    const found = numberOf(database, 'PRAGMA user_version')
    const known = migrationsOf([]).length
    if (found > known) {
      return make.problem(
        'database',
        `${shown} was written by a newer version (schema ${found}, this one knows ${known})`,
        `Upgrade the bridge in ${shortPath(packageRoot, homeDir)}, or move the file away`,
      )
    }
    const tables = numberOf(database, "SELECT count(*) FROM sqlite_master WHERE name IN ('log', 'meta')")
    if (tables < 2) {
      const finding = `${shown} is the database of another program; the next start puts it aside`
      return make.problem('database', finding, `mv ${shellPath(path, homeDir)} somewhere else`)
    }
    const damage = sizeBytes <= checkedBytes ? damageOf(database) : undefined
    if (damage !== undefined) return damaged(shown, damage, command)
    const events = numberOf(database, 'SELECT count(*) FROM log')
    const unread = sizeBytes <= checkedBytes ? '' : ', too large to be read through here'
    return make.ok(
      'database',
      `The database holds ${countOf(events, 'event')} in ${formatBytes(sizeBytes)}${unread}`,
    )
  } catch (error) {
    if (isBusy(error)) return make.warning('database', `Another program holds ${shown}`)
    return damaged(shown, messageOf(error), command)
  } finally {
    database?.close()
  }
}

function damaged(shown: string, damage: string, command: DoctorContext['command']): Check {
  return make.problem(
    'database',
    `${shown} cannot be used: ${damage}`,
    `The next start keeps it beside a new one: ${command('down')} && ${command('up')}`,
  )
}

function damageOf(database: DatabaseSync): string | undefined {
  const [answer] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})
  return answer === 'ok' ? undefined : String(answer)
}

/** Databases that an earlier start could not use and kept. */
function checkSetAside({ home, homeDir }: DoctorContext): Check[] {
  const names = namesIn(home).filter((name) => /^bridge\.db\.(?:corrupt|foreign)-/.test(name))
  if (names.length === 0) return []
  const bytes = names.reduce((sum, name) => sum + sizeOf(join(home, name)), 0)
  const pattern = `${shellPath(join(home, 'bridge.db'), homeDir)}.{corrupt,foreign}-*`
  return [
    make.warning(
      'set-aside',
      `An earlier start could not use its database and kept it: ${countOf(names.length, 'file')}, ${formatBytes(bytes)}`,
      `When you no longer need them: rm ${pattern}`,
    ),
  ]
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // The check of the home says why.
    return []
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function numberOf(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0])
}
