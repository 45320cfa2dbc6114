import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame, type Frame } from '../fixtures/frames.ts'
import type { TestSocket } from '../fixtures/socket.ts'
import { verifies } from '../requirements.ts'

/** `/api/raw/*` of seed agent-bridge-readme: what each body becomes on every WebSocket, and every refusal. */
let bridge: TestDaemon
let sockets: TestSocket[]
beforeAll(async () => {
  bridge = await openTestDaemon()
  sockets = [await bridge.ws(), await bridge.ws()]
})
afterAll(() => bridge.close())

const post = (path: string, body: unknown) =>
  bridge.call(`/api/raw/${path}`, { method: 'POST', ...(body !== undefined && { body }) })

/** Posts, and returns the frame that every socket received. */
async function broadcast(path: string, body: unknown): Promise<Frame> {
  const before = sockets.map(({ frames }) => frames.all.length)
  const answer = await post(path, body)
  expect([answer.status, answer.text]).toEqual([200, '{"ok":true}'])
  for (const socket of sockets) await bridge.settle(socket)
  const received = sockets.map(({ frames }, index) => frames.all.slice(before[index]))
  expect(received[0]).toHaveLength(1)
  expect(received[1]).toEqual(received[0])
  return received[0]?.[0] ?? {}
}

const emotion = (action: string, params?: Frame) => ({
  type: 'emotion.command',
  action,
  ...(params && { params }),
})
const servo = (angle: number, durationMs: number) => ({
  type: 'set_servo_position',
  position: angle,
  angle,
  duration_ms: durationMs,
})

const verbs: [string, unknown, Frame][] = [
  ['verb/start', { verb: 'thinking' }, { type: 'startVerb', verb: 'thinking' }],
  ['verb/start', { verb: 'nobody-knows-it' }, { type: 'startVerb', verb: 'nobody-knows-it' }],
  ['verb/clear', {}, { type: 'clearVerb' }],
  ['verb/clear', undefined, { type: 'clearVerb' }],
  ['verb/overlay', { verb: 'waking' }, { type: 'setOverlay', verb: 'waking' }],
  [
    'verb/overlay',
    { verb: 'waking', duration_ms: 1000 },
    { type: 'setOverlay', verb: 'waking', duration_ms: 1000 },
  ],
  ['verb/overlay', { verb: 'w', duration_ms: 9e9 }, { type: 'setOverlay', verb: 'w', duration_ms: 120_000 }],
  ['verb/overlay', { verb: 'w', duration_ms: -1 }, { type: 'setOverlay', verb: 'w' }],
]
const emotions: [string, unknown, Frame][] = [
  ['emotion.command', { action: 'anything' }, emotion('anything')],
  ['emotion.command', { action: 'setValence', params: { value: 1 } }, emotion('setValence', { value: 1 })],
  ['emotion/modify-valence', { delta_v: 0.2 }, emotion('modifyValence', { delta_v: 0.2 })],
  ['emotion/modify-valence', { delta: -1 }, emotion('modifyValence', { delta_v: -1 })],
  ['emotion/modify-arousal', { delta_a: 0.2 }, emotion('modifyArousal', { delta_a: 0.2 })],
  ['emotion/modify-arousal', { delta: 0 }, emotion('modifyArousal', { delta_a: 0 })],
  ['emotion/set-valence', { v: 0.4 }, emotion('setValence', { v: 0.4 })],
  ['emotion/set-valence', { value: 0.4 }, emotion('setValence', { v: 0.4 })],
  ['emotion/set-arousal', { a: 0.4 }, emotion('setArousal', { a: 0.4 })],
  ['emotion/set-arousal', { value: 0.4 }, emotion('setArousal', { a: 0.4 })],
  [
    'emotion/held-target',
    { driver_id: 255, target_v: -0.6 },
    emotion('setHeldValenceTarget', { driver_id: 255, target_v: -0.6 }),
  ],
  ['emotion/release-held', { driver_id: 0 }, emotion('releaseHeldValenceTarget', { driver_id: 0 })],
]
const configs: [string, unknown, Frame][] = [
  ['config/display-mode', { display_mode: 'face' }, { type: 'config_change', display_mode: 'face' }],
  ['config/display-mode', { display_mode: 'text' }, { type: 'config_change', display_mode: 'text' }],
  ['config/set-color', { color: 3, r: 1, g: 2, b: 3 }, { type: 'setColor', color: 3, r: 1, g: 2, b: 3 }],
  [
    'config/set-color',
    { color: 0, r: -5, g: 300, b: 2.6 },
    { type: 'setColor', color: 0, r: 0, g: 255, b: 3 },
  ],
]
const others: [string, unknown, Frame][] = [
  ['servo/hold', { angle: 30 }, servo(30, 1_000)],
  ['servo/hold', { angle: -90, duration_ms: 250 }, servo(-90, 250)],
  ['servo/hold', { angle: 90, duration_ms: 9e9 }, servo(90, 60_000)],
  ['broadcast', { type: 'mine', list: [1, { a: null }] }, { type: 'mine', list: [1, { a: null }] }],
  ['broadcast', { no: 'type' }, { no: 'type' }],
  ['broadcast', {}, {}],
]

describe('raw controls reach every WebSocket client', () => {
  test.each(verbs)('%s %j' + verifies('A:http.raw-verb'), async (path, body, frame) => {
    expect(await broadcast(path, body)).toEqual(frame)
  })
  test.each(emotions)('%s %j' + verifies('A:http.raw-emotion'), async (path, body, frame) => {
    expect(await broadcast(path, body)).toEqual(frame)
  })
  test.each(configs)('%s %j' + verifies('A:http.raw-config'), async (path, body, frame) => {
    expect(await broadcast(path, body)).toEqual(frame)
  })
  test.each(others)('%s %j' + verifies('A:control.pass-through'), async (path, body, frame) => {
    expect(await broadcast(path, body)).toEqual(frame)
  })
})

describe('what does not fit is refused and broadcast to nobody', () => {
  const numbers = [undefined, null, '1', true, {}]
  const refusals: [string, string, unknown[]][] = [
    ['broadcast', 'body_must_be_a_json_object', [[1], 5, 'text', null].map((body) => JSON.stringify(body))],
    ['broadcast', 'invalid_json', ['{', 'plain text']],
    ['verb/start', 'verb_required_string', [{}, { verb: '' }, { verb: 5 }, { verb: null }]],
    ['verb/overlay', 'verb_required_string', [{}, { verb: [] }, { duration_ms: 5 }]],
    ['emotion.command', 'action_required_string', [{}, { action: '' }, { action: 5 }, { params: {} }]],
    [
      'emotion.command',
      'params_must_be_object',
      [[], 'x', 5, null].map((params) => ({ action: 'a', params })),
    ],
    ['emotion/modify-valence', 'delta_v_or_delta_required_number', numbers.map((delta) => ({ delta }))],
    ['emotion/modify-arousal', 'delta_a_or_delta_required_number', numbers.map((delta) => ({ delta }))],
    ['emotion/set-valence', 'v_or_value_required_number', numbers.map((v) => ({ v }))],
    ['emotion/set-arousal', 'a_or_value_required_number', numbers.map((a) => ({ a }))],
    [
      'emotion/held-target',
      'driver_id_and_target_v_required_numbers',
      [
        {},
        { driver_id: 1 },
        { target_v: 1 },
        { driver_id: 256, target_v: 1 },
        { driver_id: -1, target_v: 1 },
      ],
    ],
    ['emotion/release-held', 'driver_id_required_number', [{}, { driver_id: '1' }, { driver_id: 256 }]],
    [
      'config/display-mode',
      'display_mode_must_be_face_or_text',
      [{}, { display_mode: 'debug' }, { display_mode: 5 }],
    ],
    [
      'config/set-color',
      'color_r_g_b_required',
      [{}, { color: 0, r: 1, g: 1 }, { color: -1, r: 1, g: 1, b: 1 }, { color: '0', r: 1, g: 1, b: 1 }],
    ],
    ['servo/hold', 'angle_required_number_-90_to_90', [{}, { angle: 91 }, { angle: -90.5 }, { angle: '0' }]],
  ]
  test.each(refusals)('%s: %s', async (path, code, bodies) => {
    const [socket] = sockets
    const before = socket?.frames.all.length
    for (const body of bodies) {
      const answer = await post(path, body)
      expect([body, answer.status, asFrame(answer.json)['error']]).toEqual([body, 400, code])
    }
    if (socket) await bridge.settle(socket)
    expect(socket?.frames.all.length).toBe(before)
  })
})

test(
  'GET /api/raw/capabilities lists every control, and its examples work as they stand' +
    verifies('A:http.raw-capabilities'),
  async () => {
    const answer = await bridge.call('/api/raw/capabilities')
    const { description, broadcast: path, endpoints, examples_verbatim: examples } = asFrame(answer.json)
    expect([typeof description, path]).toEqual(['string', '/api/raw/broadcast'])
    const listed = Array.isArray(endpoints) ? endpoints.map(asFrame) : []
    const routed = [...verbs, ...emotions, ...configs, ...others].map(([route]) => `/api/raw/${route}`)
    expect(new Set(listed.map((endpoint) => endpoint['path']))).toEqual(new Set(routed))
    expect(Array.isArray(examples) ? examples.length : 0).toBe(listed.length)
    for (const example of Array.isArray(examples) ? examples.map(asFrame) : []) {
      const sent = await bridge.call(String(example['path']), { method: 'POST', body: example['body'] })
      expect([example['path'], sent.status]).toEqual([example['path'], 200])
    }
  },
)
