const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A length of time in at most two units: `850ms`, `1.2s`, `1m 20s`, `2h 3m`, `3d 4h`. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < secondMs) return `${Math.round(ms)}ms`
  if (ms < minuteMs) {
    const seconds = ms / secondMs
    return `${seconds < 9.95 ? Number(seconds.toFixed(1)) : Math.min(59, Math.round(seconds))}s`
  }
  if (ms < hourMs) return twoUnits(ms, minuteMs, 'm', secondMs, 's')
  if (ms < dayMs) return twoUnits(ms, hourMs, 'h', minuteMs, 'm')
  return twoUnits(ms, dayMs, 'd', hourMs, 'h')
}

function twoUnits(ms: number, largeMs: number, large: string, smallMs: number, small: string): string {
  const rest = Math.floor((ms % largeMs) / smallMs)
  return `${Math.floor(ms / largeMs)}${large}${rest === 0 ? '' : ` ${rest}${small}`}`
}

/** How long ago `then` was: `now`, `5m`, `2h`, `3d`. */
export function formatAge(then: number, now: number): string {
  const ms = now - then
  if (ms < minuteMs) return 'now'
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)}m`
  return ms < dayMs ? `${Math.floor(ms / hourMs)}h` : `${Math.floor(ms / dayMs)}d`
}

/** The local time of day, `14:02:07`. */
export function formatClock(ms: number): string {
  const date = new Date(ms)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')
}

/** The local date, `2026-11-30`. */
export function formatDate(ms: number): string {
  const date = new Date(ms)
  return [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** A whole number with its thousands apart, `1,234`; a locale's own formatter takes long to load. */
export function formatCount(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',')
}
