import { isRecord } from '../core/record.ts'

/**
 * What a call to the bridge failed with. `code` is one of the codes in docs/errors.md, or `unreachable` when
 * nothing answered, or `bad_answer` when what answered is no bridge.
 */
export class ClientError extends Error {
  readonly code: string
  /** HTTP status; 0 when nothing answered. */
  readonly status: number
  /** What the message names, for programs. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: string,
    message: string,
    options: { status: number; details?: Readonly<Record<string, unknown>>; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.name = 'ClientError'
    this.code = code
    this.status = options.status
    this.details = options.details ?? {}
  }

  /** Asking again in the same way cannot help: the token, the rights or the request itself are refused. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429
  }
}

/** Reads the body of a failed answer: `{error, message?, details?}` on every route of the bridge. */
export function errorFromAnswer(status: number, text: string): ClientError {
  const body = parseRecord(text)
  const code = body?.['error']
  if (typeof code !== 'string') {
    return new ClientError('bad_answer', `The bridge answered with the status ${status}.`, { status })
  }
  const { message, details } = body ?? {}
  return new ClientError(code, typeof message === 'string' ? message : `The bridge answered ${code}.`, {
    status,
    ...(isRecord(details) && { details }),
  })
}

/** Parses one JSON object; undefined when the text is anything else. */
export function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    // Not JSON is one more way of not being an object.
    return undefined
  }
}
