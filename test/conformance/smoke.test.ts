import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { verifies } from '../requirements.ts'

const run = promisify(execFile)

/** The seed's curl command (seed agent-bridge-readme, "Smoke test"), but for the port. */
async function curl(bridge: TestDaemon, body: string): Promise<string> {
  const silent = ['-sS', '-o', '/dev/null', '-w', '%{http_code}']
  const headers = ['-H', 'Authorization: Bearer test', '-H', 'Content-Type: application/json']
  const post = ['-X', 'POST', `${bridge.url}/hooks/claude`]
  const { stdout } = await run('curl', [...silent, ...post, ...headers, '-d', body])
  return stdout
}

test(
  'the smoke test of the seed, as it is written there' +
    verifies('A:smoke.user-prompt', 'A:smoke.read', 'A:smoke.stop'),
  async () => {
    await using bridge = await openTestDaemon({ token: 'test' })
    await using socket = await bridge.ws()

    const hook = '{"hook_type":"UserPromptSubmit","payload":{"session_id":"sess1","prompt":"hello"}}'
    expect(await curl(bridge, hook)).toBe('204')
    const started = await socket.frames.nextOf('agent_event')
    const message = await socket.frames.nextOf('agent_event')
    expect([started, message]).toEqual([
      {
        type: 'agent_event',
        agent: 'claude',
        ts: expect.any(Number),
        session_id: 'sess1',
        turn_id: expect.any(String),
        event: { kind: 'turn.started', prompt: 'hello', cause: 'prompt' },
      },
      { ...started, event: { kind: 'message.user', text: 'hello' } },
    ])

    const read =
      '{"hook_type":"PreToolUse","payload":{"session_id":"sess1","tool_name":"Read","tool_input":{"file_path":"/work/src/log.ts"}}}'
    expect(await curl(bridge, read)).toBe('204')
    expect(await socket.frames.nextOf('agent_event')).toMatchObject({
      event: {
        kind: 'activity.started',
        activity: { kind: 'file.read', tool: 'Read', summary: 'log.ts' },
      },
    })

    expect(await curl(bridge, '{"hook_type":"Stop","payload":{"session_id":"sess1"}}')).toBe('204')
    const ended = await socket.frames.next(({ event }) => JSON.stringify(event).includes('turn.ended'))
    expect(ended).toMatchObject({ turn_id: started['turn_id'], event: { cause: 'completed' } })
  },
)
