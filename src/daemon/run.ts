import type { Daemon } from './daemon.ts'

/** A daemon that does not stop within this is ended. */
const stopTimeoutMs = 5_000

/** Runs a daemon until SIGINT, SIGTERM or SIGHUP, then closes it in order. */
export async function runUntilSignal(
  start: () => Promise<Daemon>,
  onStarted?: (daemon: Daemon) => void | Promise<void>,
): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  // Every time, since npm and the terminal may both send one, and the second must not cut the closing short.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop())
  const daemon = await start()
  await onStarted?.(daemon)
  await stopped
  setTimeout(() => process.exit(1), stopTimeoutMs).unref()
  await daemon[Symbol.asyncDispose]()
}
