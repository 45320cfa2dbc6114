import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../test/fixtures/outcome.ts'
import { loadConfig, type Config } from './config.ts'

let root: string
let home: string
let yamlPath: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridge-config-'))
  home = join(root, 'home')
  mkdirSync(home)
  yamlPath = join(home, 'bridged.yaml')
})

function load(env: Record<string, string> = {}): Config {
  const homeDir = join(root, 'ada')
  return loadConfig({ env: { BRIDGE_HOME: home, ...env }, cwd: root, homeDir, packageRoot: root })
}

function loadYaml(text: string, env: Record<string, string> = {}): Config {
  writeFileSync(yamlPath, text)
  return load(env)
}

describe('bridged.yaml', () => {
  test('everything it can hold', () => {
    const config = loadYaml(`
host: localhost
port: 9000
log_file: logs/bridge.log
log_level: trace
url: https://bridge.example
hook_timeout_ms: 300
firebase:
  database_url: https://db.example
  agent_id: desk
allowed_hosts: [Bridge.Example, bücher.example]
allowed_origins:
  - https://Bridge.Example:443/
  - http://10.0.0.1:5173
  - chrome-extension://abcdef
redact: false
retention: { max_events: 5000, max_age_days: 7 }
limits:
  body_bytes: 2000000
  client_buffer_bytes: 100000
agents:
  claude:
    transcript_roots: [/srv/claude, ~/claude, mine]
`)
    expect(config).toMatchObject({
      host: 'localhost',
      port: 9000,
      logFile: join(home, 'logs/bridge.log'),
      logLevel: 'trace',
      url: 'https://bridge.example',
      hookTimeoutMs: 300,
      firebase: { databaseUrl: 'https://db.example', agentId: 'desk' },
      allowedHosts: ['bridge.example', 'xn--bcher-kva.example'],
      allowedOrigins: ['https://bridge.example', 'http://10.0.0.1:5173', 'chrome-extension://abcdef'],
      redact: false,
      retention: { maxEvents: 5000, maxAgeDays: 7 },
      limits: { bodyBytes: 2_000_000, clientBufferBytes: 100_000 },
      agents: { claude: { transcriptRoots: ['/srv/claude', join(root, 'ada/claude'), join(home, 'mine')] } },
    })
  })

  test.each(['', '# nothing\n', '---\n', '\uFEFF', 'firebase:\n  # agent_id: a\nhost:\n'])(
    '%j sets nothing',
    (text) => {
      expect(loadYaml(text)).toEqual(load())
    },
  )

  test('half a group keeps the defaults of the other half, and a variable fills it up', () => {
    expect(loadYaml('retention:\n  max_age_days: 7\n').retention).toEqual({
      maxEvents: 1_000_000,
      maxAgeDays: 7,
    })
    const env = { BRIDGE_DATABASE_URL: 'https://db.example' }
    expect(loadYaml('firebase:\n  agent_id: desk\n', env).firebase?.agentId).toBe('desk')
  })

  test.each([
    ['# mine\n\nport: "8787"\n', 3, 'port: must be a whole number from 0 to 65535'],
    [
      'retention:\n  max_events: 10\n',
      2,
      'retention.max_events: must be a whole number from 1000 to 1000000000',
    ],
    ['redact: yes\n', 1, 'redact: must be true or false'],
    ['prot: 1\n', 1, 'prot: is not a setting; did you mean "port"?'],
    ['host: ::1\nlogFile: a\n', 2, 'logFile: is not a setting; did you mean "log_file"?'],
    [
      'firebase:\n  databaseUrl: x\n',
      2,
      'firebase.databaseUrl: is not a setting; did you mean "database_url"?',
    ],
    ['agents:\n  codex: {}\n', 2, 'agents.codex: is not a setting; known here: claude'],
    [
      'token: test\n',
      1,
      'token: does not belong here; put it into BRIDGE_TOKEN or the file "token" in the home',
    ],
    ['home: /srv\n', 1, 'home: does not belong here; use BRIDGE_HOME or --state'],
    ['firebase: desk\n', 1, 'firebase: must be a group of settings'],
    ['allowed_hosts: a.example\n', 1, 'allowed_hosts: must be a list'],
    [
      'allowed_hosts:\n  - a.example\n  - "*"\n',
      3,
      'allowed_hosts.1: must be a host name without scheme and port',
    ],
    ['allowed_hosts: [a.example:8787]\n', 1, 'allowed_hosts.0: must be a host name without scheme and port'],
    ['allowed_origins: ["*"]\n', 1, 'allowed_origins.0: must be scheme, host and port'],
    ['allowed_origins: ["null"]\n', 1, 'allowed_origins.0: must be scheme, host and port'],
    ['allowed_origins: [https://a.example/path]\n', 1, 'allowed_origins.0: must be scheme, host and port'],
    ['port: 1\nport: 2\n', 2, 'bridged.yaml: Map keys must be unique'],
    ['port: 1\nhost: [\n', 3, 'bridged.yaml: '],
    ['port: !secret 1\n', 1, 'bridged.yaml: Unresolved tag'],
    ['- port\n', 1, 'bridged.yaml: must consist of lines "name: value"'],
    ['8787\n', 1, 'bridged.yaml: must consist of lines "name: value"'],
    ['\0\0\0\0', 1, 'bridged.yaml: '],
    ['__proto__: {}\n', 1, '__proto__: is not a setting'],
    ['b: 1\nredact: 1\n', 1, 'b: is not a setting'],
  ])('%j is refused at line %i', (text, line, message) => {
    expect(() => loadYaml(text)).toThrow(`${yamlPath}:${line}: ${message}`)
  })

  test('an error in it is found also where a variable hides it', () => {
    expect(() => loadYaml('port: x\n', { BRIDGE_PORT: '1' })).toThrow('port: must be')
  })

  test('a URL without its agent id is named by its line', () => {
    expect(() => loadYaml('\nfirebase:\n  database_url: https://db.example\n')).toThrow(
      `${yamlPath}:3: firebase.agent_id`,
    )
  })

  test('aliases that multiply are refused', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg']) {
      lines.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(', ')}]`)
    }
    expect(() => loadYaml(lines.join('\n'))).toThrow(`${yamlPath}: bridged.yaml: Excessive alias count`)
  })

  test('a directory and a file that is far too large are refused', () => {
    expect(() => loadYaml('#'.repeat(1_000_001))).toThrow('is larger than 1000000 bytes')
    home = join(root, 'home2')
    mkdirSync(join(home, 'bridged.yaml'), { recursive: true })
    expect(() => load()).toThrow('bridged.yaml: bridged.yaml: is not a file')
  })

  test('any text is read or refused, never a crash', () => {
    const words = fc.constantFrom(
      'port',
      'host',
      'firebase',
      'agents',
      ': ',
      '\n',
      '  ',
      '- ',
      '[',
      '{',
      '&a',
      '*a',
      '!!x',
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(words, fc.string(), fc.constantFrom('1', 'null', '"', "'", '|', '? ', '<<'))),
        (parts) => {
          expect(['read', 'config_invalid']).toContain(outcomeOf(() => loadYaml(parts.join(''))))
        },
      ),
    )
  })
})
