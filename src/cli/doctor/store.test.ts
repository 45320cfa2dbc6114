import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DoctorHome } from '../../../test/fixtures/doctor.ts'
import { openAudit } from '../../access/audit.ts'
import { systemClock } from '../../core/clock.ts'
import { openDatabase } from '../../store/database.ts'
import { openHomeLock } from '../../store/home-lock.ts'
import { migrationsOf } from '../../store/schema.ts'
import { checkAudit } from './audit.ts'
import { checkDaemon } from './daemon.ts'
import { checkDatabase } from './database.ts'
import { checkSpool } from './spool.ts'

let machine: DoctorHome
beforeEach(() => {
  machine = new DoctorHome()
  machine.makeHome()
})
afterEach(() => machine[Symbol.dispose]())

const path = (name: string) => join(machine.home, name)

describe('the database', () => {
  const check = async () => checkDatabase(await machine.context())
  const open = () => openDatabase(path('bridge.db'), migrationsOf([]), Date.now())

  test('is not there before the first start, and is not made by looking', async () => {
    expect((await check()).map(({ id, state }) => [id, state])).toEqual([['bridge.database', 'skipped']])
    expect(readdirSync(machine.home)).toEqual([])
  })

  test('is fine, also while somebody writes to it', async () => {
    using opened = open()
    opened.database.exec('BEGIN IMMEDIATE')
    opened.database.exec("INSERT INTO log (ts, type, kind, frame) VALUES (1, 't', 'k', '{}')")
    expect(await check()).toMatchObject([
      { state: 'ok', finding: expect.stringMatching(/holds 0 events in \d/) },
    ])
    opened.database.exec('COMMIT')
    expect(await check()).toMatchObject([
      { state: 'ok', finding: expect.stringMatching(/holds 1 events?\b/) },
    ])
  })

  test('of a newer version is left alone', async () => {
    {
      using opened = open()
      opened.database.exec('PRAGMA user_version = 99')
    }
    expect(await check()).toMatchObject([
      { state: 'problem', finding: expect.stringContaining('newer version (schema 99, this one knows 1)') },
    ])
  })

  test('of another program is named as such', async () => {
    const foreign = new DatabaseSync(path('bridge.db'))
    foreign.exec('CREATE TABLE notes (text TEXT)')
    foreign.close()
    expect(await check()).toMatchObject([
      { state: 'problem', finding: expect.stringContaining('another program') },
    ])
  })

  test('that is damaged is a problem', async () => {
    writeFileSync(path('bridge.db'), 'this is no database at all. '.repeat(100))
    expect(await check()).toMatchObject([
      { state: 'problem', finding: '~/.bridge/bridge.db cannot be used: file is not a database' },
    ])
    expect(existsSync(path('bridge.db-wal'))).toBe(false)
  })

  test('that an earlier start put aside is mentioned with its size', async () => {
    machine.write('.bridge/bridge.db.corrupt-2026-11-30T10-00-00-000Z', 'x'.repeat(2048))
    machine.write('.bridge/bridge.db.corrupt-2026-11-30T10-00-00-000Z-wal', 'x'.repeat(1024))
    const [, aside] = await check()
    expect(aside).toMatchObject({
      id: 'bridge.set-aside',
      state: 'warning',
      finding: 'An earlier start could not use its database and kept it: 2 files, 3 KiB',
    })
  })
})

describe('the lock', () => {
  const check = async () =>
    (await checkChecks()).map(({ id, state, finding }) => `${id} ${state}: ${finding}`)
  const checkChecks = async () => checkDaemon(await machine.context())

  test('that nobody holds lets a bridge start, and is not made by looking', async () => {
    expect(await check()).toEqual([
      'bridge.daemon problem: No bridge runs on ~/.bridge',
      'bridge.lock ok: Nothing holds the home, so a bridge can start on it',
    ])
    openHomeLock(machine.home)[Symbol.dispose]()
    expect((await check())[1]).toContain('bridge.lock ok')
    openHomeLock(machine.home)[Symbol.dispose]()
  })

  test('that somebody holds who does not answer is a problem', async () => {
    using _lock = openHomeLock(machine.home)
    machine.write('.bridge/daemon.json', JSON.stringify({ pid: 4711 }))
    expect(await check()).toEqual([
      'bridge.daemon problem: The bridge of process 4711 holds ~/.bridge and does not answer',
      'bridge.lock problem: Another process holds the home, so no bridge can start on it',
    ])
    expect((await checkChecks())[0]?.remedy).toBe('bridge logs, then kill 4711')
  })

  test('that cannot be read is a problem', async () => {
    mkdirSync(path('lock.db'))
    expect((await check())[1]).toMatch(/^bridge\.lock problem: lock\.db cannot be read: /)
  })
})

describe('the audit', () => {
  const check = async () => checkAudit(await machine.context())

  test('holds until somebody changes it', async () => {
    expect(await check()).toMatchObject({ state: 'ok', finding: 'Nothing is in the audit yet' })
    {
      using audit = openAudit({
        path: path('audit.log'),
        clock: systemClock,
        onError: (error) => {
          throw error
        },
      })
      audit.write('daemon', 'started', 'one')
      audit.write('daemon', 'stopped', 'two')
    }
    expect(await check()).toMatchObject({ state: 'ok', finding: 'The audit holds: 2 lines' })
    writeFileSync(path('audit.log'), readFileSync(path('audit.log'), 'utf8').replace('one', 'won'))
    expect(await check()).toMatchObject({
      state: 'problem',
      finding: expect.stringMatching(/^The chain of the audit breaks at ~\/\.bridge\/audit\.log:1: /),
      remedy: 'bridge audit verify',
    })
  })
})

describe('the spool', () => {
  const check = async () => checkSpool(await machine.context())
  const put = (ageMs: number, state = 'hook') =>
    machine.write(
      `.bridge/spool/${Date.now() - ageMs}-77-${Math.random().toString(16).slice(2)}.10.${state}`,
      '',
    )

  test('that is empty or not there is fine', async () => {
    expect(await check()).toMatchObject([{ id: 'hooks.spool', state: 'ok' }])
    mkdirSync(path('spool'))
    expect(await check()).toMatchObject([{ id: 'hooks.spool', state: 'ok' }])
  })

  test('says how many hooks wait, and since when', async () => {
    put(5_000, 'tmp')
    expect(await check()).toMatchObject([{ state: 'ok' }])
    put(3 * 60_000)
    put(1_000)
    put(120_000, 'tmp')
    expect(await check()).toEqual([
      {
        id: 'hooks.spool',
        subject: 'hooks',
        state: 'warning',
        finding: expect.stringMatching(
          /^3 hooks waiting in the spool, the oldest for 3m( \ds)?; the next start takes them in$/,
        ),
        remedy: 'bridge up',
      },
    ])
  })

  test('shows what could not be taken in', async () => {
    machine.write('.bridge/spool/bad/1-1-a.1.hook', '')
    expect((await check())[1]).toEqual({
      id: 'hooks.bad',
      subject: 'hooks',
      state: 'warning',
      finding: '~/.bridge/spool/bad has 1 hook that could not be taken in',
      remedy: 'When you have looked at them: rm -r ~/.bridge/spool/bad',
    })
  })

  test('that is no directory is a problem', async () => {
    machine.write('.bridge/spool', '')
    expect(await check()).toMatchObject([
      {
        state: 'problem',
        finding: expect.stringContaining('~/.bridge/spool cannot be read: a part of the path'),
      },
    ])
  })
})
