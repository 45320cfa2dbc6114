import { formatExact, formatSeconds, formatTime } from '../model/times.ts'

/** A time of day; hovering says exactly when. */
export function Time({ ts, seconds = false }: { ts: number; seconds?: boolean }) {
  if (ts <= 0) return <span class="time" />
  return (
    <time class="time" dateTime={new Date(ts).toISOString()} title={formatExact(ts)}>
      {seconds ? formatSeconds(ts) : formatTime(ts)}
    </time>
  )
}
