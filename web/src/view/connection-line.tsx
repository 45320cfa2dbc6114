import type { Dashboard } from '../state/dashboard.ts'
import { formatSeconds } from '../model/times.ts'
import { now } from '../state/signal-clock.ts'
import { Elapsed } from './step-line.tsx'

/** Somebody who waited this long for a reconnect should know that it may not come by itself. */
const lostAfterMs = 60_000

/** Whether what is shown is live, in one word. */
export function ConnectionWord({ dashboard }: { dashboard: Dashboard }) {
  const { status } = dashboard.connection.value
  const isLive = status === 'live'
  return (
    <span class={`connection ${isLive ? 'is-live' : 'is-away'}`}>
      <span class="connection-dot" aria-hidden="true" />
      {isLive ? 'live' : status === 'connecting' ? 'connecting' : 'reconnecting'}
    </span>
  )
}

/** A line over the timeline while it is not live: what is shown may be old. */
export function ConnectionLine({ dashboard }: { dashboard: Dashboard }) {
  const { status, since } = dashboard.connection.value
  if (status !== 'lost') return null
  const isLost = now.value - since > lostAfterMs
  return (
    <p class="connection-line" role="status">
      {isLost ? 'Connection lost' : 'Reconnecting'} since <span class="time">{formatSeconds(since)}</span> (
      <Elapsed since={since} />
      ). What you see may be old{isLost && <IsItRunning />}.
    </p>
  )
}

function IsItRunning() {
  return (
    <>
      ; if the bridge stopped, start it with <code>bridge up</code>
    </>
  )
}
