import { difference, type Expected } from './expected.ts'

/** Where what an agent reports can be seen: the recorder's hooks, or the typed events of the bridge. */
export interface EventSource<Item> {
  /** Everything that came so far, in order. */
  collect(): readonly Item[]
  /** The name expectations speak of: a hook's name, an event's kind. */
  nameOf(item: Item): string
  /** Calls back at every arrival until the returned function is called. */
  onArrival(listener: () => void): () => void
}

/** Waits for something to be true of what came; rejects with what is missing when time runs out. */
function waitForSource<Item>(
  source: EventSource<Item>,
  /** Says what is missing; undefined when nothing is. */
  missing: (names: readonly string[]) => string | undefined,
  boundMs: number,
): Promise<void> {
  const look = () => missing(source.collect().map((item) => source.nameOf(item)))
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop()
      reject(new Error(`Not within ${boundMs} ms: ${look()}`))
    }, boundMs)
    const stop = source.onArrival(settle)
    function settle(): void {
      if (look() !== undefined) return
      stop()
      clearTimeout(timer)
      resolve()
    }
    settle()
  })
}

/**
 * Waits until exactly what was expected has come. An agent has no "that was all": the last expected name is the
 * end of the session, after which nothing comes.
 */
export function waitForExpected<Item>(source: EventSource<Item>, expected: Expected, boundMs: number) {
  return waitForSource(source, (names) => difference(names, expected), boundMs)
}

/** Waits until the name has come so many times. */
export function waitForArrival<Item>(
  source: EventSource<Item>,
  name: string,
  times: number,
  boundMs: number,
) {
  const count = (names: readonly string[]) => names.filter((one) => one === name).length
  const missing = (names: readonly string[]) =>
    count(names) >= times ? undefined : `${name} came ${count(names)} times, not ${times}`
  return waitForSource(source, missing, boundMs)
}
