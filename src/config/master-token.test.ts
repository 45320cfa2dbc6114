import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from './config.ts'
import { loadMasterToken, loadOrCreateToken } from './master-token.ts'

let home: string
let path: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bridge-token-'))
  path = join(home, 'token')
})

const config = (env: Record<string, string>) =>
  loadConfig({ env: { BRIDGE_HOME: home, ...env }, cwd: home, homeDir: home, packageRoot: home })

describe('loadOrCreateToken', () => {
  test('without a file and leave to create one, a token is required', () => {
    expect(() => loadOrCreateToken(home, { create: false })).toThrow('No token is set.')
  })

  test('creates 32 random bytes in a private file and finds them again', () => {
    const token = loadOrCreateToken(home, { create: true })
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(loadOrCreateToken(home, { create: false })).toBe(token)
    expect(loadOrCreateToken(home, { create: true })).toBe(token)
  })

  test('takes a token written by hand, and makes its file private', () => {
    writeFileSync(path, '  my-token\n')
    chmodSync(path, 0o644)
    expect(loadOrCreateToken(home, { create: false })).toBe('my-token')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test.each(['', '\n', '\0\0\0\0', 'two words', 'schlüssel'])('B40 %j is refused and kept', (content) => {
    writeFileSync(path, content)
    expect(() => loadOrCreateToken(home, { create: true })).toThrow(`${path}: token: `)
    expect(readFileSync(path, 'utf8')).toBe(content)
  })

  test('processes that create it at once all get the same', async () => {
    const module = join(import.meta.dirname, 'master-token.ts')
    const code = `
      const { loadOrCreateToken } = await import(${JSON.stringify(module)})
      console.log(loadOrCreateToken(${JSON.stringify(home)}, { create: true }))`
    const argv = ['--input-type=module-typescript', '-e', code]
    const runs = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, argv))
    const tokens = new Set((await Promise.all(runs)).map(({ stdout }) => stdout))
    expect(tokens).toEqual(new Set([readFileSync(path, 'utf8')]))
  })
})

describe('loadMasterToken', () => {
  test('BRIDGE_TOKEN is it, before the file', () => {
    writeFileSync(path, 'of-the-file')
    expect(loadMasterToken(config({ BRIDGE_TOKEN: 'test' }), { create: false })).toBe('test')
    expect(loadMasterToken(config({}), { create: false })).toBe('of-the-file')
  })

  test.each(['0.0.0.0', '::', '192.168.1.10', 'bridge.example'])(
    'a bind to %s needs a long token',
    (host) => {
      const short = config({ BRIDGE_HOST: host, BRIDGE_TOKEN: 'x'.repeat(15) })
      expect(() => loadMasterToken(short, { create: true })).toThrow(
        `Binding to ${host} opens the bridge to the network and needs a token of at least 16 characters`,
      )
      const long = config({ BRIDGE_HOST: host, BRIDGE_TOKEN: 'x'.repeat(16) })
      expect(loadMasterToken(long, { create: true })).toBe('x'.repeat(16))
    },
  )

  test('a wide bind without any token is refused, and takes a created one', () => {
    const wide = config({ BRIDGE_HOST: '0.0.0.0' })
    expect(() => loadMasterToken(wide, { create: false })).toThrow('No token is set.')
    expect(loadMasterToken(wide, { create: true })).toHaveLength(64)
  })

  test.each(['127.0.0.1', '127.0.0.2', '::1', '[::1]', 'localhost'])('a bind to %s takes any', (host) => {
    expect(loadMasterToken(config({ BRIDGE_HOST: host, BRIDGE_TOKEN: 'test' }), { create: false })).toBe(
      'test',
    )
  })
})
