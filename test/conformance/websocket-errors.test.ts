import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import type { TestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

/** What a client sends that is nothing: it is told so, and nobody else notices. */
let bridge: TestDaemon
beforeAll(async () => {
  bridge = await openTestDaemon()
})
afterAll(() => bridge.close())

describe('malformed frames are answered with their code, and the socket stays open', () => {
  let socket: TestSocket
  beforeAll(async () => {
    socket = await bridge.ws()
  })

  const cases: [unknown, string][] = [
    ['{', 'invalid_json'],
    ['', 'invalid_json'],
    ['ping', 'invalid_json'],
    [[], 'missing_type'],
    [null, 'missing_type'],
    [5, 'missing_type'],
    ['"ping"', 'missing_type'],
    [{}, 'missing_type'],
    [{ type: 5 }, 'missing_type'],
    [{ type: '' }, 'missing_type'],
    [{ type: 'toString' }, 'unknown_type:toString'],
    [{ type: '__proto__' }, 'unknown_type:__proto__'],
    [{ type: 'sendMessage' }, 'unknown_type:sendMessage'],
    [{ type: 'send_message' }, 'content_required'],
    [{ type: 'send_message', content: '' }, 'content_required'],
    [{ type: 'send_message', content: 5 }, 'content_required'],
    [{ type: 'permission_verdict' }, 'invalid_verdict'],
    [{ type: 'permission_verdict', request_id: 'x' }, 'invalid_verdict'],
    [{ type: 'permission_verdict', request_id: 'x', behavior: 'maybe' }, 'invalid_verdict'],
    [{ type: 'permission_verdict', behavior: 'allow' }, 'invalid_verdict'],
    [{ type: 'set_servo_position' }, 'invalid_servo_position'],
    [{ type: 'set_servo_position', position: 90.5 }, 'invalid_servo_position'],
    [{ type: 'set_servo_position', position: -91 }, 'invalid_servo_position'],
    [{ type: 'set_servo_position', position: '5' }, 'invalid_servo_position'],
    [{ type: 'set_servo_position', angle: 5 }, 'invalid_servo_position'],
    [{ type: 'setColor' }, 'invalid_set_color'],
    [{ type: 'setColor', key: 'x', color: { r: 1, g: 2 } }, 'invalid_set_color'],
    [{ type: 'setColor', key: 'x', color: { r: 1, g: 2, b: 256 } }, 'invalid_set_color'],
    [{ type: 'setColor', color: { r: 1, g: 2, b: 3 } }, 'invalid_set_color'],
    [{ type: 'config_change' }, 'invalid_config_change'],
    [{ type: 'config_change', display_mode: 'movie' }, 'invalid_config_change'],
    [{ type: 'config_change', motors_disabled: 'yes' }, 'invalid_config_change'],
    [{ type: 'emit_agent_event' }, 'invalid_emit_agent_event'],
    [{ type: 'emit_agent_event', event: { kind: 'agent.thinking' } }, 'invalid_emit_agent_event'],
    [{ type: 'emit_agent_event', event: { kind: 'message.user' } }, 'invalid_emit_agent_event'],
    [{ type: 'startVerb' }, 'invalid_verb'],
    [{ type: 'startVerb', verb: '' }, 'invalid_verb'],
    [{ type: 'setOverlay', duration_ms: 5 }, 'invalid_verb'],
    [{ type: 'setOverlay', verb: 'x', duration_ms: -5 }, 'invalid_verb'],
    [{ type: 'emotion.command' }, 'invalid_emotion_command'],
    [{ type: 'emotion.command', action: 'a', params: [] }, 'invalid_emotion_command'],
    [{ type: 'subscribe', after: {} }, 'invalid_subscribe'],
    [{ type: 'subscribe', kinds: 'turn.ended' }, 'invalid_subscribe'],
    [`{"type":"send_message","content":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'body_too_deep'],
  ]
  test.each(cases)(
    '%j' + verifies('A:ws.error', 'A:ws.set-servo-position-range', 'A:ws.permission-verdict-values'),
    async (frame, code) => {
      const own = await bridge.received(socket, () =>
        socket.raw.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
      )
      expect(own).toEqual([{ type: 'error', message: code, detail: expect.any(String) }])
    },
  )

  test('a binary frame is no JSON, and an endless type comes back short', async () => {
    const [binary] = await bridge.received(socket, () => socket.raw.send(Buffer.from([1, 2, 3])))
    expect(binary).toMatchObject({ type: 'error', message: 'invalid_json' })
    const [endless] = await bridge.received(socket, () => socket.send({ type: 'x'.repeat(100_000) }))
    expect(JSON.stringify(endless).length).toBeLessThan(500)
  })

  test('text that is no UTF-8 ends that socket alone, with the code of the protocol', async () => {
    const broken = await bridge.ws()
    broken.raw.send(Buffer.from([0xff, 0xfe, 0x00]), { binary: false })
    expect((await broken.closed).code).toBe(1007)
    await bridge.received(socket, () => {})
  })

  test('a frame beyond a megabyte ends that socket alone', async () => {
    const large = await bridge.ws()
    large.raw.send('x'.repeat(1_000_001))
    expect((await large.closed).code).toBe(1009)
    await bridge.received(socket, () => {})
  })
})
