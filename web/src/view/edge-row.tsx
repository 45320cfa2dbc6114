import type { Feed } from '../state/feed.ts'
import { defaultMaxEvents } from '../model/timeline.ts'

/** The top of what is loaded: more can be loaded, is being loaded, or this is where it begins. */
export function EdgeRow({ feed, onLoadEarlier }: { feed: Feed; onLoadEarlier: () => void }) {
  return (
    <div class="row is-edge" role="listitem" data-key="edge">
      {feed.canLoadEarlier ? (
        <button type="button" class="quiet-button" onClick={onLoadEarlier}>
          Load earlier events
        </button>
      ) : (
        edgeWords(feed)
      )}
    </div>
  )
}

function edgeWords(feed: Feed): string {
  if (feed.isLoading) return 'Loading earlier events'
  if (feed.timeline.trimmed)
    return `This page holds the newest ${defaultMaxEvents.toLocaleString()} events; what is older stays in the bridge`
  return feed.isTrimmedThere ? 'Older events were trimmed from history' : 'History begins here'
}
