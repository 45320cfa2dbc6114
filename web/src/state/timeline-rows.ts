import { computed, type ReadonlySignal } from '@preact/signals'
import { RowBuilder, type Row } from '../model/rows.ts'
import type { Dashboard } from './dashboard.ts'
import { rowView } from './view-state.ts'

/** The rows of the timeline that is shown, under what narrows and opens it. */
export function createTimelineRows(dashboard: Dashboard): ReadonlySignal<readonly Row[]> {
  const builder = new RowBuilder()
  return computed(() => {
    void dashboard.changes.value
    return builder.build(dashboard.feed.value?.timeline.items ?? [], rowView.value)
  })
}
