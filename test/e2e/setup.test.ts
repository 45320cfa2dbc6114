import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const checkout = resolve(import.meta.dirname, '../..')
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridge-setup-'))
  for (const file of ['setup.js', 'setup-lock.js', 'relaunch.js']) copy(`bin/${file}`)
})

afterEach(() => rmSync(root, { recursive: true }))

function copy(path: string): void {
  cpSync(join(checkout, path), join(root, path))
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const setup = (...args: string[]) =>
  spawnSync(process.execPath, ['bin/setup.js', ...args], { cwd: root, encoding: 'utf8' })

async function setupBeside(...args: string[]): Promise<{ stdout: string; status: unknown }> {
  const child = spawn(process.execPath, ['bin/setup.js', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  const [status] = await once(child, 'close')
  return { stdout, status }
}

/** Nothing of a run may stay behind. */
const leftovers = () => readdirSync(root).filter((name) => name.startsWith('.'))

describe('packages', () => {
  // One package that is a folder of the clone: npm needs no network for it.
  const lock = (version: string) =>
    JSON.stringify({
      name: 'clone',
      lockfileVersion: 3,
      packages: {
        '': { name: 'clone', workspaces: ['part'] },
        'node_modules/part': { resolved: 'part', link: true },
        'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['none'] },
        part: { version },
      },
    })

  beforeEach(() => {
    write('package.json', '{"name":"clone","private":true,"type":"module","workspaces":["part"]}')
    write('part/package.json', '{"name":"part","version":"1.0.0"}')
    write('package-lock.json', lock('1.0.0'))
  })

  test('are installed where they are missing, and only there', () => {
    const first = setup()
    expect(first.stdout).toMatch(/^Installing packages \.\.\. \d+\.\d s\n$/)
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(join(root, 'node_modules/part/package.json'))).toBe(true)
    expect(setup()).toMatchObject({ stdout: '', stderr: '', status: 0 })

    // A torn or older installation.
    write('node_modules/.package-lock.json', '{"packages":{}}')
    expect(setup().stdout).toContain('Installing packages')
    expect(leftovers()).toEqual([])
  })

  test('are installed once by two runs that begin together', async () => {
    const runs = await Promise.all([setupBeside(), setupBeside()])
    expect(runs.map(({ status }) => status)).toEqual([0, 0])
    const output = runs.map(({ stdout }) => stdout).join('')
    expect(output.match(/Installing packages/g)).toHaveLength(1)
    expect(leftovers()).toEqual([])
  })

  test('a failing installation shows what npm says', () => {
    write(
      'package.json',
      '{"name":"clone","type":"module","workspaces":["part"],"dependencies":{"unlocked":"file:part"}}',
    )
    const { stdout, stderr, status } = setup()
    expect(status).toBe(1)
    expect(stdout).toContain('failed')
    expect(stderr).toMatch(/^setup: .*npm.* failed with 1\n[^]*npm error/)
    expect(leftovers()).toEqual([])
  })

  test('the lock of a process that died is taken over', () => {
    const dead = spawnSync(process.execPath, ['-e', ''])
    write('.setup-lock/owner', String(dead.pid))
    expect(setup()).toMatchObject({ status: 0, stderr: '' })
    expect(leftovers()).toEqual([])
  })
})

describe('the program', () => {
  beforeEach(() => {
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.build.json'])
      copy(file)
    symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
    write('src/core/one.ts', `import { two } from './two.ts'\nexport const one: number = two - 1\n`)
    write('src/core/two.ts', 'export const two = 2\n')
    write('src/core/two.test.ts', 'export const tested = true\n')
  })

  test('is built when its sources changed, and only then', () => {
    expect(setup()).toMatchObject({ stdout: '', status: 0 })
    const first = setup('--build')
    expect(first.stdout).toMatch(/^Building the program \.\.\. \d+\.\d s\n$/)
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(read('dist/core/one.js')).toContain(`from './two.js'`)
    expect(JSON.parse(read('dist/core/one.js.map'))).toMatchObject({ sources: ['../../src/core/one.ts'] })
    expect(existsSync(join(root, 'dist/core/two.test.js'))).toBe(false)

    const builtAt = statSync(join(root, 'dist/core/one.js')).mtimeMs
    write('src/core/two.test.ts', 'export const tested = false\n')
    expect(setup('--build')).toMatchObject({ stdout: '', status: 0 })
    expect(statSync(join(root, 'dist/core/one.js')).mtimeMs).toBe(builtAt)

    write('src/core/one.ts', 'export const one = 1\n')
    rmSync(join(root, 'src/core/two.ts'))
    write('dist/web/index.html', 'of the page')
    expect(setup('--build').stdout).toContain('Building the program')
    expect(read('dist/core/one.js')).toContain('one = 1')
    expect(existsSync(join(root, 'dist/core/two.js'))).toBe(false)
    expect(read('dist/web/index.html')).toBe('of the page')
    expect(leftovers()).toEqual([])
  })

  test('that does not compile leaves the one before in place', () => {
    setup('--build')
    write('src/core/two.ts', `export const two: number = 'two'\n`)
    const { stdout, stderr, status } = setup('--build')
    expect({ stdout, status }).toEqual({ stdout: 'Building the program ... failed\n', status: 1 })
    expect(stderr).toContain('src/core/two.ts(1,14): error TS2322')
    expect(read('dist/core/two.js')).toContain('two = 2')
    expect(setup('--build').status).toBe(1)
    expect(leftovers()).toEqual([])
  })

  test('is built once by runs that begin together', async () => {
    const runs = await Promise.all([setupBeside('--build'), setupBeside('--build'), setupBeside('--build')])
    expect(runs.map(({ status }) => status)).toEqual([0, 0, 0])
    const output = runs.map(({ stdout }) => stdout).join('')
    expect(output.match(/Building the program/g)).toHaveLength(1)
    expect(read('dist/core/one.js')).toContain('one')
    expect(leftovers()).toEqual([])
  })
})
