import type { ActivityRef, AgentEvent } from '../protocol/index.ts'

/** Keys of the agent's record and their new values (seed agent-bridge-readme, "Firebase sync (optional)"). */
export type FirebaseUpdate = Readonly<Record<string, unknown>>

/**
 * What an event changes in the record; nothing for most. `working` is only what turns say: a session that has
 * just started, a compaction by hand and a task in the background are no turn in progress.
 */
export function firebaseUpdateOf(event: AgentEvent): FirebaseUpdate {
  switch (event.kind) {
    case 'session.started':
      return { starting: true, lastMessage: null, working: false }
    case 'session.ended':
      return { working: false }
    case 'turn.started':
      return { starting: false, working: true }
    case 'turn.ended':
      return {
        working: false,
        ...(event.last_assistant_text !== undefined && { lastMessage: messageOf(event.last_assistant_text) }),
      }
    case 'activity.started':
      return { preToolUse: toolOf(event.activity) }
    case 'activity.finished':
    case 'activity.failed':
      return { postToolUse: toolOf(event.activity) }
    case 'permission.requested':
      return {
        permissionRequest: {
          request_id: event.request_id,
          activity: event.activity ?? null,
          description: event.description ?? null,
        },
      }
    case 'permission.resolved':
      return { permissionRequest: null }
    default:
      return {}
  }
}

function messageOf(text: string) {
  return { summary: text, blocks: [text] }
}

function toolOf({ tool, kind, summary }: ActivityRef) {
  return { tool, kind, summary }
}
