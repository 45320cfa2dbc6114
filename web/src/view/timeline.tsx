import type { RefObject } from 'preact'
import { signal, type ReadonlySignal } from '@preact/signals'
import type { Row } from '../model/rows.ts'
import type { Dashboard } from '../state/dashboard.ts'
import { cursor, isNarrowed, query, rowView, toggle } from '../state/view-state.ts'
import { EdgeRow } from './edge-row.tsx'
import { Icon } from './icon.tsx'
import { TimelineRow } from './row.tsx'
import { countOf } from './step-words.ts'
import { VirtualList } from './virtual-list.tsx'
import type { RowContext } from './who.tsx'

export type TimelineList = VirtualList<Row>

/** Live events there were when the reader left the end; undefined at the end. */
const leftEndAt = signal<number | undefined>(undefined)

interface TimelineProps {
  readonly dashboard: Dashboard
  readonly rows: ReadonlySignal<readonly Row[]>
  readonly list: RefObject<TimelineList | null>
  readonly onSelect: (contact: string) => void
}

/** The live timeline of one contact or of all. */
export function Timeline({ dashboard, rows, list, onSelect }: TimelineProps) {
  const feed = dashboard.feed.value
  if (!feed) return null
  const loadEarlier = () => void dashboard.loadEarlier()
  const context: RowContext = {
    contacts: dashboard.contacts.value,
    selected: dashboard.selected.value,
    cursor: cursor.value,
    onToggle: (key) => {
      list.current?.holdStill()
      cursor.value = key
      toggle(key)
    },
    onFocus: (key) => (cursor.value = key),
    onSelect,
  }
  const isEmpty = rows.value.length === 1
  return (
    <div class="timeline">
      <VirtualList
        handle={list}
        label="Timeline"
        rows={rows.value}
        identity={`${feed.contact ?? ''}/${rowView.value.group}/${rowView.value.query}`}
        estimate={estimateHeight}
        isSteady={(row) => row.type !== 'edge' && row.type !== 'day'}
        renderRow={(row) =>
          row.type === 'edge' ? (
            <EdgeRow key={row.key} feed={feed} onLoadEarlier={loadEarlier} />
          ) : (
            <TimelineRow key={row.key} row={row} context={context} />
          )
        }
        onFollowing={(isFollowing) => {
          leftEndAt.value = isFollowing ? undefined : dashboard.liveEvents.peek()
        }}
        onNearTop={() => {
          // A narrowed timeline may be short because little matches: the reader decides how far to look.
          if (!isNarrowed.peek()) loadEarlier()
        }}
      />
      {isEmpty && dashboard.isLoaded.value && <Nothing dashboard={dashboard} />}
      <NewEvents dashboard={dashboard} onClick={() => list.current?.showEnd()} />
    </div>
  )
}

function NewEvents({ dashboard, onClick }: { dashboard: Dashboard; onClick: () => void }) {
  if (leftEndAt.value === undefined) return null
  const count = dashboard.liveEvents.value - leftEndAt.value
  return (
    <button type="button" class="new-events" onClick={onClick}>
      <Icon name="down" />
      {count > 0 ? countOf(count, 'new event') : 'To the end'}
    </button>
  )
}

function Nothing({ dashboard }: { dashboard: Dashboard }) {
  if (isNarrowed.value) {
    return (
      <p class="nothing">
        {query.value.trim() === '' ? 'Nothing of this kind here.' : 'Nothing found here.'}
      </p>
    )
  }
  if (dashboard.contacts.value.size > 0) return <p class="nothing">Nothing has happened here yet.</p>
  return (
    <p class="nothing">
      Wire an agent with <code>bridge wire claude</code> and start it, or watch a rehearsal with{' '}
      <code>bridge demo</code>.
    </p>
  )
}

/** What the style sheets give on a desk, for rows of one line; only rows that were never shown are placed by it. */
function estimateHeight(row: Row): number {
  if (row.type === 'day') return 40
  if (row.type === 'edge') return 44
  return 28 + (row.isFirst ? 6 : 0) + (row.isLast ? 7 : 0)
}
