import { createServer, request } from 'node:http'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createOriginRules } from './origin-rules.ts'

const rules = createOriginRules({
  host: '127.0.0.1',
  allowedHosts: ['bridge.lan', 'xn--bcher-kva.example'],
  allowedOrigins: ['https://app.example', 'http://10.0.0.1:5173', 'chrome-extension://abcdef'],
})

describe('B54 Host', () => {
  test.each([
    '127.0.0.1:8787',
    '127.0.0.1',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:8787',
    'localhost',
    'localhost:8787',
    'LOCALHOST:8787',
    'localhost.',
    'localhost:',
    '192.168.1.10:8787',
    '[fe80::1]:8787',
    '[FE80::1]',
    'bridge.lan',
    'bridge.lan:443',
    'Bridge.LAN.:8787',
    'xn--bcher-kva.example',
  ])('%s passes', (host) => {
    expect(() => rules.checkHost(host)).not.toThrow()
    expect(() => rules.checkHost([host])).not.toThrow()
  })

  test.each([
    undefined,
    '',
    ':8787',
    ' ',
    'evil.example:8787',
    'evil.example',
    'localhost.evil.example',
    'evil.localhost',
    '127.0.0.1.evil.example',
    'bridge.lan.evil.example',
    'notbridge.lan',
    'sub.bridge.lan',
    'localhost..',
    '127.0.0.1:8787:8787',
    '127.0.0.1:port',
    '127.0.0.1:123456',
    'user@127.0.0.1',
    'user:pw@localhost',
    'localhost/path',
    'localhost?',
    'localhost#',
    'localhost\\',
    'localhost,evil.example',
    ' localhost',
    'localhost ',
    'local%68ost',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '::1',
    '::1:8787',
    '[::1',
    '[::1]x',
    '[::1%25lo]',
    '[127.0.0.1]',
    'localhost\0',
    'null',
    '*',
    '__proto__',
  ])('%j is refused', (host) => {
    expect(() => rules.checkHost(host)).toThrow(
      expect.objectContaining({ code: 'host_not_allowed', status: 403 }),
    )
  })

  test.each([[[]], [['localhost', 'localhost']], [['localhost', 'evil.example']]])(
    '%j lines are refused',
    (lines) => {
      expect(() => rules.checkHost(lines)).toThrow('The Host header')
    },
  )

  test('a name the bridge is bound to passes', () => {
    const named = createOriginRules({ host: 'desk.lan', allowedHosts: [], allowedOrigins: [] })
    expect(() => named.checkHost('desk.lan:8787')).not.toThrow()
    expect(() => named.checkHost('bridge.lan')).toThrow('The Host header "bridge.lan"')
  })

  test('what is shown of a bad one is short and harmless', () => {
    expect(() => rules.checkHost(`a\u001b[2J\n${'x'.repeat(1000)}`)).toThrow(
      /^The Host header "a\?\[2J\?x{94}" is not/,
    )
  })
})

describe('B54 Origin', () => {
  test.each([
    [undefined, '127.0.0.1:8787', 'absent'],
    [[], '127.0.0.1:8787', 'absent'],
    ['http://127.0.0.1:8787', '127.0.0.1:8787', 'own'],
    [['http://127.0.0.1:8787'], ['127.0.0.1:8787'], 'own'],
    ['http://localhost:8787', 'localhost:8787', 'own'],
    ['http://localhost:8787', 'LOCALHOST:8787', 'own'],
    ['http://[::1]:8787', '[::1]:8787', 'own'],
    ['http://[::1]:8787', '[0:0:0:0:0:0:0:1]:8787', 'own'],
    ['http://bridge.lan', 'bridge.lan', 'own'],
    ['http://bridge.lan', 'bridge.lan:80', 'own'],
    // A proxy ends TLS and passes the Host on.
    ['https://bridge.lan', 'bridge.lan', 'own'],
    ['https://bridge.lan', 'bridge.lan:443', 'own'],
    ['https://app.example', '127.0.0.1:8787', 'configured'],
    ['http://10.0.0.1:5173', '127.0.0.1:8787', 'configured'],
    ['chrome-extension://abcdef', '127.0.0.1:8787', 'configured'],
  ] as const)('%j at %j is %s', (origin, host, kind) => {
    expect(rules.checkOrigin(origin, host)).toBe(kind)
  })

  test.each([
    ['http://evil.example', '127.0.0.1:8787'],
    ['http://evil.example:8787', '127.0.0.1:8787'],
    ['null', '127.0.0.1:8787'],
    ['', '127.0.0.1:8787'],
    [[''], '127.0.0.1:8787'],
    ['http://127.0.0.1', '127.0.0.1:8787'],
    ['http://127.0.0.1:3000', '127.0.0.1:8787'],
    ['http://localhost:8787', '127.0.0.1:8787'],
    ['http://bridge.lan', 'bridge.lan:443'],
    ['https://bridge.lan', 'bridge.lan:80'],
    ['http://127.0.0.1:8787.evil.example', '127.0.0.1:8787'],
    ['http://127.0.0.1:8787@evil.example', '127.0.0.1:8787'],
    ['http://evil.example/127.0.0.1:8787', '127.0.0.1:8787'],
    ['http://127.0.0.1:8787/', '127.0.0.1:8787'],
    ['ftp://127.0.0.1:8787', '127.0.0.1:8787'],
    ['ws://127.0.0.1:8787', '127.0.0.1:8787'],
    ['file://', '127.0.0.1:8787'],
    ['127.0.0.1:8787', '127.0.0.1:8787'],
    ['http://', ''],
    ['http://127.0.0.1:8787', undefined],
    ['http://127.0.0.1:8787', ['127.0.0.1:8787', '127.0.0.1:8787']],
    ['https://app.example.evil.example', '127.0.0.1:8787'],
    ['http://app.example', '127.0.0.1:8787'],
    ['chrome-extension://other', '127.0.0.1:8787'],
    [['https://app.example', 'https://app.example'], '127.0.0.1:8787'],
    ['https://app.example, http://evil.example', '127.0.0.1:8787'],
  ] as const)('%j at %j is refused', (origin, host) => {
    expect(() => rules.checkOrigin(origin, host)).toThrow(
      expect.objectContaining({ code: 'origin_not_allowed', status: 403 }),
    )
  })
})

describe('B54 check, over the headers Node received', () => {
  async function statusOf(headers: readonly string[]): Promise<number | undefined> {
    const server = createServer((incoming, response) => {
      try {
        response.statusCode = { absent: 200, own: 201, configured: 202 }[rules.check(incoming.rawHeaders)]
      } catch {
        response.statusCode = 403
      }
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const sent = request({ host: '127.0.0.1', port, headers: [...headers], agent: false }).end()
    const [response] = await once(sent, 'response')
    server.close()
    return response.statusCode
  }

  test.each([
    [['Host', 'localhost:8787'], 200],
    [['hOsT', 'localhost:8787', 'oRiGiN', 'http://localhost:8787'], 201],
    [['Host', '10.0.0.1', 'Origin', 'https://app.example'], 202],
    [['Host', 'evil.example:8787'], 403],
    [['Host', 'evil.example:8787', 'Origin', 'http://evil.example:8787'], 403],
    [['Host', '127.0.0.1', 'Origin', 'http://evil.example'], 403],
    [['Host', '127.0.0.1', 'Origin', 'null'], 403],
    [['Host', 'localhost', 'Host', 'evil.example'], 403],
    [['Host', 'localhost', 'Origin', 'http://localhost', 'Origin', 'http://evil.example'], 403],
  ])('%j is answered %i', async (headers, status) => {
    expect(await statusOf(headers)).toBe(status)
  })
})
