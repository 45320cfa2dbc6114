import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Moves the WAL into the database whenever it is told to, waiting for the disk in the writer's stead. */
const path: unknown = workerData
if (typeof path !== 'string' || !parentPort) throw new Error('this runs only as a worker, with a path')
const database = new DatabaseSync(path, { timeout: 5_000 })
parentPort.on('message', () => {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch (error) {
    parentPort?.postMessage(error instanceof Error ? error.message : String(error))
  }
})
