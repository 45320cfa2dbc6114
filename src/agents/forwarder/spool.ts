import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  type FSWatcher,
} from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { BridgeError } from '../../core/errors.ts'
import {
  compareSpoolNames,
  parseSpoolFile,
  parseSpoolName,
  type SpooledHook,
  type SpoolName,
} from './spool-file.ts'

export type { SpooledHook } from './spool-file.ts'

export interface SpoolOptions {
  /** The bridge's home; the spool is its folder `spool`. */
  readonly home: string
  readonly clock: Clock
  /**
   * Takes one hook in; resolves when it is stored for good, and only then its file goes. Called in the order in
   * which the hooks happened. The same id may come again after a crash.
   */
  readonly ingest: (hook: SpooledHook) => Promise<void>
  /** Told of a hook that was set aside, and of a folder that cannot be read. */
  readonly onError: (error: unknown) => void
  /** How often the folder is looked at when nothing says that it changed; 30 s. */
  readonly pollMs?: number
}

/** The hooks that forwarders could not deliver, on their way into the log. */
export interface Spool extends AsyncDisposable {
  /** How many hooks waited at the last look. */
  readonly waiting: number
  /** Takes in what is there now; resolves when that is done or has to wait. Never rejects. */
  drain(): Promise<void>
}

const defaultPollMs = 30_000
/** How soon what could not be stored, for want of room or of leave, is tried again. */
const retryMs = 1_000
/** Forwarders finish a file by renaming it, so several changes come at once. */
const settleMs = 20
/** An unfinished file is this old when its forwarder was killed: none of them lives so long. */
const orphanedMs = 60_000
/** Hooks on their way into the log at a time; one group commit takes them all. */
const batchSize = 32
/** How often a hook that fails in a way nobody foresaw holds up the others. */
const maxAttempts = 3
/** The forwarders keep 1,000,000 bytes of a body. */
const maxFileBytes = 2_000_000
/** Files in `bad/`, for a person to look at. */
const maxBad = 50

/**
 * Takes in what the spool holds, and whatever comes into it later: a forwarder uses it also when the daemon is
 * merely slow. Closing waits for what is being stored.
 */
export function openSpool(options: SpoolOptions): Spool {
  return new OpenSpool(options)
}

class OpenSpool implements Spool {
  readonly #options: SpoolOptions
  readonly #directory: string
  readonly #attempts = new Map<string, number>()
  readonly #poll: NodeJS.Timeout
  #watcher: FSWatcher | undefined
  #soon: NodeJS.Timeout | undefined
  #draining: Promise<void> | undefined
  #again = false
  #closed = false
  #waiting = 0

  constructor(options: SpoolOptions) {
    this.#options = options
    this.#directory = join(options.home, 'spool')
    this.#poll = setInterval(() => void this.drain(), options.pollMs ?? defaultPollMs).unref()
    void this.drain()
  }

  get waiting(): number {
    return this.#waiting
  }

  async drain(): Promise<void> {
    if (this.#draining) {
      this.#again = true
      return this.#draining
    }
    if (this.#closed) return
    this.#draining = this.#drainAll()
    await this.#draining
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    clearInterval(this.#poll)
    clearTimeout(this.#soon)
    this.#watcher?.close()
    await this.#draining
  }

  async #drainAll(): Promise<void> {
    try {
      do {
        this.#again = false
        this.#watch()
        await this.#drainOnce()
      } while (this.#again && !this.#closed)
    } catch (error) {
      this.#options.onError(error)
    } finally {
      this.#draining = undefined
    }
  }

  async #drainOnce(): Promise<void> {
    const names = this.#list()
    this.#waiting = names.length
    while (names.length > 0 && !this.#closed) {
      const batch = names.splice(0, batchSize)
      // Each is read and handed over before the next, so that they go in in order; together they are stored.
      const taken = await Promise.all(batch.map((entry) => this.#take(entry)))
      this.#waiting = names.length + taken.filter((done) => !done).length
      if (taken.includes(false)) return this.#soonAgain(retryMs)
    }
  }

  #list(): SpoolName[] {
    const now = this.#options.clock.now()
    return readdirSync(this.#directory)
      .map(parseSpoolName)
      .filter((entry) => entry !== undefined)
      .filter(({ state, at }) => state === 'hook' || Math.abs(now - at) > orphanedMs)
      .sort(compareSpoolNames)
  }

  /** True when the file is dealt with, false when it has to wait. */
  async #take({ name }: SpoolName): Promise<boolean> {
    const path = join(this.#directory, name)
    try {
      await this.#options.ingest(readHookFile(path))
      rmSync(path, { force: true })
      this.#attempts.delete(name)
      return true
    } catch (error) {
      if (isGone(error)) return true
      const attempts = (this.#attempts.get(name) ?? 0) + 1
      if (!isFinal(error, attempts)) {
        this.#attempts.set(name, attempts)
        return false
      }
      this.#attempts.delete(name)
      this.#setAside(name)
      this.#options.onError(error)
      return true
    }
  }

  #setAside(name: string): void {
    const bad = join(this.#directory, 'bad')
    mkdirSync(bad, { recursive: true, mode: 0o700 })
    renameSync(join(this.#directory, name), join(bad, name))
    const names = readdirSync(bad).sort()
    for (const old of names.slice(0, Math.max(0, names.length - maxBad)))
      rmSync(join(bad, old), { force: true })
  }

  #watch(): void {
    if (this.#watcher) return
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    this.#watcher = watch(this.#directory, { persistent: false }, (_, name) => {
      if (name?.endsWith('.hook')) this.#soonAgain(settleMs)
    })
    this.#watcher.on('error', () => {
      // The folder is gone, or the system has no watches left: the slow look goes on, and sets up a new one.
      this.#watcher?.close()
      this.#watcher = undefined
    })
  }

  #soonAgain(ms: number): void {
    if (this.#closed) return
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      void this.drain()
    }, ms).unref()
  }
}

function readHookFile(path: string): SpooledHook {
  const stats = statSync(path)
  const hook = stats.isFile() && stats.size <= maxFileBytes ? parseSpoolFile(readFileSync(path)) : undefined
  if (!hook) throw new BridgeError('invalid_params', { field: path, problem: 'is not a spooled hook' })
  return hook
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/**
 * Whether trying again is of no use: the hook itself is refused. A full disk, a limit or a store that is away pass;
 * what nobody foresaw gets a few tries.
 */
function isFinal(error: unknown, attempts: number): boolean {
  if (error instanceof BridgeError && error.status < 500) return error.status !== 429
  return !(error instanceof BridgeError) && attempts >= maxAttempts
}
