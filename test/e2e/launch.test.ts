import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isNewEnough } from '../../bin/launch.js'

const bin = resolve(import.meta.dirname, '../../bin')
let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-launch-')))
  for (const file of ['bridge.js', 'bridged.js', 'launch.js', 'relaunch.js']) {
    cpSync(join(bin, file), join(root, 'bin', file))
  }
  write('package.json', '{"type":"module"}')
  write(
    'dist/cli/main.js',
    `console.log(JSON.stringify({ pid: process.pid, node: process.env.BUNDLED ?? null, args: process.argv.slice(2) }))
     process.exitCode = Number(process.argv[2] ?? 0)`,
  )
  // Old enough to be refused, as far as a program can tell.
  write('old.cjs', `Object.defineProperty(process, 'versions', { value: { node: '20.20.2', uv: '1.46.0' } })`)
})

afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, content: string, mode = 0o644): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), content, { mode })
}

function bundleNode(): void {
  const path = `node_modules/node-${process.platform}-${process.arch}/bin/node`
  write(path, `#!/bin/sh\nBUNDLED=yes exec '${process.execPath}' "$@"\n`, 0o755)
}

const launcher = (name: string) => join(root, 'bin', name)
const old = ['-r', './old.cjs']
const run = (args: readonly string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })

describe('the launcher', () => {
  test('runs the command in its own process when Node is new enough', () => {
    const { stdout, pid, status } = run([launcher('bridge.js'), '3', 'a b'])
    expect(JSON.parse(stdout)).toEqual({ pid, node: null, args: ['3', 'a b'] })
    expect(status).toBe(3)
  })

  test('runs it in the bundled Node when not, and passes arguments and exit code on', () => {
    bundleNode()
    const { stdout, status } = run([...old, launcher('bridge.js'), '4', '--x', '"'])
    expect(JSON.parse(stdout)).toMatchObject({ node: 'yes', args: ['4', '--x', '"'] })
    expect(status).toBe(4)
  })

  test('says in one line what is missing when there is none, with the exit code of a configuration', () => {
    const { stdout, stderr, status } = run([...old, launcher('bridge.js')])
    expect({ stdout, status }).toEqual({ stdout: '', status: 78 })
    expect(stderr).toBe(
      `Agent Bridge needs Node 24.18 or newer; this is 20.20.2. Install a newer one, or run "npm ci" in ${root}, which brings one.\n`,
    )
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'hands %s on and ends as the command does',
    async (signal) => {
      bundleNode()
      write(
        'dist/daemon/main.js',
        `process.on('${signal}', () => { console.log('got it'); process.exit(5) })
       setInterval(() => {}, 1000)
       console.log('ready')`,
      )
      const child = spawn(process.execPath, [...old, launcher('bridged.js')], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let stdout = ''
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString()
        if (stdout === 'ready\n') child.kill(signal)
      })
      expect(await once(child, 'close')).toEqual([5, null])
      expect(stdout).toBe('ready\ngot it\n')
    },
  )

  test('dies of the signal its command died of', () => {
    bundleNode()
    write('dist/daemon/main.js', `process.kill(process.pid, 'SIGKILL')`)
    expect(run([...old, launcher('bridged.js')]).signal).toBe('SIGKILL')
  })

  test('says how to build when nothing is built, and shows the stack of a bug', () => {
    rmSync(join(root, 'dist'), { recursive: true })
    const unbuilt = run([launcher('bridge.js')])
    expect(unbuilt).toMatchObject({
      status: 1,
      stderr: 'Agent Bridge is not built yet. Run "npm run setup -- --build".\n',
    })
    write('dist/cli/main.js', `throw new TypeError('a bug')`)
    const broken = run([launcher('bridge.js')])
    expect(broken.status).toBe(1)
    expect(broken.stderr).toMatch(/TypeError: a bug\n {4}at .*dist\/cli\/main\.js/)
  })
})

// libuv 1.52 decides (style/libraries.md: older ones lose terminal output); 25 never had it.
test.each([
  ['12.22.12', '1.40.0', false],
  ['20.20.2', '1.46.0', false],
  ['22.23.5', '1.51.0', false],
  ['24.15.0', '1.51.0', false],
  ['24.17.0', '1.52.1', false],
  ['24.18.1', '1.52.1', true],
  ['24.22.3', '1.52.1', true],
  ['24.30.0', '1.51.0', false],
  ['25.9.0', '1.51.0', false],
  ['25.10.0', '1.52.1', false],
  ['26.0.0', '1.52.1', true],
  ['30.0.0', '2.0.0', true],
])('Node %s with libuv %s: %j', (node, uv, fits) => {
  expect(isNewEnough({ node, uv })).toBe(fits)
})
