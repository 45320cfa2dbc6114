import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame } from '../fixtures/frames.ts'
import { parseAnswer, rawExchange } from '../fixtures/http.ts'
import { verifies } from '../requirements.ts'

/** B56: nothing a client sends becomes a file, a path or a command. */
const examples = resolve(import.meta.dirname, '../../examples')
const planted = [
  join(examples, `planted-file-${process.pid}`),
  join(examples, `planted-folder-${process.pid}`),
]
const pwned = '/tmp/bridge-test-PWN'
let bridge: TestDaemon
beforeAll(async () => {
  rmSync(pwned, { force: true })
  // Links that lead out of a folder that is served, as somebody might put them there.
  symlinkSync('/etc/passwd', planted[0] ?? '')
  symlinkSync('/etc', planted[1] ?? '')
  bridge = await openTestDaemon()
})
afterAll(async () => {
  for (const path of planted) rmSync(path, { force: true })
  await bridge.close()
})

describe('B56 addresses', () => {
  const escapes = [
    '/../../../../../../etc/passwd',
    '/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    '/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/%252e%252e/%252e%252e/etc/passwd',
    '/..\\..\\..\\..\\etc\\passwd',
    '/..%5c..%5c..%5cetc%5cpasswd',
    '/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd',
    '//etc/passwd',
    '/etc/passwd',
    '/./etc/passwd',
    '/%00',
    '/index.html%00.js',
    '/x%00.js',
    '/file:///etc/passwd',
    `/planted-file-${process.pid}`,
    `/planted-folder-${process.pid}/passwd`,
    '/package.json',
    '/../package.json',
    '/.env',
    '/%2eenv',
    '/.git/config',
    '/~root',
    `/${'a/'.repeat(2_000)}`,
    `/${'x'.repeat(7_000)}`,
  ]
  const all = escapes.flatMap((path) => [path, `/examples${path}`, `/assets${path}`])

  test.each(all.map((path) => [path.slice(0, 60), path] as const))(
    '%s leads nowhere' + verifies('B56'),
    async (_short, path) => {
      const text = await rawExchange(
        bridge.url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      )
      const { status, body } = parseAnswer(text)
      expect([400, 403, 404]).toContain(status)
      expect(body).not.toContain('root:')
      expect(body).not.toContain('"dependencies"')
    },
  )

  test('what is there to be served is served', async () => {
    const answer = await bridge.call('/docs', { token: null })
    expect(answer.status).toBe(200)
  })
})

describe('B56 ids and names', () => {
  const ids = [
    `a;touch ${pwned}`,
    `$(touch ${pwned})`,
    `\`touch ${pwned}\``,
    `|touch ${pwned}`,
    '../../x',
    '..',
    '/etc/passwd',
    '-rf',
    '--help',
    'con',
    'a/b',
    'a\nb',
    "'; DROP TABLE contacts; --",
    '__proto__',
    'constructor',
    'x'.repeat(10_240),
    '\u202eevil',
    '',
  ]

  test.each(ids.map((id) => [id.slice(0, 40), id] as const))(
    '%j is only a text' + verifies('B56'),
    async (_short, id) => {
      await bridge.post('SessionStart', { session_id: id, source: 'startup', cwd: id })
      await bridge.post('PreToolUse', {
        session_id: id,
        tool_name: id,
        tool_use_id: id,
        tool_input: { command: id },
      })
      await bridge.post('whatever', { session_id: id }, encodeURIComponent(id).slice(0, 400) || 'nobody')
      const part = encodeURIComponent(id) || 'nobody'
      const get = (path: string) => bridge.call(path).then(({ status }) => status)
      expect([404, 400]).toContain(await get(`/sessions/${part}`))
      expect([404, 400]).toContain(await get(`/api/history?contact=${part}`))
      expect([200, 404]).toContain(await get(`/api/messages/${part}`))
      const verdict = await bridge.call(`/api/permissions/${part}`, {
        method: 'POST',
        body: { behavior: 'allow' },
      })
      expect([200, 404]).toContain(verdict.status)
      // No header line may be longer than what Node reads of a head.
      const sign = part.slice(0, 3_000)
      const headers = { 'x-bridge-hook-id': sign, 'x-bridge-contact': sign, 'x-bridge-pane': sign }
      const hook = {
        hook_type: 'Notification',
        payload: { session_id: id, message: id, notification_type: 'x' },
      }
      const posted = await bridge.call('/hooks/claude', { method: 'POST', headers, body: hook })
      expect(posted.status).toBe(204)
      expect(existsSync(pwned)).toBe(false)
    },
  )

  test('after all of that the store is whole and the daemon answers', async () => {
    const { contacts } = asFrame((await bridge.call('/sessions')).json)
    const sessions = (Array.isArray(contacts) ? contacts.map(asFrame) : []).map(
      ({ session_id }) => session_id,
    )
    for (const id of ids.filter((each) => each !== '' && each.length < 200)) expect(sessions).toContain(id)
    await bridge.restart()
    expect((await bridge.call('/api/health')).status).toBe(200)
  })
})

describe('B56 a transcript named in a hook', () => {
  const projects = () => join(bridge.userHome, '.claude', 'projects', 'a')
  const reply = (text: string) =>
    `${JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } })}\n`

  /** Stop without its words; returns how long the answer took and what was said in the end. */
  async function stopWith(
    transcript: unknown,
    session: string,
  ): Promise<{ tookMs: number; texts: unknown[] }> {
    await using socket = await bridge.ws()
    await bridge.post('UserPromptSubmit', { session_id: session, prompt: 'go' })
    const startedAt = performance.now()
    await bridge.post('Stop', { session_id: session, transcript_path: transcript })
    const tookMs = performance.now() - startedAt
    await bridge.settle(socket)
    // Longer than a reader of a real transcript takes; a device or a pipe would not end at all.
    await new Promise((done) => setTimeout(done, 400))
    await bridge.settle(socket)
    const said = socket.frames.events.filter((event) => event['kind'] === 'message.assistant')
    return { tookMs, texts: said.map((event) => event['text']) }
  }

  const traps = (): [string, unknown][] => {
    mkdirSync(projects(), { recursive: true })
    const fifo = join(projects(), 'fifo.jsonl')
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', fifo])
    const linked = join(projects(), 'linked.jsonl')
    const secret = join(bridge.userHome, 'secret.jsonl')
    writeFileSync(secret, reply('a secret of another program'))
    symlinkSync(secret, linked)
    symlinkSync('/dev/zero', join(projects(), 'zero.jsonl'))
    mkdirSync(join(projects(), 'folder.jsonl'))
    return [
      ['a foreign file', '/etc/passwd'],
      ['a foreign transcript', secret],
      ['a device', '/dev/zero'],
      ['a tty', '/dev/tty'],
      ['a FIFO', fifo],
      ['a folder', join(projects(), 'folder.jsonl')],
      ['a link that leads out', linked],
      ['a link to a device', join(projects(), 'zero.jsonl')],
      ['a way out', join(projects(), '..', '..', '..', 'secret.jsonl')],
      ['a home', '~/.ssh/id_rsa'],
      ['a NUL', `${projects()}/x\0.jsonl`],
      ['a relative path', 'secret.jsonl'],
      ['no text', { path: '/etc/passwd' }],
      ['a file of this process', '/proc/self/environ'],
    ]
  }

  test(
    'outside of where that agent keeps them, nothing is read, and nobody waits' + verifies('B56'),
    async () => {
      const outcomes = await Promise.all(
        traps().map(async ([name, path], index) => ({ name, ...(await stopWith(path, `trap-${index}`)) })),
      )
      for (const { name, tookMs, texts } of outcomes) {
        expect([name, texts, tookMs < 1_000]).toEqual([name, [], true])
      }
      const log = (await bridge.call('/api/history?after=0&limit=1000')).text
      expect(log).not.toContain('a secret of another program')
      expect(log).not.toContain('root:x')
    },
  )
})
