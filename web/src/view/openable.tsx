import type { ComponentChildren } from 'preact'
import type { OpenableRow } from '../model/rows.ts'
import type { RowContext } from './who.tsx'

interface OpenableProps {
  readonly row: OpenableRow
  readonly context: RowContext
  readonly class: string
  readonly children: ComponentChildren
}

/** A row that opens and closes by a click anywhere on it, by Enter, and by its own small button. */
export function Openable({ row, context, class: className, children }: OpenableProps) {
  const { key, isOpen, isFirst, isLast } = row
  const places = `${isFirst ? ' is-first' : ''}${isLast ? ' is-last' : ''}${isOpen ? ' is-open' : ''}`
  return (
    <div
      class={`row ${className}${places}`}
      role="listitem"
      data-key={key}
      tabIndex={context.cursor === key ? 0 : -1}
      onFocus={() => context.onFocus(key)}
      onClick={(event) => {
        if (!isForSomethingElse(event)) context.onToggle(key)
      }}
    >
      {children}
      <button type="button" class="opener" tabIndex={-1} aria-expanded={isOpen}>
        <span class="hidden">{isOpen ? 'Close' : 'Open'}</span>
      </button>
    </div>
  )
}

/** A click that selected text, or went to a link, or into what is open already. */
function isForSomethingElse(event: MouseEvent): boolean {
  const { target } = event
  if (target instanceof Element && target.closest('.details, a, button:not(.opener)')) return true
  return getSelection()?.isCollapsed === false
}
