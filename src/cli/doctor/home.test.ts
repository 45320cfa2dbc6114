import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DoctorHome } from '../../../test/fixtures/doctor.ts'
import type { Check } from './check.ts'
import { checkConfig } from './config.ts'
import { checkHome } from './home.ts'
import { checkToken } from './token.ts'

const isRoot = process.getuid?.() === 0
let machine: DoctorHome
beforeEach(() => {
  machine = new DoctorHome()
})
afterEach(() => machine[Symbol.dispose]())

const home = async () => checkHome(await machine.context())

describe('the home', () => {
  test('that does not exist yet is made by the first start', async () => {
    expect(await home()).toEqual([
      {
        id: 'home.directory',
        subject: 'home',
        state: 'warning',
        finding: '~/.bridge does not exist yet; the first start makes it',
        remedy: 'bridge up',
      },
    ])
  })

  test('that is private is fine', async () => {
    machine.makeHome()
    machine.write('.bridge/token', 'x')
    expect((await home()).map(({ id, state }) => [id, state])).toEqual([
      ['home.directory', 'ok'],
      ['home.files', 'ok'],
    ])
  })

  test('that is a file, or behind one, is none', async () => {
    machine.write('.bridge', '')
    expect(await home()).toMatchObject([
      { state: 'problem', finding: '~/.bridge is a file, not a directory' },
    ])
    const behind = checkHome(await machine.context({ BRIDGE_HOME: join(machine.home, 'deeper') }))
    expect(behind).toMatchObject([
      { state: 'problem', finding: expect.stringContaining('a part of the path is a file') },
    ])
  })

  test('that is a link to a private directory is fine', async () => {
    mkdirSync(join(machine.homeDir, 'elsewhere'), { mode: 0o700 })
    symlinkSync('elsewhere', machine.home)
    expect((await home())[0]?.state).toBe('ok')
  })

  test.each([0o750, 0o701, 0o777])('that others can enter (mode %o) is a problem', async (mode) => {
    machine.makeHome()
    chmodSync(machine.home, mode)
    expect(await home()).toEqual([
      {
        id: 'home.directory',
        subject: 'home',
        state: 'problem',
        finding: `~/.bridge can be read by other users (mode ${mode.toString(8)}); the bridge does not start`,
        remedy: 'chmod 700 ~/.bridge',
      },
    ])
  })

  test.runIf(isRoot)('of somebody else is a problem, also for root', async () => {
    machine.makeHome()
    chownSync(machine.home, 65534, 65534)
    expect(await home()).toMatchObject([
      { state: 'problem', finding: expect.stringContaining('belongs to the user with the id 65534') },
    ])
  })

  test.runIf(isRoot)('with files of somebody else in it is a problem', async () => {
    machine.makeHome()
    chownSync(machine.write('.bridge/bridge.db', ''), 65534, 65534)
    const [, files] = await home()
    expect(files).toMatchObject({
      id: 'home.files',
      state: 'problem',
      finding: 'Other users own bridge.db in it',
      remedy: 'sudo chown -R 0 ~/.bridge',
    })
  })

  test('that its owner may not write is a problem', () => {
    machine.makeHome()
    chmodSync(machine.home, 0o500)
    expect(asUser('home.ts', 'checkHome')).toEqual([
      {
        id: 'home.directory',
        subject: 'home',
        state: 'problem',
        finding: '~/.bridge cannot be written: permission denied',
        remedy: 'chmod 700 ~/.bridge',
      },
    ])
  })
})

describe('the configuration', () => {
  const config = async (env = {}) => checkConfig(await machine.context(env))

  test('is valid, with what is set counted', async () => {
    expect(await config()).toMatchObject({
      state: 'ok',
      finding: 'The configuration is valid (all defaults)',
    })
    machine.makeHome()
    machine.write('.bridge/bridged.yaml', 'port: 9000\nhost: 127.0.0.1\n')
    expect(await config()).toMatchObject({
      state: 'ok',
      finding: 'The configuration is valid (2 settings of yours)',
    })
  })

  test('that is wrong is named with its place', async () => {
    machine.makeHome()
    machine.write('.bridge/bridged.yaml', '\nprot: 9000\n')
    expect(await config()).toMatchObject({
      state: 'problem',
      finding: expect.stringContaining('bridged.yaml:2: prot: is not a setting; did you mean "port"?'),
      remedy: 'bridge config check',
    })
    machine.write('.bridge/bridged.yaml', '')
    machine.write('.bridge/harness.json', '{')
    expect(await config()).toMatchObject({
      state: 'problem',
      finding: expect.stringMatching(/harness\.json: file: it is not valid JSON$/),
      remedy: 'Mend harness.json, or move it away',
    })
    expect(await config({ BRIDGE_PORT: 'high' })).toMatchObject({
      state: 'problem',
      finding: expect.stringContaining('BRIDGE_PORT'),
    })
  })
})

describe('the token', () => {
  const token = async (env = {}) => checkToken(await machine.context(env))

  test('is made by the first start', async () => {
    expect(await token()).toMatchObject({ state: 'warning', remedy: 'bridge up' })
  })

  test('of the file, or of the environment', async () => {
    machine.makeHome()
    machine.write('.bridge/token', 'a-token-of-the-file\n')
    expect(await token()).toMatchObject({ state: 'ok', finding: 'There is a token, from ~/.bridge/token' })
    expect(await token({ BRIDGE_TOKEN: 'another' })).toMatchObject({
      state: 'ok',
      finding: 'There is a token, from BRIDGE_TOKEN',
    })
  })

  test('that others can read is a problem, and stays as it is', async () => {
    machine.makeHome()
    machine.write('.bridge/token', 'a-token-of-the-file\n', 0o644)
    const open = {
      state: 'problem',
      finding: expect.stringContaining('mode 644'),
      remedy: 'chmod 600 ~/.bridge/token',
    }
    expect(await token()).toMatchObject(open)
    expect(await token()).toMatchObject(open)
  })

  test.each([
    ['', 'is empty'],
    ['two words', 'holds a blank'],
  ])('%j is none', async (content, words) => {
    machine.makeHome()
    machine.write('.bridge/token', `${content}\n`)
    const check = await token()
    expect(check).toMatchObject({ state: 'problem', finding: expect.stringContaining(words) })
    expect(check.finding).not.toContain('two')
  })

  test('that its owner may not read is a problem', () => {
    machine.makeHome()
    machine.write('.bridge/token', 'a-token-of-the-file\n', 0o000)
    expect(asUser('token.ts', 'checkToken')).toMatchObject({
      state: 'problem',
      finding: expect.stringContaining('~/.bridge/token cannot be read: permission denied'),
    })
  })
})

/** Runs one check as a user whom permissions stop, on the machine of this test. */
function asUser(file: string, name: string): Check | Check[] {
  if (isRoot) spawnSync('chown', ['-R', '65534:65534', machine.homeDir])
  const module = (path: string) => JSON.stringify(resolve(import.meta.dirname, path))
  const script = `
    const { readContext } = await import(${module('context.ts')})
    const { ${name} } = await import(${module(file)})
    if (${isRoot}) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
    const context = await readContext(${JSON.stringify({ env: machine.env, cwd: machine.cwd, homeDir: machine.homeDir })})
    console.log(JSON.stringify(await ${name}(context)))
  `
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const checks: Check | Check[] = JSON.parse(stdout)
  return checks
}
