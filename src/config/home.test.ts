import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { prepareHome, resolveHome } from './home.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bridge-home-'))
})

describe('resolveHome', () => {
  const base = { cwd: '/srv', homeDir: '/home/ada', packageRoot: '/nowhere' }

  test.each([
    [{ env: {} }, '/home/ada/.bridge'],
    [{ env: { BRIDGE_HOME: '' } }, '/home/ada/.bridge'],
    [{ env: { BRIDGE_HOME: '/srv/bridge' } }, '/srv/bridge'],
    [{ env: { BRIDGE_HOME: 'state' } }, '/srv/state'],
    [{ env: { BRIDGE_HOME: '~/b' } }, '/home/ada/b'],
    [{ env: { BRIDGE_HOME: '/srv/bridge' }, state: '/var/b/state.json' }, '/var/b'],
    [{ env: {}, state: 'b/state.json' }, '/srv/b'],
    [{ env: {}, state: '~/b/state.json' }, '/home/ada/b'],
  ])('%j', (options, home) => {
    expect(resolveHome({ ...base, ...options })).toBe(home)
  })

  test('BRIDGE_HOME may stand in .env, where it is relative to that file', () => {
    writeFileSync(join(directory, '.env'), 'BRIDGE_HOME=state\n')
    const options = { ...base, packageRoot: directory }
    expect(resolveHome({ ...options, env: {} })).toBe(join(directory, 'state'))
    expect(resolveHome({ ...options, env: { BRIDGE_HOME: '/srv/bridge' } })).toBe('/srv/bridge')
  })

  test('an empty --state is a mistake', () => {
    expect(() => resolveHome({ ...base, env: {}, state: '' })).toThrow('command line: --state: is empty')
  })
})

describe('prepareHome', () => {
  test('makes a private directory, with those above it, and takes it again', () => {
    const home = join(directory, 'a', 'b')
    prepareHome(home)
    prepareHome(home)
    expect(statSync(home).mode & 0o777).toBe(0o700)
  })

  test.each([0o750, 0o705, 0o701, 0o720])('refuses mode %o and says what to do', (mode) => {
    const home = join(directory, 'a')
    mkdirSync(home)
    chmodSync(home, mode)
    expect(() => prepareHome(home)).toThrow(`${home} can be read by other users. Run: chmod 700 ${home}`)
  })

  test('refuses a file, and a path through a file', () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    expect(() => prepareHome(file)).toThrow('it is a file, not a directory')
    expect(() => prepareHome(join(file, 'home'))).toThrow('a part of the path is a file, not a directory')
  })
})

/** Permissions bind nobody who is root, so these run as somebody else; elsewhere as the user who tests. */
describe('prepareHome without the powers of root', () => {
  const isRoot = process.getuid?.() === 0

  function prepareAsNobody(home: string): string {
    const module = join(import.meta.dirname, 'home.ts')
    // Only after the import: nobody may not be able to read this checkout.
    const code = `
      const { prepareHome } = await import(${JSON.stringify(module)})
      if (${isRoot}) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
      try { prepareHome(${JSON.stringify(home)}); console.log('prepared') }
      catch (error) { console.log(error.code, error.message) }`
    const argv = ['--input-type=module-typescript', '-e', code]
    return spawnSync(process.execPath, argv, { encoding: 'utf8' }).stdout
  }

  beforeEach(() => {
    if (isRoot) chownSync(directory, 65_534, 65_534)
  })

  test('makes its own', () => {
    expect(prepareAsNobody(join(directory, 'home'))).toBe('prepared\n')
    expect(statSync(join(directory, 'home')).mode & 0o777).toBe(0o700)
  })

  test('refuses a directory of somebody else', () => {
    expect(prepareAsNobody('/')).toContain(
      'home_unusable / cannot be used: it belongs to the user with the id 0',
    )
  })

  test('refuses where nothing may be made', () => {
    chmodSync(directory, 0o500)
    expect(prepareAsNobody(join(directory, 'home'))).toContain('permission denied')
  })

  test('refuses its own when it may not write there', () => {
    const home = join(directory, 'home')
    prepareAsNobody(home)
    chmodSync(home, 0o500)
    expect(prepareAsNobody(home)).toContain(`home_unusable ${home} cannot be used: permission denied`)
  })
})
