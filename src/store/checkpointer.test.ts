import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openCheckpointer } from './checkpointer.ts'
import { openDatabase } from './database.ts'
import { EventLog } from './log.ts'
import { migrationsOf } from './schema.ts'

test('commits move from the WAL into the database in another thread, and it ends with its owner', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bridge-checkpoint-'))
  const path = join(directory, 'bridge.db')
  const errors: unknown[] = []
  try {
    using opened = openDatabase(path, migrationsOf([]), 0)
    const log = new EventLog(opened.database)
    await using _checkpointer = openCheckpointer(path, log, (error) => errors.push(error))
    const before = statSync(path).size
    const frame = JSON.stringify({ type: 'x', text: 'y'.repeat(50_000) })
    await log.append([{ ts: 1, type: 'x', kind: 'x', frame }])
    for (let tries = 0; tries < 600 && statSync(path).size <= before; tries += 1) await delay(25)
    expect(statSync(path).size).toBeGreaterThan(before)
    // The writer goes on as before.
    expect(await log.append([{ ts: 2, type: 'x', kind: 'x', frame }])).toBe(2)
    expect(errors).toEqual([])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
