import { signal } from '@preact/signals'

/** The time as far as the page shows it. */
export const now = signal(Date.now())

/** Between ticks: durations of running work count seconds, ages count from ten seconds on. */
const busyTickMs = 1_000
const quietTickMs = 10_000

/** Moves {@link now} while somebody can see it. Returns how to stop. */
export function startClock(isBusy: () => boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tick = () => {
    now.value = Date.now()
    clearTimeout(timer)
    timer = document.hidden ? undefined : setTimeout(tick, isBusy() ? busyTickMs : quietTickMs)
  }
  document.addEventListener('visibilitychange', tick)
  tick()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}
