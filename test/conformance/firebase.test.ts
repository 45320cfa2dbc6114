import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { openFirebase, type FirebaseStandIn } from '../fixtures/firebase.ts'
import { asFrame } from '../fixtures/frames.ts'
import { verifies } from '../requirements.ts'

/** Firebase sync against a database that speaks its protocol (seed agent-bridge-readme, "Firebase sync (optional)"). */
const openBridge = (firebase: FirebaseStandIn, agentId = 'robot'): Promise<TestDaemon> =>
  openTestDaemon({ env: { BRIDGE_DATABASE_URL: `${firebase.url}/`, BRIDGE_AGENT_ID: agentId } })

const session = { session_id: 'fb' }

describe('Firebase sync', () => {
  test(
    'the record follows a whole turn' +
      verifies(
        'A:firebase.path',
        'A:firebase.last-awake',
        'A:firebase.working',
        'A:firebase.last-message',
        'A:firebase.pre-tool-use',
        'A:firebase.post-tool-use',
        'A:firebase.permission-request',
        'A:firebase.permission-request-null',
        'A:env.bridge-database-url',
        'A:env.bridge-agent-id',
      ),
    async () => {
      await using firebase = await openFirebase()
      const before = Date.now()
      await using bridge = await openBridge(firebase)
      const awake = await firebase.until('lastAwake', () => true)
      expect(Number(awake)).toBeGreaterThanOrEqual(before)
      expect(Number(awake)).toBeLessThanOrEqual(Date.now())

      await bridge.post('SessionStart', { ...session, source: 'startup' })
      await firebase.until('starting', (value) => value === true)
      await firebase.until('working', (value) => value === false)
      expect(firebase.record.get('lastMessage')).toBeNull()

      await bridge.post('UserPromptSubmit', { ...session, prompt: 'build it' })
      await firebase.until('working', (value) => value === true)
      await firebase.until('starting', (value) => value === false)
      const bash = { tool_name: 'Bash', tool_use_id: 'toolu_1', tool_input: { command: 'make' } }
      const tool = { tool: 'Bash', kind: 'shell.exec', summary: 'make' }
      await bridge.post('PreToolUse', { ...session, ...bash })
      expect(await firebase.until('preToolUse', () => true)).toEqual(tool)
      await bridge.post('PermissionRequest', { ...session, ...bash })
      expect(await firebase.until('permissionRequest', (value) => value !== null)).toMatchObject({
        request_id: expect.any(String),
        activity: { kind: 'shell.exec', tool: 'Bash', summary: 'make' },
      })
      await bridge.post('PostToolUse', { ...session, ...bash, tool_response: { stdout: 'ok' } })
      expect(await firebase.until('postToolUse', () => true)).toEqual(tool)
      await firebase.until('permissionRequest', (value) => value === null)

      await bridge.post('PermissionRequest', {
        ...session,
        tool_name: 'Bash',
        tool_input: { command: 'deploy' },
      })
      const open = asFrame(await firebase.until('permissionRequest', (value) => value !== null))
      await bridge.call(`/api/permissions/${String(open['request_id'])}`, {
        method: 'POST',
        body: { behavior: 'deny' },
      })
      await firebase.until('permissionRequest', (value) => value === null)

      await bridge.post('Stop', { ...session, last_assistant_message: 'All built.' })
      await firebase.until('working', (value) => value === false)
      expect(await firebase.until('lastMessage', (value) => value !== null)).toEqual({
        summary: 'All built.',
        blocks: ['All built.'],
      })
      for (const { path } of firebase.writes) expect(path).toMatch(/^\/agents\/robot\/[A-Za-z]+\.json$/)
    },
  )

  test('a slow database holds nothing up, and gets the newest of each value in the end', async () => {
    await using firebase = await openFirebase()
    await using bridge = await openBridge(firebase)
    await firebase.until('lastAwake', () => true)
    const release = firebase.hold()
    const startedAt = performance.now()
    for (let n = 0; n < 40; n += 1) {
      await bridge.post('UserPromptSubmit', { ...session, prompt: `${n}` })
      await bridge.post('Stop', { ...session, last_assistant_message: `reply ${n}` })
    }
    expect(performance.now() - startedAt).toBeLessThan(2_900)
    release()
    expect(
      await firebase.until('lastMessage', (value) => asFrame(value)['summary'] === 'reply 39'),
    ).toBeDefined()
    await firebase.until('working', (value) => value === false)
    const messages = firebase.writes.filter(({ path }) => path.endsWith('/lastMessage.json'))
    expect(messages.length).toBeLessThan(10)
  })

  test('an error is logged, and the next value is written all the same', async () => {
    await using firebase = await openFirebase()
    firebase.mood = 'error'
    await using bridge = await openBridge(firebase)
    await bridge.post('UserPromptSubmit', { ...session, prompt: 'x' })
    const log = () => readFileSync(join(bridge.home, 'daemon.log'), 'utf8')
    await expect.poll(log).toContain('Firebase did not take a value')
    firebase.mood = 'well'
    await bridge.post('Stop', { ...session, last_assistant_message: 'fine' })
    await firebase.until('working', (value) => value === false)
  })

  test('a database that never answers does not keep the daemon from stopping', async () => {
    await using firebase = await openFirebase()
    firebase.mood = 'silent'
    const bridge = await openBridge(firebase)
    await bridge.post('UserPromptSubmit', { ...session, prompt: 'x' })
    const startedAt = performance.now()
    await bridge.close()
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  test('the agent id is one key, whatever is in it', async () => {
    await using firebase = await openFirebase('my robot ünï')
    await using _bridge = await openBridge(firebase, 'my robot ünï')
    await expect
      .poll(() => firebase.writes[0]?.path)
      .toBe(`/agents/${encodeURIComponent('my robot ünï')}/lastAwake.json`)
  })

  test(
    'without both variables nothing is synced' +
      verifies('A:firebase.both-variables', 'A:env.agent-id-with-url'),
    async () => {
      await using firebase = await openFirebase()
      await expect(openTestDaemon({ env: { BRIDGE_DATABASE_URL: firebase.url } })).rejects.toThrow(
        /agent_id|BRIDGE_AGENT_ID/,
      )
      await using bridge = await openTestDaemon({ env: { BRIDGE_AGENT_ID: 'robot' } })
      await bridge.post('UserPromptSubmit', { ...session, prompt: 'x' })
      expect(firebase.writes).toEqual([])
    },
  )
})

describe('GET /api/firebaseData', () => {
  test('returns the trimmed record' + verifies('A:http.firebase-data', 'A:firebase.proxy'), async () => {
    await using firebase = await openFirebase()
    await using bridge = await openBridge(firebase)
    const read = async () => (await bridge.call('/api/firebaseData')).json
    await firebase.until('lastAwake', () => true)
    expect(await read()).toEqual({ working: false, lastMessage: { summary: '' }, starting: false })
    await bridge.post('UserPromptSubmit', { ...session, prompt: 'x' })
    await firebase.until('working', (value) => value === true)
    expect(await read()).toEqual({ working: true, lastMessage: { summary: '' }, starting: false })
    await bridge.post('Stop', { ...session, last_assistant_message: 'Done.' })
    await firebase.until('lastMessage', (value) => value !== null)
    await firebase.until('working', (value) => value === false)
    expect(await read()).toEqual({ working: false, lastMessage: { summary: 'Done.' }, starting: false })
  })

  test('is 503 when it is not configured, and 502 when Firebase does not answer as it should', async () => {
    await using plain = await openTestDaemon()
    const missing = await plain.call('/api/firebaseData')
    expect([missing.status, asFrame(missing.json)['error']]).toEqual([503, 'firebase_not_configured'])
    await using firebase = await openFirebase()
    await using bridge = await openBridge(firebase)
    for (const mood of ['error', 'nonsense'] as const) {
      firebase.mood = mood
      const answer = await bridge.call('/api/firebaseData')
      expect([mood, answer.status, asFrame(answer.json)['error']]).toEqual([mood, 502, 'upstream_error'])
    }
  })

  test('is 502 within seconds when Firebase hangs, and other requests do not wait for it', async () => {
    await using firebase = await openFirebase()
    await using bridge = await openBridge(firebase)
    firebase.mood = 'silent'
    const startedAt = performance.now()
    const hanging = bridge.call('/api/firebaseData')
    expect((await bridge.call('/api/health')).status).toBe(200)
    expect((await hanging).status).toBe(502)
    expect(performance.now() - startedAt).toBeLessThan(4_500)
  })
})
