import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame } from '../fixtures/frames.ts'
import type { TestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

const run = promisify(execFile)
const limit = 1_000_000

/** B20 over HTTP: a hook of any size costs little, is answered plainly, and arrives at least in part. */
let bridge: TestDaemon
let socket: TestSocket
beforeAll(async () => {
  bridge = await openTestDaemon()
  socket = await bridge.ws()
})
afterAll(() => bridge.close())

/** A PostToolUse whose whole body has exactly this many bytes. */
function hookOf(bytes: number, id: string): string {
  const body = (filler: string) =>
    JSON.stringify({
      hook_type: 'PostToolUse',
      payload: {
        session_id: 'large',
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_use_id: id,
        tool_input: { command: `cat ${id}` },
        tool_response: { stdout: filler },
      },
    })
  const text = body('A'.repeat(bytes - body('').length))
  expect(text.length).toBe(bytes)
  return text
}

const eventsOf = (id: string) => {
  const events = socket.frames.events.filter((event) => asFrame(event['activity'])['id'] === id)
  return events.filter((event) => event['kind'] === 'activity.finished')
}

describe('B20 hooks by size', () => {
  test.each([131_071, 131_072, limit])('%d bytes are taken whole' + verifies('B20'), async (bytes) => {
    const id = `toolu_${bytes}`
    const answer = await bridge.call('/hooks/claude', { method: 'POST', body: hookOf(bytes, id) })
    expect(answer.status).toBe(204)
    await bridge.settle(socket)
    expect(eventsOf(id)).toEqual([
      expect.objectContaining({ activity: expect.objectContaining({ tool: 'Bash', summary: `cat ${id}` }) }),
    ])
    expect(eventsOf(id)[0]).not.toHaveProperty('truncated')
  })

  test.each([limit + 1, 1024 * 1024, 20 * 1024 * 1024])(
    '%d bytes are 413 at once, and reach subscribers in part' + verifies('B20'),
    async (bytes) => {
      const id = `toolu_${bytes}`
      const body = hookOf(bytes, id)
      const startedAt = performance.now()
      const answer = await bridge.call('/hooks/claude', { method: 'POST', body })
      expect(performance.now() - startedAt).toBeLessThan(2_000)
      expect([answer.status, asFrame(answer.json)['error']]).toEqual([413, 'body_too_large'])
      await bridge.settle(socket)
      expect(eventsOf(id)).toEqual([
        expect.objectContaining({
          truncated: true,
          activity: { id, kind: 'shell.exec', tool: 'Bash', summary: `cat ${id}` },
        }),
      ])
    },
  )

  test('curl gets its 413 too, also when it waits for "100 Continue"', async () => {
    const path = join(bridge.userHome, 'large.json')
    writeFileSync(path, hookOf(20 * 1024 * 1024, 'toolu_curl'))
    for (const expectation of ['Expect:', 'Expect: 100-continue']) {
      const silent = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-H', expectation]
      const body = ['-H', `Authorization: Bearer ${bridge.token}`, '--data-binary', `@${path}`]
      const { stdout } = await run('curl', [...silent, ...body, `${bridge.url}/hooks/claude`])
      expect([expectation, stdout]).toEqual([expectation, '413'])
    }
  })

  test('the answer comes before the body is over, and the rest is not kept', async () => {
    const body = hookOf(200 * 1024 * 1024, 'toolu_endless').slice(0, 2_000_000)
    const port = Number(new URL(bridge.url).port)
    const answer = await new Promise<string>((resolve, reject) => {
      const sender = connect(port, '127.0.0.1', () => {
        sender.write(
          `POST /hooks/claude HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bridge.token}\r\n` +
            `Content-Length: ${200 * 1024 * 1024}\r\n\r\n${body}`,
        )
      })
      sender.on('error', reject)
      sender.once('data', (data) => {
        resolve(String(data))
        sender.destroy()
      })
    })
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('what agents send is found in the beginning, in any order the limits allow', async () => {
    const filler = 'B'.repeat(limit)
    const payload = {
      session_id: 'large',
      tool_name: 'Read',
      tool_use_id: 'toolu_order',
      tool_input: { file_path: '/a/b.ts' },
    }
    const bodies = [
      { hook_type: 'PreToolUse', payload: { ...payload, tool_use_id: 'toolu_1', z: filler } },
      {
        payload: { hook_event_name: 'PreToolUse', ...payload, tool_use_id: 'toolu_2', z: filler },
        hook_type: 'PreToolUse',
      },
      { hook_event_name: 'PreToolUse', ...payload, tool_use_id: 'toolu_3', z: filler },
      { z: filler, hook_type: 'PreToolUse', payload },
    ]
    const answers = []
    for (const body of bodies) answers.push(await bridge.call('/hooks/claude', { method: 'POST', body }))
    expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413])
    await bridge.settle(socket)
    const started = socket.frames.events.filter((event) => event['kind'] === 'activity.started')
    for (const id of ['toolu_1', 'toolu_2', 'toolu_3'])
      expect(started.map((event) => asFrame(event['activity'])['id'])).toContain(id)
  })

  test('other routes refuse a large body, and nothing comes of it', async () => {
    for (const path of ['/api/messages', '/api/raw/broadcast', '/hooksRaw/claude', '/api/tokens']) {
      const answer = await bridge.call(path, { method: 'POST', body: { content: 'x'.repeat(limit) } })
      expect([path, answer.status, asFrame(answer.json)['error']]).toEqual([path, 413, 'body_too_large'])
    }
  })

  test('frames stay small, whatever the hook held', async () => {
    for (const frame of socket.frames.all) expect(JSON.stringify(frame).length).toBeLessThan(20_000)
  })
})

describe('B20 hooks by depth', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  test.each([5_000, 150_000])(
    '%d levels are 400, and nothing overflows' + verifies('B20'),
    async (levels) => {
      const before = asFrame((await bridge.call('/api/history')).json)['last_seq']
      const bodies: [string, string][] = [
        [
          '/hooks/claude',
          `{"hook_type":"PostToolUse","payload":{"session_id":"deep","tool_response":${deep(levels)}}}`,
        ],
        [
          '/hooks/nobody',
          `{"hook_type":"PostToolUse","payload":{"session_id":"deep","tool_response":${deep(levels)}}}`,
        ],
        ['/api/raw/broadcast', deep(levels)],
        ['/api/raw/emotion.command', `{"action":"a","params":${deep(levels)}}`],
        ['/api/messages', `{"content":"x","meta":${deep(levels)}}`],
        ['/hooksRaw/claude', `{"events":${'['.repeat(levels)}${']'.repeat(levels)}}`],
      ]
      for (const [path, body] of bodies) {
        const answer = await bridge.call(path, { method: 'POST', body })
        expect([path, answer.status, asFrame(answer.json)['error']]).toEqual([path, 400, 'body_too_deep'])
      }
      expect(asFrame((await bridge.call('/api/history')).json)['last_seq']).toBe(before)
    },
  )

  test('deep nesting in a hook that is too large as well is cut, and harms nothing', async () => {
    const body = `{"hook_type":"PreToolUse","payload":{"session_id":"deep","tool_name":"Read","tool_use_id":"toolu_deep","tool_input":${deep(200_000)}}}`
    expect(body.length).toBeGreaterThan(limit)
    expect((await bridge.call('/hooks/claude', { method: 'POST', body })).status).toBe(413)
    await bridge.settle(socket)
    expect(socket.frames.events.map((event) => asFrame(event['activity'])['id'])).toContain('toolu_deep')
  })
})
