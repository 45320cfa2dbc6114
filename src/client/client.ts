import type { OperationInput, OperationName, OperationOutput } from '../protocol/index.ts'
import { restBindings, type RestBinding } from '../protocol/rest-bindings.ts'
import { ClientError, errorFromAnswer } from './client-error.ts'
import { streamEvents, type StreamFilter, type StreamStatusListener } from './event-stream.ts'
import type { StreamItem } from './stream-items.ts'

/** Where a bridge is, and how to be let in. */
export interface ClientOptions {
  /** Address of the bridge, such as `http://127.0.0.1:8787`. */
  readonly url: string
  /** Absent: only what needs no token can be called. */
  readonly token?: string | undefined
  /** Another way to send requests; the platform's own when absent. */
  readonly fetch?: typeof globalThis.fetch
}

/** What {@link BridgeClient.stream} follows, and who hears how it goes. */
export interface ClientStreamOptions extends StreamFilter {
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal
  readonly onStatus?: StreamStatusListener
}

/** A message for all clients of the bridge (seed agent-bridge-readme, "HTTP API": `POST /api/messages`). */
export interface OutgoingMessage {
  readonly content: string
  readonly chat_id?: string
  readonly meta?: Readonly<Record<string, string>>
}

/** Talks to one bridge over HTTP and WebSocket. Every method throws {@link ClientError}. */
export interface BridgeClient {
  /** Calls an operation of the bridge by its name. */
  call<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    signal?: AbortSignal,
  ): Promise<OperationOutput<N>>
  /** Follows the log of the bridge, across its restarts and lost connections; see {@link streamEvents}. */
  stream(options?: ClientStreamOptions): AsyncGenerator<StreamItem, void>
  /** Posts a lifecycle hook as a forwarder does. Resolves once the bridge has stored it. */
  postHook(agent: string, hookType: string, payload: Readonly<Record<string, unknown>>): Promise<void>
  sendMessage(message: OutgoingMessage): Promise<void>
  /** Answers an open permission request. */
  resolvePermission(requestId: string, behavior: 'allow' | 'deny'): Promise<void>
}

/** A client of the bridge at `options.url`. Opens nothing until it is used. */
export function createClient(options: ClientOptions): BridgeClient {
  const base = options.url.replace(/\/+$/, '')

  const call: BridgeClient['call'] = async (name, input, signal) => {
    const rest = restBindings[name]
    const { path, query, body } = bind(rest, input)
    const answer = await send(options, rest.method, base + path + query, body, signal)
    // The server answers with what the operation declares; a version that differs only adds fields.
    return JSON.parse(answer)
  }
  const post = (path: string, body: unknown) => send(options, 'POST', base + path, body, undefined)

  return {
    call,
    stream: ({ signal, onStatus, ...filter } = {}) =>
      streamEvents({
        ...filter,
        ...(signal && { signal }),
        ...(onStatus && { onStatus }),
        openUrl: async () => {
          const { ticket } = await call('tickets.create', {}, signal)
          return `${base.replace(/^http/, 'ws')}/ws?ticket=${encodeURIComponent(ticket)}`
        },
      }),
    postHook: async (agent, hookType, payload) => {
      await post(`/hooks/${segment('agent', agent)}`, { hook_type: hookType, payload })
    },
    sendMessage: async (message) => {
      await post('/api/messages', message)
    },
    resolvePermission: async (requestId, behavior) => {
      await post(`/api/permissions/${segment('request_id', requestId)}`, { behavior })
    },
  }
}

/** Spreads an operation's input over path, query and body as its binding says. */
function bind(rest: RestBinding, input: Readonly<Record<string, unknown>>) {
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = rest.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = left.get(name)
    left.delete(name)
    return segment(name, typeof value === 'string' ? value : '')
  })
  if (rest.method === 'POST') return { path, query: '', body: Object.fromEntries(left) }
  const query = new URLSearchParams(
    [...left].map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return { path, query: query === '' ? '' : `?${query}`, body: undefined }
}

/** One part of a path. A part of dots only would lead to another address. */
function segment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) {
    throw new ClientError('invalid_params', `${name}: must be an id or a name`, { status: 400 })
  }
  return encodeURIComponent(value)
}

async function send(
  options: ClientOptions,
  method: string,
  url: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<string> {
  let response: Response
  let text: string
  try {
    response = await (options.fetch ?? fetch)(url, {
      method,
      headers: {
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ClientError('unreachable', `No bridge answers at ${new URL(url).origin}.`, { status: 0, cause })
  }
  if (!response.ok) throw errorFromAnswer(response.status, text)
  return text
}
