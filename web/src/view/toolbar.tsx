import type { RefObject } from 'preact'
import { contactStates } from '../../../src/client/index.ts'
import { groups, groupWords } from '../model/groups.ts'
import { shortenPath } from '../model/short-path.ts'
import { visibleText } from '../model/visible-text.ts'
import type { Dashboard } from '../state/dashboard.ts'
import { group, openTurns, query, toggleAllTurns } from '../state/view-state.ts'
import { Icon } from './icon.tsx'
import { StateMark } from './state-mark.tsx'
import { Untrusted } from './untrusted.tsx'

/** Whose timeline it is. */
export function TimelineTitle({ dashboard }: { dashboard: Dashboard }) {
  const id = dashboard.selected.value
  const entry = dashboard.roster.value.find(({ contact }) => contact.id === id)
  if (!entry) return <h1 class="title">{id === undefined ? 'All agents' : 'An agent that is gone'}</h1>
  const { contact, state } = entry
  return (
    <h1 class="title">
      <StateMark state={state} />
      <Untrusted text={contact.name} />
      <span class="title-more">
        <Untrusted text={contact.agent} />
        <span title={visibleText(contact.directory)}>
          <Untrusted text={shortenPath(contact.directory)} />
        </span>
        <span class={`is-${state}`}>
          {contactStates[state].word}: <Untrusted text={contact.reason} />
        </span>
      </span>
    </h1>
  )
}

/** What of the timeline is shown. */
export function Toolbar({ find }: { find: RefObject<HTMLInputElement | null> }) {
  return (
    <div class="toolbar" role="toolbar" aria-label="What is shown">
      <div class="groups" role="group" aria-label="Kinds">
        {groups.map((name) => (
          <button
            type="button"
            key={name}
            class="chip"
            aria-pressed={group.value === name}
            onClick={() => (group.value = name)}
          >
            {groupWords[name]}
          </button>
        ))}
      </div>
      <button type="button" class="chip" aria-pressed={openTurns.value} onClick={toggleAllTurns}>
        Steps
      </button>
      <label class="find">
        <Icon name="find" />
        <span class="hidden">Find in the timeline</span>
        <input
          ref={find}
          type="search"
          placeholder="Find"
          value={query.value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => (query.value = event.currentTarget.value)}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
    </div>
  )
}
