import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { masterIdentity } from '../access/identity.ts'
import { BridgeError } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'
import { encodeLine, LineSplitter } from '../core/ndjson.ts'
import { toBridgeError } from './edge-error.ts'
import type { ServerParts } from './parts.ts'

/** The longest line, and how long one request may take (reference hrdx, "Control socket"). */
const maxLineBytes = 1024 * 1024
const requestTimeoutMs = 5_000
/** Unread answers of one peer beyond this end its connection. */
const maxUnsentBytes = 8 * 1024 * 1024

/**
 * The control socket: NDJSON `{id, method, params}` → `{id, result}` or `{id, error: {code, message}}`. It lies in
 * the private home, so whoever reaches it is the owner and needs no token. Requests of one connection run side
 * by side.
 */
export async function openControlSocket(
  path: string,
  parts: Pick<ServerParts, 'dispatch' | 'logger'>,
): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, parts)
  })
  // The home lock is held, so a socket that is there was left by a daemon that died.
  rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function serve(socket: Socket, parts: Pick<ServerParts, 'dispatch' | 'logger'>): void {
  const splitter = new LineSplitter(maxLineBytes)
  const answer = (value: unknown) => {
    if (socket.destroyed) return
    socket.write(encodeLine(value))
    if (socket.writableLength > maxUnsentBytes) socket.destroy()
  }
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    try {
      for (const line of splitter.push(chunk)) if (line !== '') void handleLine(line, parts).then(answer)
    } catch (error) {
      answer({ error: describe(error, parts) })
      socket.end()
    }
  })
}

async function handleLine(line: string, parts: Pick<ServerParts, 'dispatch' | 'logger'>): Promise<unknown> {
  let id: string | undefined
  try {
    const request = readRequest(line)
    id = textOf(request, 'id')
    const call = parts.dispatch.call(textOf(request, 'method'), request['params'] ?? {}, masterIdentity)
    return { id, result: await within(requestTimeoutMs, call) }
  } catch (error) {
    return { ...(id !== undefined && { id }), error: describe(error, parts) }
  }
}

function readRequest(line: string): Readonly<Record<string, unknown>> {
  let request: unknown
  try {
    request = parseJson(line)
  } catch (error) {
    if (!(error instanceof BridgeError) || error.code !== 'invalid_json') throw error
    throw new BridgeError(
      'invalid_params',
      { field: 'request', problem: 'is not valid JSON' },
      { cause: error },
    )
  }
  return typeof request === 'object' && request !== null ? { ...request } : {}
}

function textOf(request: Readonly<Record<string, unknown>>, field: string): string {
  const value = request[field]
  if (typeof value !== 'string') throw new BridgeError('invalid_params', { field, problem: 'must be a text' })
  return value
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new BridgeError('timeout', { what: 'The operation', timeoutMs })),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}

function describe(error: unknown, parts: Pick<ServerParts, 'logger'>): { code: string; message: string } {
  const { code, message } = toBridgeError(error, parts.logger)
  return { code, message }
}
