import { effect, signal, type ReadonlySignal } from '@preact/signals'

/** The time as far as the page shows it. */
export const now = signal(Date.now())

/** Between ticks: what is under way counts seconds, ages count from ten seconds on. */
const busyTickMs = 1_000
const quietTickMs = 10_000

/** Moves {@link now} while somebody can see it, by the second while something is under way. Returns how to stop. */
export function startClock(isBusy: ReadonlySignal<boolean>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tick = () => {
    now.value = Date.now()
    clearTimeout(timer)
    timer = document.hidden ? undefined : setTimeout(tick, isBusy.peek() ? busyTickMs : quietTickMs)
  }
  document.addEventListener('visibilitychange', tick)
  const stopFollowing = effect(() => {
    void isBusy.value
    tick()
  })
  return () => {
    stopFollowing()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}
