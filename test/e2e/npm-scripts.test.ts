import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { verifies } from '../requirements.ts'

/** The scripts as a user runs them, in a checkout of its own whose packages are installed already. */
const packageRoot = resolve(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'bridge-npm-'))
const checkout = join(directory, 'checkout')
const started = new Set<ChildProcess>()

copyCheckout()
afterAll(() => {
  for (const child of started) endGroup(child)
  rmSync(directory, { recursive: true, force: true })
})

describe('npm scripts', { timeout: 90_000 }, () => {
  test(
    'npm start builds and serves on the given port with the token of .env' +
      verifies('A:run.build-and-start', 'A:env-file.start'),
    async () => {
      const port = await freePort()
      writeEnvFile({
        BRIDGE_TOKEN: 'token-of-the-env-file',
        BRIDGE_HOST: '127.0.0.1',
        BRIDGE_PORT: String(port),
      })
      const home = join(directory, 'started')
      const script = run('start', { BRIDGE_HOME: home })
      await until(() => script.output.includes(`http://127.0.0.1:${port}/#ticket=`), script)
      expect(existsSync(join(checkout, 'dist/cli/main.js'))).toBe(true)
      expect(await statusWith('token-of-the-env-file', port)).toBe(200)
      expect(await statusWith('another', port)).toBe(401)
      await stop(script, home)
    },
  )

  test('npm run dev reads .env too' + verifies('A:env-file.dev'), async () => {
    const port = await freePort()
    writeEnvFile({ BRIDGE_TOKEN: 'token-of-the-env-file', BRIDGE_PORT: String(port) })
    const home = join(directory, 'dev')
    const script = run('dev', { BRIDGE_HOME: home })
    await until(() => script.output.includes(`http://127.0.0.1:${port}/#ticket=`), script)
    expect(await statusWith('token-of-the-env-file', port)).toBe(200)
    await stop(script, home)
  })

  test('npm start makes a token on first use' + verifies('A:run.start-makes-token'), async () => {
    writeEnvFile({})
    const home = join(directory, 'first-use')
    const script = run('start', { BRIDGE_HOME: home, BRIDGE_PORT: '0' })
    await until(() => /http:\/\/127\.0\.0\.1:\d+\/#ticket=/.test(script.output), script)
    const { port }: { port: number } = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'))
    expect(await statusWith(readFileSync(join(home, 'token'), 'utf8').trim(), port)).toBe(200)
    await stop(script, home)
  })
})

interface Script {
  readonly child: ChildProcess
  output: string
}

function run(name: string, env: Record<string, string>): Script {
  const child = spawn('npm', ['run', name], {
    cwd: checkout,
    // A group of its own, so that what npm starts can be ended together.
    detached: true,
    env: { PATH: machinePath(), HOME: directory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.add(child)
  const script: Script = { child, output: '' }
  const take = (chunk: Buffer) => (script.output += chunk.toString())
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return script
}

/** The machine's own programs, without what npm has put before them for this test run. */
function machinePath(): string {
  const parts = (process.env['PATH'] ?? '').split(':')
  return parts.filter((part) => !part.includes('node_modules')).join(':')
}

async function stop({ child }: Script, home: string): Promise<void> {
  endGroup(child, 'SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  started.delete(child)
  await until(() => !existsSync(join(home, 'daemon.json')), {
    child,
    output: 'the daemon left its file behind',
  })
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}

async function until(isSo: () => boolean, script: Script): Promise<void> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    if (isSo()) return
    await delay(50)
  }
  throw new Error(`it did not come about:\n${script.output}`)
}

async function statusWith(token: string, port: number): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}/status`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return status
}

function writeEnvFile(variables: Record<string, string>): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(checkout, '.env'), lines.join(''))
}

/** What git would bring, as it is now, and the packages that are installed here. */
function copyCheckout(): void {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: packageRoot })
  for (const file of files.toString().split('\0')) {
    if (file !== '' && !file.startsWith('test/') && existsSync(join(packageRoot, file))) {
      cpSync(join(packageRoot, file), join(checkout, file))
    }
  }
  symlinkSync(join(packageRoot, 'node_modules'), join(checkout, 'node_modules'))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port')
  return address.port
}
