import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasNews, silentEvents } from '../../../bin/opencode-plugin.js'
import { verifies } from '../../../test/requirements.ts'
import type { WireOptions } from '../wiring/agent-wiring.ts'
import { hasNoNews, openCodeHookTable } from './hook-table.ts'
import { unwireOpenCode, wireOpenCode } from './wire.ts'
import { openCodeWiring } from './wiring.ts'

describe('wiring OpenCode', () => {
  let home: string
  let folder: string
  let path: string
  let options: WireOptions

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'wire-opencode-'))
    folder = join(home, '.config', 'opencode')
    path = join(folder, 'plugin', 'agent-bridge.js')
    options = {
      homeDir: home,
      env: {},
      scope: 'user',
      bridgeHome: join(home, '.bridge'),
      nodePath: process.execPath,
      perlPath: '/usr/bin/perl',
      forwarderDir: resolve(import.meta.dirname, '../../../bin'),
    }
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  function write(to: string, content: string): void {
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, content)
  }
  const read = (from: string) => readFileSync(from, 'utf8')
  const listing = (directory: string) => (existsSync(directory) ? readdirSync(directory).toSorted() : [])

  test('puts one file into its folder of plugins, which exports one thing, and takes it away again', async () => {
    mkdirSync(folder, { recursive: true })
    expect(await wireOpenCode(options)).toMatchObject({ path, changed: true, events: ['plugin'] })
    expect(read(path).match(/^export /gm)).toHaveLength(1)
    expect(read(path)).not.toContain('@opencode-ai/plugin')
    expect(openCodeWiring.inspect(options)).toMatchObject({
      files: [{ path, events: ['plugin'], missing: [], outdated: [] }],
      twice: [],
    })
    expect(await wireOpenCode(options)).toMatchObject({ changed: false, notes: [] })
    expect(await unwireOpenCode(options)).toMatchObject({ changed: true, events: ['plugin'] })
    expect(listing(folder)).toEqual([])
    expect(await unwireOpenCode(options)).toMatchObject({ changed: false, events: [] })
    expect(openCodeWiring.inspect(options).hooks).toEqual([])
  })

  test('spares a bare folder the install of a package nobody there needs', async () => {
    const { notes } = await wireOpenCode(options)
    expect(notes).toHaveLength(1)
    expect(listing(folder)).toEqual(['node_modules', 'package-lock.json', 'package.json', 'plugin'])
    const lock = JSON.parse(read(join(folder, 'package-lock.json')))
    expect(lock.packages[''].dependencies).toEqual(
      JSON.parse(read(join(folder, 'package.json'))).dependencies,
    )
    expect(Object.keys(lock.packages[''].dependencies)).toEqual(['@opencode-ai/plugin'])
  })

  test('but none where others are, and lets it happen once they come', async () => {
    write(join(folder, 'plugin', 'mine.js'), 'export const Mine = async () => ({})\n')
    await wireOpenCode(options)
    expect(listing(folder)).toEqual(['plugin'])
    rmSync(join(folder, 'plugin', 'mine.js'))
    await wireOpenCode(options)
    expect(listing(folder)).toHaveLength(4)
    write(join(folder, 'tools', 'mine.ts'), '')
    await wireOpenCode(options)
    expect(listing(folder)).toEqual(['plugin', 'tools'])
  })

  test.each([
    ['package.json', '{"dependencies":{"left-pad":"1"}}'],
    ['package-lock.json', '{}'],
    [join('node_modules', 'x', 'index.js'), ''],
  ])('nor where there is a %s, which stays', async (name, content) => {
    write(join(folder, name), content)
    await wireOpenCode(options)
    await unwireOpenCode(options)
    expect(read(join(folder, name))).toBe(content)
    expect(listing(folder)).toEqual([name.split('/')[0]])
  })

  test('what OpenCode installed meanwhile stays', async () => {
    await wireOpenCode(options)
    write(join(folder, 'node_modules', '@opencode-ai', 'plugin', 'index.js'), '')
    write(join(folder, 'package.json'), '{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}')
    await unwireOpenCode(options)
    expect(listing(folder)).toEqual(['node_modules', 'package.json'])
  })

  test('looks where the environment says' + verifies('B62'), async () => {
    const one = { ...options, env: { XDG_CONFIG_HOME: join(home, 'xdg') } }
    const two = { ...options, env: { ...one.env, OPENCODE_CONFIG_DIR: join(home, 'own') } }
    expect((await wireOpenCode(one)).path).toBe(join(home, 'xdg', 'opencode', 'plugin', 'agent-bridge.js'))
    expect((await wireOpenCode(two)).path).toBe(join(home, 'own', 'plugin', 'agent-bridge.js'))
    await unwireOpenCode(one)
    expect(openCodeWiring.inspect(two).files).toMatchObject([{ events: ['plugin'] }])
    const project = { ...options, scope: 'project' as const, directory: join(home, 'work') }
    expect((await wireOpenCode(project)).path).toBe(
      join(home, 'work', '.opencode', 'plugin', 'agent-bridge.js'),
    )
    await wireOpenCode(options)
    expect(openCodeWiring.inspect(project).twice).toHaveLength(1)
  })

  test('a version elsewhere takes over' + verifies('B62'), async () => {
    await wireOpenCode({ ...options, forwarderDir: '/opt/agent-bridge/bin' })
    expect(openCodeWiring.inspect(options).files).toMatchObject([{ outdated: ['plugin'] }])
    await wireOpenCode({ ...options, bridgeHome: join(home, 'other') })
    expect(read(path)).toContain(JSON.stringify({ home: join(home, 'other') }))
    await wireOpenCode(options)
    expect(read(path)).not.toContain('/opt/agent-bridge')
    expect(listing(dirname(path))).toEqual(['agent-bridge.js'])
  })

  test('a file of somebody else under its name is left alone' + verifies('B61'), async () => {
    const theirs = 'export const Theirs = async () => ({})\n'
    write(path, theirs)
    await expect(wireOpenCode(options)).rejects.toMatchObject({ code: 'settings_unwritable' })
    expect(await unwireOpenCode(options)).toMatchObject({ changed: false, events: [] })
    expect(read(path)).toBe(theirs)
    expect(listing(folder)).toEqual(['plugin'])
  })

  test('a folder of plugins that is a link stays one' + verifies('B61'), async () => {
    mkdirSync(folder, { recursive: true })
    write(join(home, 'dot', 'keep.txt'), '')
    symlinkSync(join(home, 'dot'), join(folder, 'plugin'))
    await wireOpenCode(options)
    expect(listing(join(home, 'dot'))).toEqual(['agent-bridge.js', 'keep.txt'])
    await unwireOpenCode(options)
    expect(listing(join(home, 'dot'))).toEqual(['keep.txt'])
  })
})

describe('what the plugin leaves out', () => {
  const names = new Set(openCodeHookTable.map(({ hook }) => hook))

  test('is what the table says has no news', () => {
    expect(silentEvents.filter((name) => !names.has(name))).toEqual([])
    const told = [...names].filter((name) => !silentEvents.includes(name))
    // `retry` and `idle` are news of `session.status`.
    expect(told.filter(hasNoNews)).toEqual(['session.status'])
  })

  test.each([
    ['session.status', { status: { type: 'busy' } }, false],
    ['session.status', { status: { type: 'idle' } }, true],
    ['message.part.updated', { part: { type: 'text', text: 'go' } }, true],
    ['message.part.updated', { part: { type: 'text', time: { start: 1 } } }, false],
    ['message.part.updated', { part: { type: 'reasoning', time: { start: 1, end: 2 } } }, true],
    ['message.part.updated', { part: { type: 'tool', state: { status: 'pending' } } }, false],
    ['message.part.updated', { part: { type: 'tool', state: { status: 'error' } } }, true],
    ['message.part.updated', { part: { type: 'step-start' } }, false],
    ['session.next.text.delta', {}, false],
    ['something.new', {}, true],
  ])('%s %j: %s', (type, properties, news) => {
    expect(hasNews(type, properties)).toBe(news)
  })
})
