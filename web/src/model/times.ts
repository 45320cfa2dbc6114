const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long ago, as short as a column allows: `now`, `12s`, `5m`, `3h`, `2d`. */
export function formatAgo(ms: number): string {
  if (ms < 5 * secondMs) return 'now'
  if (ms < minuteMs) return `${Math.floor(ms / secondMs)}s`
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)}m`
  if (ms < dayMs) return `${Math.floor(ms / hourMs)}h`
  return `${Math.floor(ms / dayMs)}d`
}

/** A duration with as much precision as it deserves: `8 ms`, `1.2 s`, `48 s`, `1m 20s`, `2h 05m`. */
export function formatDuration(ms: number): string {
  const rounded = Math.round(ms)
  if (rounded < secondMs) return `${rounded} ms`
  if (ms < 9.95 * secondMs) return `${(ms / secondMs).toFixed(1)} s`
  const seconds = Math.round(ms / secondMs)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`
  const minutes = Math.floor(seconds / 60)
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`
}

/** How long something has been going on, in whole seconds: `7 s`, `1m 20s`, `2h 05m`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / secondMs)
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * secondMs)
}

/** Local time of day, `14:02`. */
export function formatTime(ts: number): string {
  const date = new Date(ts)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** Local time of day to the second, `14:02:11`. */
export function formatSeconds(ts: number): string {
  return `${formatTime(ts)}:${pad(new Date(ts).getSeconds())}`
}

/** Everything a clock knows, for a hover: `Mon 2026-11-30 14:02:11.042`. */
export function formatExact(ts: number): string {
  const date = new Date(ts)
  const day = date.toLocaleDateString(undefined, { weekday: 'short' })
  const millis = String(date.getMilliseconds()).padStart(3, '0')
  return `${day} ${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${formatSeconds(ts)}.${millis}`
}

/** Start of the local day, and of the next one. */
export function dayOf(ts: number): { readonly start: number; readonly end: number } {
  const date = new Date(ts)
  const start = new Date(date.getFullYear(), date.getMonth(), date.getDate())
  const end = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1)
  return { start: start.getTime(), end: end.getTime() }
}

/** A day's name: `Today`, `Yesterday`, else `Mon 30 Nov`, with the year where it is another one. */
export function formatDay(ts: number, now: number): string {
  const today = dayOf(now)
  if (ts >= today.start) return 'Today'
  if (ts >= dayOf(today.start - 1).start) return 'Yesterday'
  const sameYear = new Date(ts).getFullYear() === new Date(now).getFullYear()
  return new Date(ts).toLocaleDateString(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!sameYear && { year: 'numeric' }),
  })
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
