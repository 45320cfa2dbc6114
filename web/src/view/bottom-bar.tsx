import { column } from '../state/view-state.ts'
import { Icon } from './icon.tsx'
import { StateMark } from './state-mark.tsx'

/** The way between the columns on a phone. */
export function BottomBar({ asks }: { asks: number }) {
  return (
    <nav class="bottom-bar" aria-label="Columns">
      <button
        type="button"
        aria-current={column.value === 'agents' ? 'page' : undefined}
        onClick={() => (column.value = 'agents')}
      >
        <Icon name="people" />
        Agents
        {asks > 0 && (
          <span class="badge is-asks">
            <StateMark state="asks" />
            {asks}
            <span class="hidden"> ask</span>
          </span>
        )}
      </button>
      <button
        type="button"
        aria-current={column.value === 'timeline' ? 'page' : undefined}
        onClick={() => (column.value = 'timeline')}
      >
        <Icon name="lines" />
        Timeline
      </button>
    </nav>
  )
}
