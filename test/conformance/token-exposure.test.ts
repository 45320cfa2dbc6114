import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame } from '../fixtures/frames.ts'
import { openTestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

/** Every file below the home with its content, the database and its log among them. */
function filesOf(home: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files.set(path, readFileSync(path, 'latin1'))
  }
  return files
}

describe('B54 a token is never written down', () => {
  test(
    'whatever goes well or wrong with it' +
      verifies('B54', 'A:trouble.log-shows-hooks', 'A:env.bridge-log-file'),
    async () => {
      const token = 'master-secret-7f3a9c51d0e84b26'
      const mirror = { path: '' }
      await using bridge = await openTestDaemon({
        token,
        env: { BRIDGE_LOG_LEVEL: 'trace' },
        file: 'log_file: mirror.log\n',
      })
      mirror.path = join(bridge.home, 'mirror.log')
      const scoped = await bridge.createToken(['read'])
      const { ticket } = asFrame((await bridge.call('/api/tickets', { method: 'POST' })).json)
      const link = String(asFrame((await bridge.call('/api/links', { method: 'POST' })).json)['url'])
      const wrong = `${token}-but-wrong`

      // Well.
      await using socket = await bridge.ws()
      await socket.frames.nextOf('hello')
      await using byHeader = await openTestSocket(bridge.url, {
        headers: { authorization: `Bearer ${token}` },
      })
      await using byTicket = await openTestSocket(bridge.url, { path: `/ws?ticket=${String(ticket)}` })
      await byHeader.frames.nextOf('hello')
      await byTicket.frames.nextOf('hello')
      await bridge.post('Stop', { session_id: 'exposed' })
      await bridge.call('/api/state', { headers: { 'x-bridge-token': token } })
      // Wrong: 4401, 401, 403, 404, 400, a frame that fits nothing, an address nobody can parse, and a bug of ours.
      const refused = await openTestSocket(bridge.url, { token: wrong })
      expect((await refused.closed).code).toBe(4401)
      for (const path of [
        '/api/state',
        `/api/state?token=${token}`,
        `/nothing?token=${token}`,
        `/%zz?token=${token}`,
      ])
        for (const given of [wrong, token, scoped]) await bridge.call(path, { token: given })
      await bridge.call('/api/tokens', { token: scoped })
      await bridge.call('/api/messages', { method: 'POST', body: '{' })
      socket.send({ type: 'nothing' })
      await socket.frames.nextOf('error')
      const failed = await causeInternalError(bridge)
      expect([failed.status, asFrame(failed.json)['error']]).toEqual([500, 'internal_error'])
      await bridge.call('/api/audit')

      const texts = [
        ...filesOf(bridge.home),
        ...(await Promise.all(
          ['/api/state', '/status', '/api/tokens', '/api/audit', '/api/history', '/openapi.json'].map(
            async (path) => [path, (await bridge.call(path)).text] as const,
          ),
        )),
      ]
      const secrets = [token, scoped, String(ticket), link.split('ticket=')[1] ?? 'no link']
      for (const [where, text] of texts) {
        for (const secret of secrets) expect([where, text.includes(secret)]).toEqual([where, false])
      }

      // The logs were looked at, and they say what happened.
      const log = readFileSync(join(bridge.home, 'daemon.log'), 'utf8')
      expect(log).toContain('unexpected error')
      expect(log).toContain(String(asFrame(asFrame(failed.json)['details'])['id']))
      const mirrored = readFileSync(mirror.path, 'utf8')
      expect(mirrored).toMatch(/"agent":"claude","hook":"Stop"/)
      for (const line of log.split('\n').filter((each) => each !== '')) expect(mirrored).toContain(line)
      expect(statSync(mirror.path).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(bridge.home, 'audit.log'), 'utf8')).toContain('token-created')
    },
  )
})

/** A request that fails inside: a table it needs is gone. */
async function causeInternalError(bridge: TestDaemon) {
  using database = new DatabaseSync(join(bridge.home, 'bridge.db'), { timeout: 5_000 })
  database.exec('DROP TABLE chat_messages')
  return bridge.call('/api/messages', {
    method: 'POST',
    headers: { 'x-bridge-token': bridge.token },
    body: { content: 'x' },
  })
}
