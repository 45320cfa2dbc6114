import { nodeFlag } from '../../../src/agents/forwarder/command.ts'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const binDirectory = fileURLToPath(new URL('../../../bin', import.meta.url))

/** One of the two programs that hand a hook to the bridge. */
export interface Forwarder {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

export const perlForwarder: Forwarder = {
  name: 'hook.pl',
  command: ['perl', join(binDirectory, 'hook.pl')],
}

export const nodeForwarder: Forwarder = {
  name: 'hook.js',
  command: [process.execPath, nodeFlag, join(binDirectory, 'hook.js')],
}

/** Every forwarder: each keeps every promise of the suite. */
export const forwarders: readonly Forwarder[] = [perlForwarder, nodeForwarder]

/** The secret that the tests give a forwarder; it must never be seen outside of the request. */
export const token = 'secret-ingest-token-0123456789'

export interface Run {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
  readonly pid: number
}

export interface RunOptions {
  readonly args?: readonly string[]
  /** What stdin carries; then it is closed. A function writes itself and closes or does not; null: /dev/null. */
  readonly stdin?: string | Uint8Array | ((stdin: NodeJS.WritableStream) => void) | null
  readonly env?: Readonly<Record<string, string>>
  readonly onSpawn?: (pid: number) => void
}

/** Runs a forwarder with nothing of our environment but PATH, and waits for its end. */
export function runForwarder(forwarder: Forwarder, home: string, options: RunOptions = {}): Promise<Run> {
  const [program, ...before] = forwarder.command
  const { stdin = '' } = options
  const startedAt = performance.now()
  const child = spawn(program, [...before, ...(options.args ?? ['claude'])], {
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', HOME: home, BRIDGE_HOME: home, ...options.env },
    stdio: [stdin === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child.stdin?.on('error', () => {
    // The forwarder may leave before it has read everything; that is its right.
  })
  if (child.pid !== undefined) options.onSpawn?.(child.pid)
  if (child.stdin && stdin !== null) {
    if (typeof stdin === 'function') stdin(child.stdin)
    else child.stdin.end(stdin)
  }
  // Far above what any run may take: a forwarder that hangs is killed, and its signal says so.
  const hung = setTimeout(() => child.kill('SIGKILL'), 30_000)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => child.stdin?.destroy())
    child.on('close', (code, signal) => {
      clearTimeout(hung)
      resolve({
        code,
        signal,
        stdout,
        stderr,
        durationMs: performance.now() - startedAt,
        pid: child.pid ?? 0,
      })
    })
  })
}

/** A bridge home in a temporary directory, with the file that tells forwarders where to post. */
export class Home implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'forwarder-home-'))

  writeForward(url: string, more: Readonly<Record<string, string | number>> = {}): void {
    const lines = Object.entries({ url, token, timeout_ms: 5_000, ...more })
    const text = lines.map(([key, value]) => `${key}=${value}\n`).join('')
    writeFileSync(join(this.path, 'forward'), text, { mode: 0o600 })
  }

  get spool(): string {
    return join(this.path, 'spool')
  }

  /** Fills the spool with `files` names that claim `bytes` each. */
  fillSpool(files: number, bytes: number): void {
    mkdirSync(this.spool, { recursive: true, mode: 0o700 })
    for (let index = 0; index < files; index += 1)
      writeFileSync(join(this.spool, `1-1-${index}.${bytes}.hook`), '')
  }

  /** Puts a file where the spool would be: the one obstacle that stops root too. */
  blockSpool(): void {
    writeFileSync(this.spool, '')
  }

  spooled(): string[] {
    return existsSync(this.spool) ? readdirSync(this.spool).sort() : []
  }

  readSpooled(): { head: Record<string, string>; body: Buffer }[] {
    return this.spooled().map((name) => {
      const bytes = readFileSync(join(this.spool, name))
      const end = bytes.indexOf('\n\n')
      const lines = bytes.subarray(0, end).toString('latin1').split('\n')
      const head = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
      return { head, body: bytes.subarray(end + 2) }
    })
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

export interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly afterMs?: number
}

/** A small HTTP server that takes hooks as the bridge does and answers what a test tells it. */
export class HookServer implements AsyncDisposable {
  readonly received: Received[] = []
  readonly #server = createHttpServer()
  #answer: Answer = { status: 204 }

  private constructor() {
    this.#server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        this.received.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
        const { status, headers = {}, body, afterMs = 0 } = this.#answer
        setTimeout(() => response.writeHead(status, headers).end(body), afterMs)
      })
    })
  }

  static async open(): Promise<HookServer> {
    const server = new HookServer()
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  answerWith(answer: Answer): void {
    this.#answer = answer
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server.address())}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** A TCP server whose behaviour with each connection is the test's. */
export class RawServer implements AsyncDisposable {
  readonly #server
  readonly #sockets = new Set<Socket>()
  connections = 0

  private constructor(onConnection: (socket: Socket) => void) {
    this.#server = createServer((socket) => {
      this.connections += 1
      this.#sockets.add(socket)
      socket.on('error', () => {
        // A reset is what several tests are about.
      })
      onConnection(socket)
    })
  }

  static async open(onConnection: (socket: Socket) => void): Promise<RawServer> {
    const server = new RawServer(onConnection)
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server.address())}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** An address on this machine where nothing listens. */
export async function unusedUrl(): Promise<string> {
  const server = await RawServer.open((socket) => socket.destroy())
  const { url } = server
  await server[Symbol.asyncDispose]()
  return url
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address.port
}

/** Runs `jobs` with at most `width` at a time. */
export async function inParallel(width: number, jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = jobs.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const job of queue) await job()
    }),
  )
}
