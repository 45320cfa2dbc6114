import { Worker } from 'node:worker_threads'
import type { EventLog } from './log.ts'

/** A checkpoint follows the first commit after the last one by this much; an idle log costs nothing. */
const delayMs = 1_000

/**
 * Runs the checkpoints of the log's database in a thread of its own. Measured: a checkpoint by the writer itself
 * stops everything for 5 to 30 ms, which every subscriber would see; in another thread none does.
 */
export function openCheckpointer(
  path: string,
  log: EventLog,
  onError: (error: unknown) => void,
): AsyncDisposable {
  // The source runs as it is, and as it was built.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./checkpoint-worker.${extension}`, import.meta.url), {
    workerData: path,
  })
  worker.unref()
  worker.on('error', onError)
  worker.on('message', (problem) => onError(new Error(`a checkpoint failed: ${String(problem)}`)))
  let timer: NodeJS.Timeout | undefined
  const subscription = log.onCommit(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      worker.postMessage('checkpoint')
    }, delayMs).unref()
  })
  return {
    [Symbol.asyncDispose]: async () => {
      subscription[Symbol.dispose]()
      clearTimeout(timer)
      await worker.terminate()
    },
  }
}
