import type { Daemon } from './daemon.ts'

/** A daemon that does not stop within this is ended. */
const stopTimeoutMs = 5_000

/** Runs a daemon until SIGINT, SIGTERM or SIGHUP, then closes it in order. */
export async function runUntilSignal(
  start: () => Promise<Daemon>,
  onStarted?: (daemon: Daemon) => void | Promise<void>,
): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop())
  const daemon = await start()
  await onStarted?.(daemon)
  await stopped
  setTimeout(() => process.exit(1), stopTimeoutMs).unref()
  await daemon[Symbol.asyncDispose]()
}
