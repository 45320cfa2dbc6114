import type { Seed } from './sources.ts'

/**
 * The promises of seed `bridged-wiki-diff.md`, ids `D:…` (blocking delegation). The seed is a diff of wiki
 * pages: a section is page and heading. "X → Y" holds promises of X as `design.md` decides them under Y.
 */
export const delegation = {
  Home: {
    'worker.model-by-environment': 'each worker has the model its own launch environment names',
    'worker.real-agent':
      'a worker is the ordinary agent and keeps its own instructions, hooks, skills and MCP',
    'primary.one-request': 'a primary gets a reply with one blocking request from curl or an MCP tool',
    'api.http-and-sse': 'messages go over HTTP, events over SSE',
  },

  'Approaches: comparison': {
    'transport.herdr': 'a message reaches a running agent in a herdr pane',
    'transport.agentapi': 'a message reaches a running agent behind AgentAPI',
    'transport.tmux': 'a message reaches a running agent in a tmux pane',
    'transport.stop-hook': 'a message reaches an agent that fetches its inbox from a Stop hook',
    'transport.same-session': 'a message goes into the running session; no process is started for a turn',
    'transport.single-host': 'on one host a message can be typed to the primary as well as to a worker',
    'transport.split-host':
      'a primary on another host gets messages through the broker and its own Stop hook',
    'transport.status-events':
      'working, blocked and done come as events of the agent, not from a still screen',
    'transport.timing-and-content': 'the status says when a turn ended, the envelope says what the reply is',
  },

  'Architecture: subscription boundary': {
    'guard.no-quota': 'the daemon calls no model and has no account',
    'guard.worker-needs-url': 'a worker without a base URL off the subscription is refused before it starts',
    'guard.primary-never': 'a primary is never given a base URL',
    'guard.primary-typing': 'typing into a local primary changes nothing about its endpoint',
  },

  'Architecture: channel 1': {
    'sync.blocks': 'POST message holds its answer until the turn of the worker is done',
    'sync.reply-in-body': 'the reply is the body of that answer',
    'sync.gated': 'nothing is typed before the worker is ready for input',
    'sync.in-flight-working': 'while the call waits, observers see the worker working',
    'sync.sse-optional': 'the caller needs no event stream to get its reply',
    'sync.blocked': 'a worker that asks something ends the call with blocked and the question',
    'sync.async-for-long': 'a task can be sent without waiting; its reply comes later',
  },
  'Architecture: channel 1 → Blocking delegation': {
    'sync.answer': 'a new call with answers answers the question through requests and waits again',
    'sync.answer-not-typed': 'no key of an answer goes to the dialog',
    'sync.plain-text-to-blocked':
      'plain text to a blocked worker returns blocked; it is queued only when asked',
    'sync.outcomes':
      'the outcome is done, blocked, failed, interrupted or indeterminate, with turn_id and source',
    'sync.not-deliverable': 'a message that cannot be delivered is answered 409 with the reason',
    'sync.idempotent': 'the same idempotency key joins the same wait again, also after a crash',
    'sync.idempotency-conflict': 'the same key with other content is answered 409',
    'sync.reads-free': 'no read waits behind a message that blocks',
  },

  'Architecture: channel 2': {
    'async.long-poll': 'a Stop hook waits on the inbox for a bounded time',
    'async.block-reason': 'a message found there continues the turn, with the message as the reason',
    'async.timeout-idle': 'with no message in time the hook ends and the session is idle',
    'async.both-ways': 'the same hook serves the inbox of a worker and of a primary',
    'async.single-host-inject': 'on one host a reply can be typed into the idle pane of the primary',
  },

  'Architecture: guardrails': {
    'async.no-perpetual-poll': 'an idle primary is not kept busy by polling',
    'async.budget': 'an exchange between agents ends when its round budget is used up',
    'async.crash-redelivers': 'a message taken by an agent that crashes before the ack is delivered again',
  },
  'Architecture: guardrails → Loops': {
    'async.chain':
      'messages carry chain and hop count; over budget they are held back and a person hears of it',
  },

  'Architecture: deployment': {
    'deploy.local-socket': 'the herdr socket is used on its own host only',
    'deploy.network': 'only HTTP and the broker cross the network',
  },

  'Architecture: failure modes': {
    'failure.daemon': 'a restarted daemon finds its agents running and attaches to them again',
    'failure.async-independent': 'messages in a shared broker survive an outage of the daemon',
    'failure.herdr': 'after a crash of herdr workers start again from their saved task and state',
    'failure.broker': 'without the broker local delegation still works',
    'failure.broker-redelivers': 'when the broker is back, what was not acknowledged is delivered',
    'failure.model': 'a worker whose model endpoint is dead ends the call with an error in time',
    'failure.primary': 'with every part of the bridge down a primary agent works as without it',
  },
  'Architecture: failure modes → Processes': {
    'failure.in-flight': 'a crash of the daemon kills no agent it hosts; a call that was waiting can rejoin',
  },
  'Architecture: failure modes → Blocking delegation': {
    'failure.model-text': 'with a dead or stuck model the outcome is failed, in the words of the agent',
  },

  'Message-Server: capabilities': {
    'worker.self-report': 'a worker can report its own state',
    'worker.many': 'one daemon serves many workers, each addressable on its own',
    'worker.attach': 'a person can attach to a worker, detach and come back',
  },

  'Message-Server: how a reply is consumed': {
    'reply.one-call': 'one call is one message and one reply; no conversation is held open',
    'reply.parked': 'a waiting call costs the caller nothing: no polling, no keep-alive it must answer',
    'reply.later': 'a call that returns early has its reply delivered to the inbox of the sender',
  },

  'Message-Server: components': {
    'herdr.correlation': 'answers on the herdr socket are matched to requests by id',
    'herdr.subscription': 'one long subscription delivers the status changes of herdr panes',
    'session.mapping': 'a session keeps its mapping to workspace, tab and pane',
    'session.health': 'a worker is checked for health after its start',
    'session.ceiling': 'a worker at its context ceiling is recycled',
    'injector.fifo': 'messages to one agent are delivered in the order they were accepted',
    'injector.text-then-enter': 'the text is written first, then Enter on its own',
    'injector.not-mid-run': 'nothing is typed while a turn runs',
    'api.openapi': 'the HTTP API has an OpenAPI document',
    'api.agentapi-shaped': 'a client of AgentAPI works with only its base URL changed',
    'broker.connector': 'inbox streams of the broker and messages of sessions are joined',
  },
  'Message-Server: components → Delivery is write-ahead': {
    'injector.never-into-dialog': 'a blocked agent gets nothing typed: an open dialog is no input',
    'injector.proof': 'a message counts as submitted only on proof; without it the outcome is indeterminate',
  },

  'Message-Server: spawn with environment': {
    'spawn.worker-only': 'the worker variables reach the worker and no other process',
    'spawn.native': 'where the transport can start a process with an environment, that is used',
  },

  'Message-Server: reply envelope': {
    'envelope.callback':
      'a Stop hook can post session_id, turn_id, status, text and artifacts to the callback',
    'envelope.through-broker': 'the same envelope can arrive through the broker',
    'envelope.last-message': 'the text of an envelope is the last message of the assistant',
    'envelope.correlation': 'session and turn id lead an envelope to the call that waits for it',
    'envelope.screen': 'without an envelope the reply is read from the recent, unwrapped screen',
  },
  'Message-Server: reply envelope → Blocking delegation': {
    'envelope.source': 'a reply says whether it comes from hooks, transcript or screen, in that order',
    'envelope.blocked-or-done': 'an envelope tells blocked, with its request, from done',
    'envelope.artifacts': 'artifacts are attached to the reply when the worker names them',
  },
  'Message-Server: reply envelope → Stop is not always the end': {
    'envelope.final': 'while something continues the turn a reply is not final',
  },

  'Message-Server: delivery gating': {
    'gating.single-writer': 'two automated messages never mix in one input',
    'gating.atomic': 'no status change is handled between the check and the writing',
    'gating.first-prompt': 'the first message waits for a recognized prompt, not for a missing status',
    'gating.person-typing': 'a collision with a person ends in a known outcome and can be repeated',
  },

  'Message-Server: async duplex': {
    'duplex.into-worker': 'a message from the broker is typed when its worker is idle',
    'duplex.result': 'the result or question of a worker is published to the inbox of the sender',
    'duplex.woken': 'a primary learns of it at its own idle boundary',
    'duplex.ack': 'a message of the broker is acknowledged after its delivery, not before',
    'duplex.scrollback': 'scrollback is never the record of a message',
  },

  'Message-Server: worker lifecycle': {
    'recycle.caps': 'idle cycles or tokens above their cap recycle the worker',
    'recycle.respawn': 'recycling ends the process and starts a new one in its place',
    'recycle.fresh': 'a planned recycle does not resume the conversation',
    'recycle.checkpoint': 'before the end a worker is told to save its state and given time for it',
    'recycle.state-file': 'the new worker begins from its task and the state file',
    'recycle.externalized': 'what the worker wrote to git and its state file is all that is carried over',
  },
  'Message-Server: worker lifecycle → Recycle': {
    'recycle.crash-policy': 'after a crash the session may be resumed; both policies can be set',
    'recycle.ceilings': 'turns, context tokens and age each can be the ceiling',
  },

  'Message-Server: subscription boundary': {
    'guard.resolved-value': 'the guard judges the value the worker will really have, wherever it is set',
    'guard.allowlist': 'the host of the base URL must be on the allowlist',
    'guard.official-host': 'the official API host is refused for a worker',
    'guard.unparseable': 'a base URL that cannot be parsed is refused',
    'guard.after-spawn': 'after the start the environment of the process is compared',
    'guard.health-call': 'after the start the model of the worker is called once',
    'guard.self-check': 'at startup every local primary is checked to be clean',
    'guard.log-host': 'the resolved host of each worker is logged',
    'guard.blind-spot': 'a primary on another host is reported as not checkable',
  },
  'Message-Server: subscription boundary → Guard': {
    'guard.per-agent': 'each kind of agent is judged by its own ways to name a provider',
    'guard.credentials': 'a worker never inherits credentials of the primary',
    'guard.foreign-transport': 'where another program starts the worker, it is checked before any message',
  },

  'Message-Server: API surface': {
    'api.message': 'POST /sessions/{id}/message sends a message to a session',
    'api.keys': 'POST /keys sends raw keys, ctrl+c among them',
    'api.events': 'GET /events streams status changes to observers',
    'api.status': 'GET /status returns the state of the sessions',
    'api.sessions': 'GET /sessions lists the sessions with their live status',
    'api.callback': 'POST /callback/{session_id} takes a reply envelope',
  },

  'Message-Server: security': {
    'security.localhost': 'the port is on localhost unless configured otherwise',
    'security.token': 'every route that controls or shows an agent refuses a request without a token',
    'security.audit': 'each injected turn leaves an audit line',
  },
  'Message-Server: security → Access': {
    'security.per-session': 'a token can be limited to contacts and scopes and is refused beyond them',
    'security.no-self-approval': 'an agent cannot approve its own request',
    'security.open-bind': 'a bind beyond loopback without a token is refused',
  },

  'Message-Server: trade-offs': {
    'tradeoff.pluggable': 'transports share one interface and pass one conformance suite',
    'tradeoff.interrupt': 'a running turn can be interrupted by ctrl+c on request',
    'tradeoff.schema-probe': 'an unexpected snapshot of herdr at startup fails at once with the reason',
    'tradeoff.herdr-version': 'the supported herdr version is stated, another one is reported',
  },
  'Message-Server: trade-offs → Blocking delegation': {
    'tradeoff.deadline': 'at its deadline a call returns 202 working with a message id to wait on',
    'tradeoff.deadline-reply':
      'the reply after a deadline can be awaited and also reaches the inbox of the sender',
  },

  'Operations: scope': {
    'ops.healthz': 'GET /healthz says the daemon is alive',
    'ops.metrics': 'GET /metrics is in Prometheus format',
    'ops.restart-order': 'herdr first, then the daemon: a restart in this order finds every worker',
    'ops.replay': 'unacknowledged messages of the broker are replayed after a restart',
    'ops.model-swap': 'recycling can give a worker another base URL and model',
    'ops.model-swap-guard': 'a new base URL passes the guard before the old worker is ended',
    'ops.recycle-visible': 'recycling can be followed in the events',
    'ops.stuck-working': 'a worker stuck in working can be recognized and explained',
    'ops.token-rotation': 'a token can be replaced and the old one is refused',
  },

  'Operations: guardrails': {
    'broker.visibility-timeout': 'a claimed message comes back when it is not acknowledged in time',
    'broker.consumer-groups': 'two consumers of one inbox never hold the same message at once',
  },
  'Operations: guardrails → Broker': {
    'broker.implementations': 'SQLite, Redis Streams and NATS JetStream pass the same suite, chosen by URL',
    'broker.roster': 'with a shared broker name@node reaches a contact on another host',
  },

  'Setup: scope': {
    'setup.config': 'bridged.yaml holds worker model, allowlist, token and bind address',
    'setup.herdr-socket': 'the herdr socket is found at its default place or by HERDR_SOCKET_PATH',
    'setup.service': 'a systemd unit starts the daemon after herdr',
    'setup.first-worker': 'the documented steps start a first worker that the guard accepts',
    'setup.egress-shown': 'the host a worker really uses can be shown',
    'setup.primary-wiring': 'the documented steps let a primary delegate over HTTP',
    'setup.split-host': 'the documented Stop hook lets a primary on another host receive replies',
  },
} as const satisfies Seed<'bridged-wiki-diff.md'>
