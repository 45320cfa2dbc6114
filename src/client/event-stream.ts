import { backoffMs } from './backoff.ts'
import { ClientError } from './client-error.ts'
import { openConnection, type StreamTiming } from './stream-connection.ts'
import type { StreamItem } from './stream-items.ts'

/** Which part of the log is followed. */
export interface StreamFilter {
  /** Where to go on: `epoch:seq`, or a seq of the present log (0 is its beginning). Absent: from now on. */
  readonly after?: string | number
  /** Ids of contacts; absent: all. */
  readonly contacts?: readonly string[]
  /** Event kinds such as `turn.ended`, and frame types such as `contact_changed`; absent: all. */
  readonly kinds?: readonly string[]
}

/** `connecting` until the bridge has answered, `live` from then on, `lost` until the next attempt. */
export type StreamStatus = 'connecting' | 'live' | 'lost'
export type StreamStatusListener = (status: StreamStatus) => void

const defaultTiming: StreamTiming = {
  pingMs: 15_000,
  silenceMs: 30_000,
  backoff: { minMs: 250, maxMs: 10_000 },
  maxQueued: 10_000,
}

/** A connection that lived this long was a good one: the pauses begin from the shortest again. */
const settledMs = 5_000

export interface StreamOptions extends StreamFilter {
  /** A WebSocket address that lets in once; asked for before every connect. A final {@link ClientError} ends it. */
  readonly openUrl: () => Promise<string>
  readonly signal?: AbortSignal
  readonly onStatus?: StreamStatusListener
  readonly timing?: Partial<StreamTiming>
}

/**
 * Follows the log of a bridge across lost connections and restarts, from where it was, without doubles. Nothing
 * is skipped silently: every connect yields a `subscribed` item, whose `resume` is `gap` when frames before it
 * are missing. A consumer that is slow costs a reconnect, never memory without bound. Ends when `signal` aborts.
 *
 * @throws ClientError when the bridge refuses the token or the subscription
 */
export async function* streamEvents(options: StreamOptions): AsyncGenerator<StreamItem, void> {
  const timing = { ...defaultTiming, ...options.timing }
  const { signal, onStatus, openUrl, contacts, kinds } = options
  let after = options.after
  let attempt = 0
  let refusals = 0
  const stopped = () => signal?.aborted === true
  while (!stopped()) {
    onStatus?.('connecting')
    const url = await resolveUrl(openUrl)
    if (stopped()) return
    let behind = false
    if (url === undefined) {
      onStatus?.('lost')
    } else {
      const connection = openConnection({
        url,
        subscribe: { ...(after !== undefined && { after }), contacts, kinds },
        timing,
        signal,
        onLive: () => onStatus?.('live'),
        onEnd: () => onStatus?.('lost'),
      })
      try {
        yield* connection.items()
      } finally {
        await connection.close()
      }
      after = connection.cursor ?? after
      behind = connection.overflowed
      if (connection.liveMs > settledMs) attempt = 0
      refusals = connection.refused ? refusals + 1 : 0
      if (refusals > 1) throw refusedTwice()
    }
    if (!stopped() && !behind) await pause(backoffMs(attempt++, timing.backoff), signal)
  }
}

/** One refusal may be a ticket from before a restart of the bridge. */
function refusedTwice(): ClientError {
  return new ClientError('unauthorized', 'The bridge does not accept this token.', { status: 401 })
}

async function resolveUrl(openUrl: () => Promise<string>): Promise<string | undefined> {
  try {
    return await openUrl()
  } catch (error) {
    if (error instanceof ClientError && error.isFinal) throw error
    // Whatever else it was, the bridge may be back in a moment.
    return undefined
  }
}

/** Waits, but not beyond an abort. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const onAbort = () => resolve()
  signal?.addEventListener('abort', onAbort)
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', onAbort)
}
