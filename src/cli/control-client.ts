import { createConnection } from 'node:net'
import { join } from 'node:path'
import { ClientError } from '../client/client-error.ts'
import { BridgeError, errorTable } from '../core/errors.ts'
import { encodeLine, LineSplitter } from '../core/ndjson.ts'
import type { OperationInput, OperationName, OperationOutput } from '../protocol/index.ts'

/** Answers hold at most a roster of some thousand contacts. */
const maxAnswerBytes = 64 * 1024 * 1024
/** The daemon itself gives up on an operation after 5 s. */
const defaultTimeoutMs = 7_000

/**
 * Calls one operation over the control socket of the daemon on `home`, as the owner. Loads no schemas, so that a
 * quick command stays quick.
 *
 * @throws BridgeError `not_running` when no daemon listens, `home_unusable` when the socket may not be opened,
 * `timeout` when the daemon does not answer
 * @throws ClientError with the code the daemon answered
 */
export async function callDaemon<N extends OperationName>(
  home: string,
  method: N,
  params: OperationInput<N>,
  timeoutMs = defaultTimeoutMs,
): Promise<OperationOutput<N>> {
  const line = await exchange(home, encodeLine({ id: '1', method, params }), timeoutMs)
  const answer: { result: OperationOutput<N>; error?: { code: string; message: string } } = JSON.parse(line)
  if (answer.error) {
    const { code, message } = answer.error
    throw new ClientError(code, message, { status: isKnown(code) ? errorTable[code].status : 500 })
  }
  return answer.result
}

function exchange(home: string, request: string, timeoutMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const splitter = new LineSplitter(maxAnswerBytes)
  const socket = createConnection(join(home, 'bridge.sock'))
  socket.setTimeout(timeoutMs, () => {
    reject(new BridgeError('timeout', { what: `The bridge on ${home}`, timeoutMs }))
    socket.destroy()
  })
  socket.on('connect', () => socket.write(request))
  socket.on('data', (chunk: Buffer) => {
    const [line] = splitter.push(chunk)
    if (line === undefined) return
    resolve(line)
    socket.destroy()
  })
  socket.on('error', (error) => reject(describeFailure(home, error)))
  socket.on('close', () => reject(new BridgeError('not_running', { home })))
  return promise
}

function describeFailure(home: string, error: Error): BridgeError {
  const denied = 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
  return denied
    ? new BridgeError(
        'home_unusable',
        { path: home, problem: 'it belongs to another user' },
        { cause: error },
      )
    : new BridgeError('not_running', { home }, { cause: error })
}

/** Whether `code` is one of the table, so that its exit code and status are known. */
export function isKnown(code: string): code is keyof typeof errorTable {
  return Object.hasOwn(errorTable, code)
}
