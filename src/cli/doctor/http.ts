import { Agent, request as requestHttp, type RequestOptions } from 'node:http'
import { Agent as SecureAgent, request as requestHttps } from 'node:https'

export interface HttpAnswer {
  readonly status: number
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs?: number
}

/** The bridge answers in milliseconds; what does not answer within this is something else. */
const defaultTimeoutMs = 1_500
/** A roster of some thousand contacts; what is longer is no answer of ours. */
const maxBytes = 16 * 1024 * 1024

/**
 * One request on a connection of its own. `fetch` would go through a proxy that the environment names, and bring our
 * token there.
 *
 * @throws Error of the system, or one that says that nothing came in time
 */
export function exchange(url: string, options: HttpRequest = {}): Promise<HttpAnswer> {
  const { method = 'GET', headers = {}, body, timeoutMs = defaultTimeoutMs } = options
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>()
  const secure = url.startsWith('https:')
  const settings: RequestOptions = {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    agent: secure ? new SecureAgent({ keepAlive: false }) : new Agent({ keepAlive: false }),
    signal: AbortSignal.timeout(timeoutMs),
  }
  const outgoing = (secure ? requestHttps : requestHttp)(url, settings, (answer) => {
    const chunks: Buffer[] = []
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) chunks.push(chunk)
      else answer.destroy(new Error('its answer has no end'))
    })
    answer.on('error', reject)
    answer.on('end', () =>
      resolve({ status: answer.statusCode ?? 0, json: parse(Buffer.concat(chunks).toString('utf8')) }),
    )
  })
  outgoing.on('error', (error) => {
    reject(error.name === 'AbortError' ? new Error(`it did not answer within ${timeoutMs} ms`) : error)
  })
  outgoing.end(body)
  return promise
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A page, or nothing.
    return undefined
  }
}

/** A field of an answer's object. */
export function fieldOf(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null) return undefined
  return Object.entries(json).find(([key]) => key === name)?.[1]
}
