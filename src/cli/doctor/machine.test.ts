import { mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DoctorHome } from '../../../test/fixtures/doctor.ts'
import { checkClock } from './clock.ts'
import { checkDisk, judgeDisk } from './disk.ts'
import { checkForwarder, findPerl } from './forwarder.ts'
import { checkRuntime } from './runtime.ts'

let machine: DoctorHome
beforeEach(() => {
  machine = new DoctorHome()
})
afterEach(() => machine[Symbol.dispose]())

test('the Node that runs the tests is fine, one that the launcher would not take is not', async () => {
  const context = await machine.context()
  expect(await checkRuntime(context)).toMatchObject({
    id: 'machine.node',
    state: 'ok',
    finding: expect.stringContaining(`Node ${process.versions.node} with libuv ${process.versions.uv}`),
  })
  const { versions } = process
  Object.defineProperty(process, 'versions', { value: { ...versions, node: '25.1.0' } })
  try {
    expect(await checkRuntime(context)).toMatchObject({
      state: 'problem',
      remedy: expect.stringMatching(/npm ci/),
    })
  } finally {
    Object.defineProperty(process, 'versions', { value: versions })
  }
})

describe('disk', () => {
  const gib = 1024 ** 3
  const plenty = { freeBytes: 50 * gib, totalBytes: 100 * gib, freeFiles: 1e6, files: 2e6 }

  test.each([
    ['enough', {}, 'ok', '50 GiB of 100 GiB are free'],
    [
      'less than a GiB',
      { freeBytes: gib / 2, totalBytes: 10 * gib },
      'warning',
      'Only 512 MiB of 10 GiB (5.0 %)',
    ],
    ['less than a hundredth', { freeBytes: 5 * gib, totalBytes: 900 * gib }, 'warning', '(0.6 %)'],
    ['nothing to speak of', { freeBytes: 1024 ** 2 }, 'problem', 'is full: 1 MiB of 100 GiB'],
    ['no room for files', { freeFiles: 12 }, 'warning', 'room for only 12 more files'],
    ['a file system that counts no files', { freeFiles: 0, files: 0 }, 'ok', '50 GiB'],
  ])('%s', (_, space, state, words) => {
    const check = judgeDisk({ ...plenty, ...space }, { shown: '~/.bridge', remedy: 'df' })
    expect(check).toMatchObject({ id: 'machine.disk', state, finding: expect.stringContaining(words) })
    expect(check.remedy).toBe(state === 'ok' ? undefined : 'df')
  })

  test('of a home that does not exist yet is that of what is there', async () => {
    const context = await machine.context({ BRIDGE_HOME: join(machine.homeDir, 'not/yet/there') })
    expect(checkDisk(context).finding).toMatch(/free on the disk of ~\/not\/yet\/there$/)
  })
})

describe('clock', () => {
  test('is fine with files of the past, and with none', async () => {
    expect(checkClock(await machine.context()).state).toBe('ok')
    machine.makeHome()
    machine.write('.bridge/audit.log', '')
    expect(checkClock(await machine.context()).state).toBe('ok')
  })

  test('was set back when a file of the home is from the future', async () => {
    machine.makeHome()
    const later = Date.now() / 1000 + 3 * 3_600
    utimesSync(machine.write('.bridge/audit.log', ''), later, later)
    expect(checkClock(await machine.context())).toMatchObject({
      state: 'warning',
      finding: expect.stringMatching(/^The clock was set back: audit.log is (3h|2h 59m) ahead/),
      remedy: expect.stringContaining('timedatectl'),
    })
  })

  test('that is older than this program is wrong', async () => {
    const context = await machine.context()
    expect(checkClock({ ...context, now: 0 })).toMatchObject({
      state: 'problem',
      finding: 'The clock says 1970-01-01',
    })
  })
})

describe('the forwarder', () => {
  test('runs with the Perl of the system', async () => {
    const context = await machine.context()
    expect(checkForwarder(context, findPerl(context.env))).toMatchObject({
      state: 'ok',
      finding: expect.stringMatching(/bin\/hook\.pl with \/usr\/bin\/perl$/),
    })
  })

  test('runs with Node where there is no Perl, which costs more', async () => {
    expect(checkForwarder(await machine.context(), undefined)).toMatchObject({
      state: 'warning',
      finding: expect.stringMatching(/bin\/hook\.js with Node, at ten times the cost$/),
      remedy: 'Install Perl, then run bridge wire claude again',
    })
  })

  test('that is missing is a problem', async () => {
    mkdirSync(join(machine.homeDir, 'package/bin'), { recursive: true })
    const context = { ...(await machine.context()), packageRoot: join(machine.homeDir, 'package') }
    expect(checkForwarder(context, '/usr/bin/perl')).toMatchObject({
      state: 'problem',
      finding: 'The forwarder ~/package/bin/hook.pl is missing',
    })
  })
})
