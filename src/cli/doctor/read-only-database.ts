import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a database to read it, without waiting for whoever holds it.
 *
 * @throws Error of SQLite; one that `isBusy` of the store knows when another process holds it alone
 */
export function openReadOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 0 })
  try {
    // Opening alone touches nothing.
    database.prepare('SELECT count(*) FROM sqlite_master').get()
  } catch (error) {
    database.close()
    throw error
  }
  return database
}
