import { useSignalEffect } from '@preact/signals'
import { createRef } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { createClient } from '../../../src/client/index.ts'
import { faviconFor, titleFor } from '../model/favicon.ts'
import type { Row } from '../model/rows.ts'
import { announcement } from '../state/announcements.ts'
import { Dashboard } from '../state/dashboard.ts'
import { signOut } from '../state/sign-in.ts'
import { startClock } from '../state/signal-clock.ts'
import { createTimelineRows } from '../state/timeline-rows.ts'
import { column } from '../state/view-state.ts'
import { BottomBar } from './bottom-bar.tsx'
import { ConnectionLine, ConnectionWord } from './connection-line.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { handleKey, type KeyTargets } from './keys.ts'
import { PageButtons } from './page-buttons.tsx'
import { Roster } from './roster.tsx'
import { Timeline } from './timeline.tsx'
import { TimelineTitle, Toolbar } from './toolbar.tsx'
import type { VirtualList } from './virtual-list.tsx'

/** The agents on the left, what they do in the middle; one of both at a time on a phone. */
export function Desk({ secret }: { secret: string }) {
  const { dashboard, rows, targets } = useMemo(() => openDesk(secret), [secret])
  useEffect(() => {
    const stopClock = startClock(dashboard.isBusy)
    const onKey = (event: KeyboardEvent) => handleKey(event, targets)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      stopClock()
      dashboard[Symbol.dispose]()
    }
  }, [dashboard, targets])
  useSignalEffect(() => showAsks(dashboard.asks.value))

  const select = (contact: string | undefined) => {
    dashboard.select(contact)
    column.value = 'timeline'
  }
  return (
    <div class={`desk shows-${column.value}`}>
      <a
        class="skip"
        href="#timeline"
        onClick={(event) => {
          event.preventDefault()
          column.value = 'timeline'
          document.querySelector<HTMLElement>('#timeline [role=list]')?.focus()
        }}
      >
        Skip to the timeline
      </a>
      <aside class="agents" aria-label="Agents">
        <header class="bar">
          <span class="brand">Agent Bridge</span>
          <ConnectionWord dashboard={dashboard} />
        </header>
        <Roster dashboard={dashboard} list={targets.roster} onSelect={select} />
        <PageButtons />
      </aside>
      <main class="center" id="timeline">
        <header class="bar">
          <TimelineTitle dashboard={dashboard} />
        </header>
        <Toolbar find={targets.find} />
        <ConnectionLine dashboard={dashboard} />
        <Timeline dashboard={dashboard} rows={rows} list={targets.list} onSelect={select} />
      </main>
      <BottomBar asks={dashboard.asks.value} />
      <HelpDialog />
      <div class="hidden" role="log" aria-live="assertive">
        {announcement.value}
      </div>
    </div>
  )
}

function openDesk(secret: string) {
  const client = createClient({ url: location.origin, token: secret })
  const dashboard = new Dashboard({ client, onRefused: signOut })
  const rows = createTimelineRows(dashboard)
  const targets: KeyTargets = {
    dashboard,
    list: createRef<VirtualList<Row>>(),
    roster: createRef<HTMLDivElement>(),
    find: createRef<HTMLInputElement>(),
    rows: () => rows.peek(),
  }
  return { dashboard, rows, targets }
}

/** Tells a tab that is not in front whether anybody needs its person. */
function showAsks(asks: number): void {
  document.title = titleFor(asks)
  document.querySelector('link[rel=icon]')?.setAttribute('href', faviconFor(asks))
}
