/** What one code means on every surface. `message` may name fields of the error's data as `{field}`. */
export interface ErrorDefinition {
  /** HTTP status where the error crosses HTTP. */
  readonly status: number
  /** Exit code of a command that fails with it: 1 failure, 2 usage, 78 configuration. */
  readonly exit: number
  readonly message: string
}

/**
 * Every code the bridge answers with. `docs/errors.md` is generated from this table and CI holds the two equal.
 * The codes of the compatible routes are seed A's (`agent-bridge-readme.md`, "HTTP API", "WebSocket API").
 */
export const errorTable = {
  // Access
  unauthorized: {
    status: 401,
    exit: 1,
    message: 'The token is missing, unknown, expired or revoked. Send it as "Authorization: Bearer <token>".',
  },
  forbidden: { status: 403, exit: 1, message: 'This token lacks the scope "{scope}".' },
  host_not_allowed: {
    status: 403,
    exit: 1,
    message:
      'The Host header "{host}" is not a name of this bridge. Add it to "allowed_hosts" in bridged.yaml.',
  },
  origin_not_allowed: {
    status: 403,
    exit: 1,
    message: 'The Origin "{origin}" may not use this bridge. Add it to "allowed_origins" in bridged.yaml.',
  },
  ticket_invalid: {
    status: 401,
    exit: 1,
    message: 'This one-time link was used or has expired. Run "bridge status --link" for a new one.',
  },
  // Requests
  not_found: { status: 404, exit: 1, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, exit: 1, message: 'This address does not take {method}.' },
  invalid_json: { status: 400, exit: 1, message: 'The body is not valid JSON.' },
  invalid_params: { status: 400, exit: 2, message: '{field}: {problem}' },
  body_too_large: { status: 413, exit: 1, message: 'The body is larger than {maxBytes} bytes.' },
  body_too_deep: { status: 400, exit: 1, message: 'The body is nested deeper than {maxDepth} levels.' },
  unsupported_media_type: {
    status: 415,
    exit: 1,
    message: 'Send JSON with "Content-Type: application/json".',
  },
  rate_limited: {
    status: 429,
    exit: 1,
    message: 'Too many requests from this source. Try again in {retryAfterSeconds} s.',
  },
  unknown_method: { status: 404, exit: 1, message: 'There is no operation named "{method}".' },
  line_too_long: { status: 413, exit: 1, message: 'A line is longer than {maxBytes} bytes.' },
  timeout: { status: 504, exit: 1, message: '{what} did not finish within {timeoutMs} ms.' },
  unavailable: { status: 503, exit: 1, message: '{what} is not available right now.' },
  internal_error: {
    status: 500,
    exit: 1,
    message: 'Something went wrong inside the bridge. Its log has the details under the id {id}.',
  },
  // Things with ids
  contact_not_found: {
    status: 404,
    exit: 1,
    message: 'No contact has the id or name "{contact}". "bridge status" lists them.',
  },
  token_not_found: { status: 404, exit: 1, message: 'There is no token with the id "{token}".' },
  // Seed A: hooks, messages, permissions
  hook_type_required: {
    status: 400,
    exit: 1,
    message: 'The body needs "hook_type" (or the agent\'s own "hook_event_name").',
  },
  events_required: { status: 400, exit: 1, message: 'The body needs "events", a list of classified events.' },
  content_required: { status: 400, exit: 1, message: 'The body needs "content", a text that is not empty.' },
  behavior_must_be_allow_or_deny: { status: 400, exit: 1, message: '"behavior" must be "allow" or "deny".' },
  firebase_not_configured: {
    status: 503,
    exit: 1,
    message: 'Set BRIDGE_DATABASE_URL and BRIDGE_AGENT_ID to use Firebase.',
  },
  upstream_error: { status: 502, exit: 1, message: 'Firebase did not answer as expected.' },
  // Seed A: raw controls
  body_must_be_a_json_object: { status: 400, exit: 1, message: 'The body must be a JSON object.' },
  verb_required_string: { status: 400, exit: 1, message: 'The body needs "verb", a text.' },
  action_required_string: { status: 400, exit: 1, message: 'The body needs "action", a text.' },
  params_must_be_object: { status: 400, exit: 1, message: '"params" must be an object.' },
  delta_v_or_delta_required_number: {
    status: 400,
    exit: 1,
    message: 'The body needs "delta_v" (or "delta"), a number.',
  },
  delta_a_or_delta_required_number: {
    status: 400,
    exit: 1,
    message: 'The body needs "delta_a" (or "delta"), a number.',
  },
  v_or_value_required_number: { status: 400, exit: 1, message: 'The body needs "v" (or "value"), a number.' },
  a_or_value_required_number: { status: 400, exit: 1, message: 'The body needs "a" (or "value"), a number.' },
  driver_id_and_target_v_required_numbers: {
    status: 400,
    exit: 1,
    message: 'The body needs "driver_id" (0 to 255) and "target_v", both numbers.',
  },
  driver_id_required_number: {
    status: 400,
    exit: 1,
    message: 'The body needs "driver_id" (0 to 255), a number.',
  },
  display_mode_must_be_face_or_text: {
    status: 400,
    exit: 1,
    message: '"display_mode" must be "face" or "text".',
  },
  color_r_g_b_required: {
    status: 400,
    exit: 1,
    message: 'The body needs "color" (0 or more), "r", "g" and "b", all numbers.',
  },
  'angle_required_number_-90_to_90': {
    status: 400,
    exit: 1,
    message: 'The body needs "angle", a number from -90 to 90.',
  },
  // Seed A: WebSocket frames
  missing_type: { status: 400, exit: 1, message: 'A frame needs "type", a text.' },
  unknown_type: { status: 400, exit: 1, message: 'There is no frame of type "{type}".' },
  invalid_verdict: {
    status: 400,
    exit: 1,
    message: 'A verdict needs "request_id" and "behavior", "allow" or "deny".',
  },
  invalid_servo_position: { status: 400, exit: 1, message: '"position" must be a number from -90 to 90.' },
  invalid_config_change: {
    status: 400,
    exit: 1,
    message:
      'A config change needs "display_mode" (face, text or debug) or "motors_disabled" (true or false).',
  },
  invalid_set_color: {
    status: 400,
    exit: 1,
    message: 'A color needs "key" and "color" with "r", "g" and "b".',
  },
  invalid_emit_agent_event: {
    status: 400,
    exit: 1,
    message: '"event" must be one of the agent events in docs/events.md.',
  },
  invalid_verb: { status: 400, exit: 1, message: 'This frame needs "verb", a text.' },
  invalid_emotion_command: {
    status: 400,
    exit: 1,
    message: 'This frame needs "action", a text, and "params", if any, an object.',
  },
  invalid_subscribe: { status: 400, exit: 1, message: '{field}: {problem}' },
  // Starting and the home
  config_invalid: { status: 500, exit: 78, message: '{source}: {field}: {problem}' },
  token_required: {
    status: 500,
    exit: 78,
    message: 'No token is set. Set BRIDGE_TOKEN, or run "bridge up", which creates one.',
  },
  wide_bind_needs_token: {
    status: 500,
    exit: 78,
    message:
      'Binding to {host} opens the bridge to the network and needs a token of at least {minLength} characters in BRIDGE_TOKEN or the token file.',
  },
  port_in_use: {
    status: 500,
    exit: 1,
    message: 'Port {port} on {host} is taken by another program. Choose one with --port or BRIDGE_PORT.',
  },
  already_running: {
    status: 409,
    exit: 1,
    message: 'A bridge already runs on {home} (process {pid}). Stop it with "bridge down".',
  },
  not_running: { status: 503, exit: 1, message: 'No bridge runs on {home}. Start it with "bridge up".' },
  home_not_private: {
    status: 500,
    exit: 78,
    message: '{path} can be read by other users. Run: chmod 700 {path}',
  },
  home_unusable: { status: 500, exit: 78, message: '{path} cannot be used: {problem}' },
  store_newer: {
    status: 500,
    exit: 78,
    message:
      '{path} was written by a newer version (schema {found}, this one knows {known}). Upgrade the bridge, or move the file away.',
  },
  disk_full: {
    status: 507,
    exit: 1,
    message: 'The disk is full: nothing was stored. Free some space; the bridge goes on by itself.',
  },
  node_too_old: { status: 500, exit: 78, message: 'Node {version} is too old; 24.18 or newer is needed.' },
  // Wiring
  settings_unparseable: {
    status: 500,
    exit: 1,
    message:
      '{path}:{line}:{column} cannot be parsed ({problem}). Nothing was changed; mend it and run the command again.',
  },
  settings_unwritable: {
    status: 500,
    exit: 1,
    message: '{path} cannot be written: {problem}. Nothing was changed.',
  },
  settings_busy: {
    status: 500,
    exit: 1,
    message: '{path} kept changing while it was edited. Nothing was changed; run the command again.',
  },
  agent_unknown: { status: 404, exit: 2, message: 'There is no agent named "{agent}". Known: {known}.' },
  audit_broken: {
    status: 500,
    exit: 1,
    message: '{path}:{line}: the chain of the audit breaks here: {problem}',
  },
  usage: { status: 400, exit: 2, message: '{problem}' },
} as const satisfies Record<string, ErrorDefinition>

/** One of the codes in {@link errorTable}. */
export type ErrorCode = keyof typeof errorTable

/**
 * The one error class. Code throws it where the fact is known; each edge (REST, WebSocket, control socket,
 * command line) translates it once. Anything else that is thrown is a bug.
 */
export class BridgeError extends Error {
  readonly code: ErrorCode
  /** What the message names, and what a program may want to read. Never secrets. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, data: Record<string, unknown> = {}, options?: { cause?: unknown }) {
    super(fill(errorTable[code].message, data), options)
    this.name = 'BridgeError'
    this.code = code
    this.data = data
  }

  get status(): number {
    return errorTable[this.code].status
  }

  get exit(): number {
    return errorTable[this.code].exit
  }
}

function fill(template: string, data: Record<string, unknown>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in data ? String(data[name]) : whole))
}
