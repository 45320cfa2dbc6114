import { signal } from '@preact/signals'
import { Component, type RefObject } from 'preact'
import type { RosterEntry } from '../model/roster.ts'
import { shortenPath } from '../model/short-path.ts'
import { formatAgo, formatExact } from '../model/times.ts'
import { visibleText } from '../model/visible-text.ts'
import type { Dashboard } from '../state/dashboard.ts'
import { now } from '../state/signal-clock.ts'
import { StateMark, StateWord } from './state-mark.tsx'
import { Untrusted } from './untrusted.tsx'

interface RosterProps {
  readonly dashboard: Dashboard
  readonly list: RefObject<HTMLDivElement | null>
  readonly onSelect: (contact: string | undefined) => void
}

/** Agents that are gone may be many, and nobody looks for one far down. */
const maxOffline = 12
const showsAllOffline = signal(false)

/** Every agent, those that need somebody first. */
export function Roster({ dashboard, list, onSelect }: RosterProps) {
  const roster = dashboard.roster.value
  const selected = dashboard.selected.value
  const offline = roster.filter(({ state }) => state === 'offline')
  const hidden = showsAllOffline.value ? 0 : Math.max(0, offline.length - maxOffline)
  const leftOut = new Set(
    offline.slice(offline.length - hidden).filter(({ contact }) => contact.id !== selected),
  )
  const shown = roster.filter((entry) => !leftOut.has(entry))
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
      {shown.map((entry) => (
        <Agent
          key={entry.contact.id}
          entry={entry}
          isSelected={entry.contact.id === selected}
          onSelect={onSelect}
        />
      ))}
      {hidden > 0 && (
        <button type="button" class="quiet-button" onClick={() => (showsAllOffline.value = true)}>
          {hidden} more offline
        </button>
      )}
      {roster.length === 0 && dashboard.isLoaded.value && <p class="nothing">No agent was seen yet.</p>}
    </div>
  )
}

interface AgentProps {
  readonly entry: RosterEntry
  readonly isSelected: boolean
  readonly onSelect: (contact: string) => void
}

/** One agent; drawn again only when something of it changed, since the roster changes with every event. */
class Agent extends Component<AgentProps> {
  override shouldComponentUpdate(next: Readonly<AgentProps>): boolean {
    return next.entry !== this.props.entry || next.isSelected !== this.props.isSelected
  }

  override render({ entry, isSelected, onSelect }: AgentProps) {
    const { contact, state, doing, since } = entry
    return (
      <div
        class={`agent in-${state}`}
        role="option"
        data-contact={contact.id}
        aria-selected={isSelected}
        tabIndex={isSelected ? 0 : -1}
        onClick={() => onSelect(contact.id)}
        title={visibleText(contact.reason)}
      >
        <StateMark state={state} />
        <span class="agent-head">
          <span class="agent-name">
            <Untrusted text={contact.name} />
          </span>
          <span class="agent-kind">
            <Untrusted text={contact.agent} />
          </span>
          <span class="agent-place" title={visibleText(contact.directory)}>
            <Untrusted text={shortenPath(contact.directory)} />
          </span>
        </span>
        <Since ts={since} />
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
}

function Since({ ts }: { ts: number }) {
  return (
    <time class="agent-time" dateTime={new Date(ts).toISOString()} title={formatExact(ts)}>
      {formatAgo(now.value - ts)}
    </time>
  )
}
