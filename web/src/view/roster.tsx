import type { RefObject } from 'preact'
import type { RosterEntry } from '../model/roster.ts'
import { shortenPath } from '../model/short-path.ts'
import { formatAgo, formatExact } from '../model/times.ts'
import type { Dashboard } from '../state/dashboard.ts'
import { now } from '../state/signal-clock.ts'
import { StateMark, StateWord } from './state-mark.tsx'
import { Untrusted } from './untrusted.tsx'

interface RosterProps {
  readonly dashboard: Dashboard
  readonly list: RefObject<HTMLDivElement | null>
  readonly onSelect: (contact: string | undefined) => void
}

/** Every agent, those that need somebody first. */
export function Roster({ dashboard, list, onSelect }: RosterProps) {
  const roster = dashboard.roster.value
  const selected = dashboard.selected.value
  return (
    <div class="roster" role="listbox" aria-label="Agents" ref={list}>
      <div
        class="agent is-all"
        role="option"
        id="agent-all"
        aria-selected={selected === undefined}
        tabIndex={selected === undefined ? 0 : -1}
        onClick={() => onSelect(undefined)}
      >
        <span class="agent-name">All agents</span>
        <span class="agent-time">{roster.length > 0 && roster.length}</span>
      </div>
      {roster.map((entry) => (
        <Agent
          key={entry.contact.id}
          entry={entry}
          isSelected={entry.contact.id === selected}
          onSelect={() => onSelect(entry.contact.id)}
        />
      ))}
      {roster.length === 0 && dashboard.isLoaded.value && <p class="nothing">No agent was seen yet.</p>}
    </div>
  )
}

interface AgentProps {
  readonly entry: RosterEntry
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function Agent({ entry: { contact, state, doing, since }, isSelected, onSelect }: AgentProps) {
  return (
    <div
      class={`agent in-${state}`}
      role="option"
      data-contact={contact.id}
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      onClick={onSelect}
      title={contact.reason}
    >
      <StateMark state={state} />
      <span class="agent-head">
        <span class="agent-name">
          <Untrusted text={contact.name} />
        </span>
        <span class="agent-kind">
          <Untrusted text={contact.agent} />
        </span>
        <span class="agent-place" title={contact.directory}>
          <Untrusted text={shortenPath(contact.directory)} />
        </span>
      </span>
      <time class="agent-time" dateTime={new Date(since).toISOString()} title={formatExact(since)}>
        {formatAgo(now.value - since)}
      </time>
      <span class="agent-doing">
        <StateWord state={state} />
        {doing.tool !== undefined && (
          <span class="tool">
            <Untrusted text={doing.tool} />
          </span>
        )}
        <span class={doing.tool === undefined ? 'doing' : 'doing mono'}>
          <Untrusted text={doing.text} />
        </span>
      </span>
    </div>
  )
}
