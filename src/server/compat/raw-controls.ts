import type { ErrorCode } from '../../core/errors.ts'
import { isRecord } from '../../core/record.ts'
import type { RouteName } from '../../protocol/index.ts'
import { overlayMs, servoHold } from './control-frames.ts'

type Body = Readonly<Record<string, unknown>>

/** One raw control: what it takes, what it broadcasts, and an example for `GET /api/raw/capabilities`. */
export interface RawControl {
  readonly route: RouteName
  readonly example: Body
  /** The code when {@link frameOf} finds nothing to broadcast. */
  readonly invalid: ErrorCode
  /** The frame to broadcast; undefined when the body lacks what it needs. A code names a more exact reason. */
  readonly frameOf: (body: Body) => Body | ErrorCode | undefined
}

/** All raw controls of seed agent-bridge-readme (`POST /api/raw/*`). */
export const rawControls: readonly RawControl[] = [
  {
    route: 'rawBroadcast',
    example: { type: 'custom', hello: 'world' },
    invalid: 'body_must_be_a_json_object',
    frameOf: (body) => body,
  },
  {
    route: 'rawVerbStart',
    example: { verb: 'thinking' },
    invalid: 'verb_required_string',
    frameOf: ({ verb }) => (isText(verb) ? { type: 'startVerb', verb } : undefined),
  },
  {
    route: 'rawVerbClear',
    example: {},
    invalid: 'verb_required_string',
    frameOf: () => ({ type: 'clearVerb' }),
  },
  {
    route: 'rawVerbOverlay',
    example: { verb: 'waking', duration_ms: 1000 },
    invalid: 'verb_required_string',
    frameOf: ({ verb, duration_ms: durationMs }) =>
      isText(verb)
        ? {
            type: 'setOverlay',
            verb,
            ...overlayMs(isNumber(durationMs) && durationMs >= 0 ? durationMs : undefined),
          }
        : undefined,
  },
  {
    route: 'rawEmotionCommand',
    example: { action: 'setValence', params: { value: 0.5 } },
    invalid: 'action_required_string',
    frameOf: ({ action, params }) => {
      if (!isText(action)) return undefined
      if (params === undefined) return emotion(action)
      return isRecord(params) ? { type: 'emotion.command', action, params } : 'params_must_be_object'
    },
  },
  {
    route: 'rawModifyValence',
    example: { delta_v: 0.2 },
    invalid: 'delta_v_or_delta_required_number',
    frameOf: (body) => step(body, 'delta_v', 'modifyValence'),
  },
  {
    route: 'rawModifyArousal',
    example: { delta_a: 0.2 },
    invalid: 'delta_a_or_delta_required_number',
    frameOf: (body) => step(body, 'delta_a', 'modifyArousal'),
  },
  {
    route: 'rawSetValence',
    example: { v: 0.4 },
    invalid: 'v_or_value_required_number',
    frameOf: (body) => level(body, 'v', 'setValence'),
  },
  {
    route: 'rawSetArousal',
    example: { a: 0.4 },
    invalid: 'a_or_value_required_number',
    frameOf: (body) => level(body, 'a', 'setArousal'),
  },
  {
    route: 'rawHeldTarget',
    example: { driver_id: 1, target_v: -0.6 },
    invalid: 'driver_id_and_target_v_required_numbers',
    frameOf: ({ driver_id: driver, target_v: target }) =>
      isDriver(driver) && isNumber(target)
        ? emotion('setHeldValenceTarget', { driver_id: driver, target_v: target })
        : undefined,
  },
  {
    route: 'rawReleaseHeld',
    example: { driver_id: 1 },
    invalid: 'driver_id_required_number',
    frameOf: ({ driver_id: driver }) =>
      isDriver(driver) ? emotion('releaseHeldValenceTarget', { driver_id: driver }) : undefined,
  },
  {
    route: 'rawDisplayMode',
    example: { display_mode: 'face' },
    invalid: 'display_mode_must_be_face_or_text',
    frameOf: ({ display_mode: mode }) =>
      mode === 'face' || mode === 'text' ? { type: 'config_change', display_mode: mode } : undefined,
  },
  {
    route: 'rawSetColor',
    example: { color: 0, r: 255, g: 128, b: 0 },
    invalid: 'color_r_g_b_required',
    frameOf: ({ color, r, g, b }) =>
      isNumber(color) && color >= 0 && isNumber(r) && isNumber(g) && isNumber(b)
        ? { type: 'setColor', color: Math.floor(color), r: toByte(r), g: toByte(g), b: toByte(b) }
        : undefined,
  },
  {
    route: 'rawServoHold',
    example: { angle: 30, duration_ms: 1000 },
    invalid: 'angle_required_number_-90_to_90',
    frameOf: ({ angle, duration_ms: durationMs }) =>
      isNumber(angle) && angle >= -90 && angle <= 90
        ? servoHold(angle, isNumber(durationMs) && durationMs >= 0 ? durationMs : undefined, 'angle')
        : undefined,
  },
]

function emotion(action: string, params?: Body): Body {
  return { type: 'emotion.command', action, ...(params && { params }) }
}

function step(body: Body, name: 'delta_v' | 'delta_a', action: string): Body | undefined {
  const delta = body[name] ?? body['delta']
  return isNumber(delta) ? emotion(action, { [name]: delta }) : undefined
}

function level(body: Body, name: 'v' | 'a', action: string): Body | undefined {
  const value = body[name] ?? body['value']
  return isNumber(value) ? emotion(action, { [name]: value }) : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isDriver(value: unknown): value is number {
  return isNumber(value) && value >= 0 && value <= 255
}

function toByte(value: number): number {
  return Math.round(Math.min(255, Math.max(0, value)))
}
