import type { Clock } from '../core/clock.ts'
import { BridgeError } from '../core/errors.ts'
import { agentEventEnvelopeSchema } from '../protocol/index.ts'
import type { EventLog, LogRow } from '../store/log.ts'
import { firebaseUpdateOf } from './firebase-state.ts'

/** One request to Firebase may take this long. */
const requestTimeoutMs = 3_000
/** How many rows are looked at in one go. */
const rowsPerRead = 500

/** Reads the agent's record, for `GET /api/firebaseData`. */
export interface FirebaseReader {
  /** @throws BridgeError `upstream_error` */
  readRecord(): Promise<{ working: boolean; lastMessage: { summary: string }; starting: boolean }>
}

export interface FirebaseOptions {
  readonly databaseUrl: string
  readonly agentId: string
  readonly log: EventLog
  readonly clock: Clock
  /** Told of a failed request; syncing goes on with the next value. */
  readonly onError: (error: unknown) => void
}

/**
 * Mirrors key state of the stream to `<db>/agents/<id>/` (seed agent-bridge-readme, "Firebase sync (optional)").
 * It reads the log like any other reader; of several values of one key only the newest is written, so a slow or
 * unreachable database holds back nothing and is up to date again with its next answer.
 */
export class FirebaseSync implements FirebaseReader, AsyncDisposable {
  readonly #options: FirebaseOptions
  readonly #recordUrl: string
  readonly #subscription: Disposable
  readonly #stop = new AbortController()
  readonly #waiting = new Map<string, unknown>()
  #after: number
  #running: Promise<void> | undefined

  constructor(options: FirebaseOptions) {
    this.#options = options
    this.#recordUrl = `${options.databaseUrl.replace(/\/+$/, '')}/agents/${encodeURIComponent(options.agentId)}`
    this.#after = options.log.lastSeq
    this.#waiting.set('lastAwake', options.clock.now())
    this.#subscription = options.log.onCommit(() => this.#wake())
    this.#wake()
  }

  async readRecord() {
    const record = await this.#request('GET', `${this.#recordUrl}.json`)
    const fields = typeof record === 'object' && record !== null ? { ...record } : {}
    const { working, starting, lastMessage }: Record<string, unknown> = fields
    const summary =
      typeof lastMessage === 'object' && lastMessage !== null && 'summary' in lastMessage
        ? lastMessage.summary
        : ''
    return {
      working: working === true,
      lastMessage: { summary: typeof summary === 'string' ? summary : '' },
      starting: starting === true,
    }
  }

  #wake(): void {
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined
      if (!this.#stop.signal.aborted && this.#options.log.lastSeq > this.#after) this.#wake()
    })
  }

  async #drain(): Promise<void> {
    // Lets the commit that woke it finish first.
    await Promise.resolve()
    for (;;) {
      this.#collect()
      const [next] = this.#waiting
      if (!next || this.#stop.signal.aborted) return
      const [key, value] = next
      this.#waiting.delete(key)
      try {
        await this.#request('PUT', `${this.#recordUrl}/${key}.json`, value)
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#options.onError(error)
      }
    }
  }

  #collect(): void {
    const { log } = this.#options
    this.#after = Math.max(this.#after, log.oldestSeq - 1)
    while (this.#after < log.lastSeq) {
      for (const row of log.readAfter(this.#after, rowsPerRead)) {
        this.#after = row.seq
        for (const [key, value] of Object.entries(updateOf(row))) this.#waiting.set(key, value)
      }
    }
  }

  async #request(method: 'GET' | 'PUT', url: string, body?: unknown): Promise<unknown> {
    try {
      const response = await fetch(url, {
        method,
        signal: AbortSignal.any([AbortSignal.timeout(requestTimeoutMs), this.#stop.signal]),
        ...(method === 'PUT' && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      })
      if (!response.ok) throw new Error(`Firebase answered ${response.status}`)
      return await response.json()
    } catch (error) {
      throw new BridgeError('upstream_error', {}, { cause: error })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]()
    this.#stop.abort()
    await this.#running
  }
}

function updateOf(row: LogRow) {
  if (row.type === 'permission_resolved') return { permissionRequest: null }
  if (row.type !== 'agent_event') return {}
  const envelope = agentEventEnvelopeSchema.safeParse(JSON.parse(row.frame))
  return envelope.success ? firebaseUpdateOf(envelope.data.event) : {}
}
