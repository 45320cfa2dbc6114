import type { Contact } from '../../../src/protocol/index.ts'
import type { Item } from '../model/steps.ts'
import { Untrusted } from './untrusted.tsx'

/** What rows need to know of the page around them. */
export interface RowContext {
  readonly contacts: ReadonlyMap<string, Contact>
  /** The only contact shown, whose name need not be said. */
  readonly selected: string | undefined
  readonly cursor: string | undefined
  onToggle(key: string): void
  onFocus(key: string): void
  onSelect(contact: string): void
}

/** Whose row it is; in a timeline of all, a way to that contact's own. */
export function Who({ item, context, isShown }: { item: Item; context: RowContext; isShown: boolean }) {
  const { contact } = item
  if (!isShown) return <span class="who" />
  const name = nameOf(item, context)
  if (contact === undefined || contact === context.selected) {
    return <span class="who">{name !== undefined && <Untrusted text={name} />}</span>
  }
  return (
    <span class="who">
      <button type="button" class="who-link" tabIndex={-1} onClick={() => context.onSelect(contact)}>
        <Untrusted text={name ?? contact} />
      </button>
    </span>
  )
}

/** The name of an item's contact, or of its agent where the contact is not known. */
function nameOf(item: Item, { contacts }: RowContext): string | undefined {
  return (item.contact === undefined ? undefined : contacts.get(item.contact)?.name) ?? item.agent
}
