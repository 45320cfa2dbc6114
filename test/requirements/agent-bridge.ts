import type { Seed } from './sources.ts'

/**
 * The promises of seed `agent-bridge-readme.md`, ids `A:…`. A section "X → Y" holds promises of X as
 * `design.md` decides them under Y. Left out: the firmware's own code, the original's folders, advice for
 * Windows paths.
 */
export const agentBridge = {
  'Agent Bridge': {
    'agents.claude': 'hooks posted for claude become events of the shared vocabulary',
    'agents.codex': 'hooks posted for codex become events of the shared vocabulary',
    'agents.cursor': 'hooks posted for cursor become events of the shared vocabulary',
    'agents.opencode': 'hooks posted for opencode become events of the shared vocabulary',
    'stream.one-type': 'whatever the agent, subscribers hear of it through one frame type, agent_event',
    'stream.no-derived-state': 'no event claims thinking, idle or blocked; events only say what happened',
    'stream.vocabulary': 'an event is told apart by its kind, and each kind has one checked shape',
  },
  'Agent Bridge → One word for each thing': {
    'agents.simulator':
      'simulator counts as an agent: its hooks are accepted, its events travel like any other',
  },
  Architecture: {
    'ingest.classified': 'subscribers receive parsed envelopes, never the vendor payload of the hook',
    'ingest.fan-out': 'every connected subscriber receives each event once, in the order of ingest',
    'plugin.hooks-only': 'the Claude Code plugin registers hooks and starts no server',
  },

  // The layout itself is not ours to repeat; what its comments promise is.
  'Repo layout': {
    'activity.kind': 'the tool name decides the activity kind through a table kept per agent',
    'activity.summary': 'an activity carries a short summary built from the tool input',
    'forwarder.claude': 'the claude forwarder turns a hook on stdin into one POST to /hooks/claude',
    'forwarder.codex': 'the codex forwarder turns a hook into one POST to /hooks/codex',
    'forwarder.cursor': 'the cursor forwarder turns a hook into one POST to /hooks/cursor',
    'forwarder.opencode': 'the opencode forwarder turns a plugin event into one POST to /hooks/opencode',
    'plugin.manifest': 'the Claude Code plugin has a manifest that Claude Code accepts',
    'plugin.hooks': 'the plugin hook file wires every Claude hook type the adapter understands',
    'plugin.marketplace': 'a marketplace file offers the plugin for installation',
    'examples.ws-client': 'a page in examples connects to the WebSocket with a token and shows the frames',
    'examples.hooks-settings':
      'a sample settings file in examples wires Claude Code hooks without the plugin',
  },

  'Run the bridge': {
    'run.build-and-start': 'install, build and one start command with variables set serve on the given port',
    'run.lan-bind': 'bound to 0.0.0.0 the bridge answers on an address other than loopback',
    'env-file.start': 'npm start reads the .env file',
    'env-file.dev': 'npm run dev reads the .env file',
    'env-file.shell-wins': 'an exported variable beats the same variable in the .env file',
    'env-file.example': 'an example env file names every variable of the bridge',
    'env-file.ignored': 'git ignores the filled-in .env file',
    'env.bridge-token': 'BRIDGE_TOKEN is the shared secret that opens HTTP and WebSocket',
    'env.bridge-port': 'BRIDGE_PORT sets the one port of HTTP and WebSocket; 8787 when unset',
    'env.bridge-host': 'BRIDGE_HOST sets the bind address; 127.0.0.1 when unset',
    'env.bridge-log-file':
      'BRIDGE_LOG_FILE receives a copy of every log line that stderr gets; none when unset',
    'env.bridge-database-url': 'BRIDGE_DATABASE_URL turns Firebase sync on; nothing is synced when unset',
    'env.bridge-agent-id': 'BRIDGE_AGENT_ID is the key under agents/ in the database',
    'env.agent-id-with-url': 'a database URL without an agent id is reported and syncs nothing',
    'env.bridge-url': 'forwarders post to BRIDGE_URL; http://127.0.0.1:8787 when unset',
    'env.bridge-hook-timeout-ms': 'BRIDGE_HOOK_TIMEOUT_MS bounds each POST of a forwarder; 500 when unset',
    'env.hook-never-blocks': 'a forwarder whose POST times out still ends cleanly, so the turn goes on',
  },
  'Run the bridge → Processes': {
    'run.token-required': 'the strict daemon exits with an error when it has no token, before it listens',
    'run.start-makes-token': 'npm start creates a token on first use and prints a link to the dashboard',
  },
  'Run the bridge → Home': {
    'env.precedence': 'flags beat the environment, the environment and its .env beat the file',
  },
  'Run the bridge → Requests and verdicts': {
    'verdict.hook-may-wait': 'the hook timeout bounds connecting, not the wait of a hook held for a verdict',
  },

  'Wire up your agent': {
    'hooks.body': 'a hook body is {hook_type, payload} with the payload as the agent made it',
    'wire.claude': 'following the Claude Code guide makes its hooks arrive',
    'wire.codex': 'following the Codex CLI guide makes its hooks arrive',
    'wire.cursor': 'following the Cursor guide (1.7 and later) makes its hooks arrive',
    'wire.opencode': 'following the OpenCode guide makes its events arrive',
  },

  'HTTP API': {
    'http.auth-required': 'every endpoint but /api/health answers 401 without a valid token',
    'http.auth-bearer': 'Authorization: Bearer with the token opens an endpoint',
    'http.auth-x-bridge-token': 'X-Bridge-Token with the token opens an endpoint',
    'http.health': 'GET /api/health says the bridge is alive and needs no token',
    'http.health-adapters': 'GET /api/health lists the registered agent adapters',
    'http.hooks': 'POST /hooks/:agent takes in one hook of the named agent',
    'http.messages-create': 'POST /api/messages broadcasts a message to WebSocket clients',
    'http.messages-not-delivered': 'a message posted to /api/messages is never handed to an agent',
    'http.messages-list': 'GET /api/messages/:chat_id returns the messages of that chat in order',
    'http.state': 'GET /api/state returns chats, pending permissions and uptime',
    'http.sessions': 'GET /api/sessions returns the ids of active sessions',
    'http.sessions-expire': 'a session leaves the list after ten minutes without a hook',
    'http.permissions-list': 'GET /api/permissions returns the requests still pending',
    'http.permissions-resolve': 'POST /api/permissions/:id resolves a pending request and broadcasts it',
    'http.firebase-data': 'GET /api/firebaseData returns the record of the agent from Firebase',
    'http.raw-capabilities': 'GET /api/raw/capabilities lists the raw control endpoints',
    'http.raw-verb': 'the verb controls under /api/raw reach every WebSocket client',
    'http.raw-emotion': 'the emotion controls under /api/raw reach every WebSocket client',
    'http.raw-config': 'the config controls under /api/raw reach every WebSocket client',
    'http.curl-recipes': 'the docs hold a curl recipe for every endpoint, and each one works',
  },

  'Note on permission verdicts': {
    'permissions.resolve-clears': 'a verdict removes the request from the pending list',
    'permissions.resolve-broadcasts': 'a verdict broadcasts permission_resolved',
  },
  'Note on permission verdicts → Requests and verdicts': {
    'permissions.prompt-stands':
      'where no hook is held, a verdict says it reached nobody; the terminal still asks',
    'verdict.reaches': 'where a permission hook is held, a verdict is returned to the agent through it',
  },

  'WebSocket API': {
    'ws.endpoint': 'the WebSocket is served at /ws on the HTTP port',
    'ws.token-query': 'the token is accepted in the query of the WebSocket address',
    'ws.bad-token': 'a wrong or missing token ends the connection with close code 4401',
    'ws.typed-frames': 'every server frame is a JSON object with a type',

    // Server to client.
    'ws.hello': 'hello comes first and carries client_id and server_version',
    'ws.active-sessions': 'active_sessions lists the session ids, on connect and whenever the list changes',
    'ws.agent-event': 'agent_event carries one classified envelope',
    'ws.inbound-message': 'inbound_message echoes each message posted to /api/messages',
    'ws.permission-request': 'permission_request mirrors a request that became pending',
    'ws.permission-request-event': 'a permission request also appears as an agent_event',
    'ws.permission-resolved': 'permission_resolved tells every client of a verdict',
    'ws.pong': 'pong answers ping, to the client that sent it',
    'ws.error': 'a malformed frame is answered with error, and the connection stays open',

    // Client to server.
    'ws.send-message': 'send_message with content, chat_id?, meta? enters the chat and is broadcast',
    'ws.permission-verdict': 'permission_verdict resolves the request it names',
    'ws.permission-verdict-values':
      'a permission_verdict with a behavior other than allow or deny is an error',
    'ws.set-servo-position': 'set_servo_position with position and duration_ms? is broadcast',
    'ws.set-servo-position-range': 'a servo position outside -90 to +90 is an error',
    'ws.set-color': 'setColor with a palette key and color {r, g, b} is broadcast',
    'ws.config-change': 'config_change with display_mode face or text is broadcast; another mode is an error',
    'ws.emit-agent-event': 'emit_agent_event puts an event into the stream as if an agent had reported it',
    'ws.emit-agent-event-ids': 'emit_agent_event keeps the agent, session_id and turn_id it is given',
    'ws.start-verb': 'startVerb with a verb is broadcast',
    'ws.clear-verb': 'clearVerb is broadcast',
    'ws.set-overlay': 'setOverlay with a verb and duration_ms? is broadcast',
    'ws.emotion-command': 'emotion.command with an action and params? is broadcast',
    'ws.request-sessions': 'request_sessions is answered with active_sessions',
    'ws.ping': 'ping is accepted without any other field',

    // The envelope.
    'envelope.agent': 'the envelope names the agent',
    'envelope.ts': 'the envelope carries the time as a number of milliseconds',
    'envelope.session-id': 'the envelope carries session_id when the hook had one, else no such key',
    'envelope.turn-id': 'the envelope carries turn_id when the hook had one, else no such key',
    'envelope.event': 'the envelope carries one event, a union told apart by kind',
  },
  'WebSocket API → The flow': {
    'ws.plain-client': 'a client that never subscribes receives the frames of the seed and no others',
  },

  'Smoke test': {
    'smoke.client-page': 'the example page connects with the token test and shows hello',
    'smoke.user-prompt': 'UserPromptSubmit yields turn.started, then message.user',
    'smoke.read': 'PreToolUse of Read yields activity.started with activity kind file.read',
    'smoke.stop': 'Stop yields turn.ended',
  },

  'Firebase sync (optional)': {
    'firebase.both-variables': 'sync runs only with both the database URL and the agent id',
    'firebase.path': 'everything is written below agents/<id>/ of the database',
    'firebase.last-awake': 'lastAwake holds the time the bridge started',
    'firebase.working': 'working is true from the start of a turn until its end',
    'firebase.last-message': 'lastMessage holds summary and blocks of the final reply of a turn',
    'firebase.pre-tool-use': 'preToolUse holds tool, kind and summary of the activity that started last',
    'firebase.post-tool-use': 'postToolUse holds tool, kind and summary of the activity that ended last',
    'firebase.permission-request': 'permissionRequest holds the pending request',
    'firebase.permission-request-null': 'permissionRequest becomes null when the request is resolved',
    'firebase.proxy':
      'a LAN client reads the record over plain HTTP from the bridge, without touching Firebase TLS',
  },

  'ESP32 firmware': {
    'control.pass-through': 'a control frame reaches the other clients as sent; the bridge maps no behaviour',
  },

  Security: {
    'security.loopback-default': 'with nothing configured only loopback can connect',
    'security.reverse-proxy': 'HTTP and WebSocket work behind a proxy that ends TLS under a configured name',
  },
  'Security → Access': {
    'security.wide-bind-needs-token': 'a bind beyond loopback is refused without a token',
    'security.token-rotation': 'tokens are rotated without a restart; the old one stops working at once',
  },

  Troubleshooting: {
    'trouble.log-shows-hooks': 'the log file shows each hook POST that arrived',
    'trouble.forwarder-stderr': 'a forwarder that could not deliver says so on stderr',
    'trouble.marketplace-source': 'the marketplace names the plugin by a relative path that begins with ./',
  },

  'Further reading': {
    'docs.index': 'the docs have an index from which every page is reached',
    'docs.pipeline': 'a page describes the way of a hook from the agent to a consumer',
    'docs.events': 'the page of the event vocabulary lists exactly the kinds the code knows',
    'docs.control': 'a page describes every control frame',
  },
} as const satisfies Seed<'agent-bridge-readme.md'>
