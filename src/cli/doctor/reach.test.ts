import { once } from 'node:events'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon, type TestDaemonOptions } from '../../../test/fixtures/daemon.ts'
import { DoctorHome } from '../../../test/fixtures/doctor.ts'
import type { Check } from './check.ts'
import { readContext, type DoctorContext } from './context.ts'
import { checkDaemon } from './daemon.ts'
import { checkBridgeUrl, checkForwardFile } from './forward-file.ts'
import { checkPort } from './port.ts'
import { checkSpool } from './spool.ts'
import { checkToken } from './token.ts'

const line = ({ id, state, finding }: Check) => `${id} ${state}: ${finding}`
const lines = (checks: readonly Check[]) => checks.map(line)

describe('with a bridge that runs', () => {
  let daemon: TestDaemon
  beforeEach(async () => {
    daemon = await openTestDaemon()
  })
  afterEach(() => daemon.close())

  const context = (env: Record<string, string> = {}): Promise<DoctorContext> =>
    readContext({
      env: { HOME: daemon.userHome, BRIDGE_TOKEN: daemon.token, ...env },
      cwd: daemon.userHome,
      homeDir: daemon.userHome,
    })

  test('its port, its version and its lock are fine', async () => {
    expect(lines(await checkPort(await context()))).toEqual([
      `bridge.port ok: ${daemon.url} answers`,
      'bridge.bind ok: Only this machine can reach it',
    ])
    expect(lines(checkDaemon(await context()))).toEqual([
      expect.stringMatching(/^bridge\.daemon ok: Version \S+ runs as process \d+, up \d/),
      'bridge.lock ok: It holds its home, so no second one can start on it',
    ])
  })

  test('of another version has to be started again', async () => {
    const seen = await context()
    if (seen.daemon instanceof Error) throw seen.daemon
    expect(checkDaemon({ ...seen, daemon: { ...seen.daemon, version: '0.0.9' } })[0]).toMatchObject({
      state: 'warning',
      finding: expect.stringMatching(/^The daemon that runs is version 0\.0\.9, and this command is \d/),
      remedy: 'bridge down && bridge up',
    })
  })

  test('that lost its lock is a problem', async () => {
    rmSync(join(daemon.home, 'lock.db'))
    expect(checkDaemon(await context())[1]).toMatchObject({ id: 'bridge.lock', state: 'problem' })
  })

  test('its token is the one that is set here, or not', async () => {
    expect(line(await checkToken(await context()))).toBe(
      'home.token ok: The running bridge takes the token of BRIDGE_TOKEN',
    )
    const others = [await daemon.createToken(['ingest']), 'another-token-0123456789abcdef']
    for (const token of others) {
      expect(await checkToken(await context({ BRIDGE_TOKEN: token }))).toMatchObject({
        state: 'problem',
        finding: expect.stringContaining('does not take the token of BRIDGE_TOKEN'),
        remedy: 'bridge down && bridge up',
      })
    }
  })

  describe('the forward file', () => {
    const path = () => join(daemon.home, 'forward')
    const check = async () => checkForwardFile(await context())
    const change = (from: RegExp, to: string) =>
      writeFileSync(path(), readFileSync(path(), 'utf8').replace(from, to))

    test('is fine as the daemon wrote it', async () => {
      expect(await check()).toMatchObject({ id: 'hooks.forward', state: 'ok' })
    })

    test('that is gone leaves hooks without a way', async () => {
      rmSync(path())
      expect(await check()).toMatchObject({
        state: 'problem',
        finding: '~/.bridge/forward is missing, so hooks find no way',
        remedy: 'bridge down && bridge up',
      })
    })

    test('that names another address, or none', async () => {
      change(/^url=.*$/m, 'url=http://127.0.0.1:1')
      expect((await check()).finding).toBe(
        `~/.bridge/forward names http://127.0.0.1:1, and the bridge is at ${daemon.url}`,
      )
      change(/^url=.*\n/m, '')
      expect((await check()).finding).toContain('names no address')
    })

    test('with a token that does not hold, that may do more, or without one', async () => {
      change(/^token=.*$/m, 'token=brt_0000')
      expect(await check()).toMatchObject({
        state: 'problem',
        finding: 'The bridge does not take the token of ~/.bridge/forward',
      })
      change(/^token=.*$/m, `token=${daemon.token}`)
      expect(await check()).toMatchObject({
        state: 'warning',
        finding: expect.stringContaining('may do more'),
      })
      change(/^token=.*\n/m, '')
      expect(await check()).toMatchObject({ state: 'problem', finding: '~/.bridge/forward has no token' })
    })

    test('that others can read', async () => {
      chmodSync(path(), 0o640)
      expect(await check()).toMatchObject({ state: 'problem', remedy: 'chmod 600 ~/.bridge/forward' })
    })
  })

  test('BRIDGE_URL may lead elsewhere', async () => {
    const url = async (value?: string) =>
      lines(await checkBridgeUrl(await context(value === undefined ? {} : { BRIDGE_URL: value })))
    expect(await url()).toEqual([])
    expect(await url(`${daemon.url}/`)).toEqual([])
    await using other = await openTestDaemon()
    expect(await url(other.url)).toEqual([
      expect.stringMatching(/^hooks\.url ok: .* where a bridge answers$/),
    ])
    expect(await url('http://127.0.0.1:1')).toEqual([
      `hooks.url warning: BRIDGE_URL leads hooks of agents started here to http://127.0.0.1:1, where no bridge answers; this one is at ${daemon.url}`,
    ])
  })

  test('hooks that wait although it runs are a problem, but for those that have just come', async () => {
    const put = (ageMs: number) =>
      writeFileSync(join(daemon.home, 'spool', `${Date.now() - ageMs}-1-a${ageMs}.2.tmp`), 'x')
    put(1_000)
    expect(checkSpool(await context())[0]?.state).toBe('ok')
    put(120_000)
    expect(checkSpool(await context())[0]).toMatchObject({
      state: 'problem',
      finding: expect.stringMatching(/^1 hook waiting in the spool, .* although the bridge runs$/),
      remedy: 'bridge logs',
    })
  })
})

describe('a bridge that other machines can reach', () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address !== undefined && !address.internal && address.family === 'IPv4')
  const wide: TestDaemonOptions = { env: { BRIDGE_HOST: '0.0.0.0' } }

  test.runIf(outside)('is seen from outside, whatever is configured here', async () => {
    await using daemon = await openTestDaemon(wide)
    const context = await readContext({ env: {}, cwd: daemon.userHome, homeDir: daemon.userHome })
    expect(lines(await checkPort(context))).toContain(
      `bridge.bind warning: Other machines can reach it, at ${outside?.address}:${new URL(daemon.url).port}`,
    )
  })
})

describe('without a bridge', () => {
  let machine: DoctorHome
  let taken: Server | undefined
  beforeEach(() => {
    machine = new DoctorHome()
  })
  afterEach(() => {
    taken?.close()
    taken = undefined
    machine[Symbol.dispose]()
  })

  const port = async (env: Record<string, string>) => checkPort(await machine.context(env))

  test('the port is free, or any would do', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const free = portOf(server)
    await new Promise((resolve) => server.close(resolve))
    expect(lines(await port({ BRIDGE_PORT: free }))).toEqual([
      `bridge.port ok: Port ${free} is free`,
      'bridge.bind ok: Only this machine will reach it, at 127.0.0.1',
    ])
    expect((await port({ BRIDGE_PORT: '0' }))[0]?.state).toBe('skipped')
    expect(lines(await port({ BRIDGE_PORT: 'high' }))).toEqual([
      'bridge.port skipped: Which port to look at is not known',
    ])
  })

  test('the port may be taken by a program that says nothing, or by another bridge', async () => {
    // It takes connections and never answers.
    taken = createServer((socket) => socket.unref()).listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const [check] = await port({ BRIDGE_PORT: portOf(taken) })
    expect(check).toMatchObject({
      state: 'problem',
      finding: `Port ${portOf(taken)} on 127.0.0.1 is taken by another program`,
      remedy: expect.stringContaining(`lsof -nP -iTCP:${portOf(taken)} -sTCP:LISTEN`),
    })
    await using other = await openTestDaemon()
    expect((await port({ BRIDGE_PORT: new URL(other.url).port }))[0]?.finding).toMatch(
      /is taken by another bridge, with a home of its own$/,
    )
  })

  test('a wide bind is warned of, and needs a token that cannot be guessed', async () => {
    const open = { BRIDGE_PORT: '0', BRIDGE_HOST: '0.0.0.0' }
    expect(lines(await port(open))).toContain('bridge.bind warning: Other machines will reach it, at 0.0.0.0')
    expect(await port({ ...open, BRIDGE_TOKEN: 'short' })).toContainEqual({
      id: 'bridge.wide-token',
      subject: 'bridge',
      state: 'problem',
      finding: expect.stringContaining('needs a token of at least 16 characters'),
      remedy: 'bridge config check',
    })
    expect(lines(await port({ ...open, BRIDGE_TOKEN: 'long-enough-0123456789' }))).toHaveLength(2)
  })
})

function portOf(server: Server): string {
  const address = server.address()
  return typeof address === 'object' ? String(address?.port) : ''
}
