/** Raw controls as all clients receive them; the same by HTTP and WebSocket (surfaces, "REST", `/api/raw/*`). */

/** Longest times a control may ask for (seed agent-bridge-readme's original). */
const maxServoMs = 60_000
const maxOverlayMs = 120_000
const defaultServoMs = { position: 5_000, angle: 1_000 }

/**
 * Holds the servo. The frame carries both names of the angle, since clients read either.
 *
 * @param given the name it came under; the default time differs by it
 */
export function servoHold(degrees: number, durationMs: number | undefined, given: 'position' | 'angle') {
  const position = Math.round(degrees)
  return {
    type: 'set_servo_position',
    position,
    angle: position,
    duration_ms: Math.min(durationMs ?? defaultServoMs[given], maxServoMs),
  }
}

/** The time of an overlay, bounded; none means until it is replaced. */
export function overlayMs(durationMs: number | undefined): { duration_ms?: number } {
  return durationMs === undefined ? {} : { duration_ms: Math.min(durationMs, maxOverlayMs) }
}
