import { describe, expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import type { AgentEvent } from '../protocol/index.ts'
import { firebaseUpdateOf } from './firebase-state.ts'

const activity = { id: 'a1', kind: 'shell.exec', tool: 'Bash', summary: 'npm test' } as const
const tool = { tool: 'Bash', kind: 'shell.exec', summary: 'npm test' }

const rows: [AgentEvent, Record<string, unknown>][] = [
  [
    { kind: 'session.started', cause: 'startup' },
    { starting: true, lastMessage: null, working: false },
  ],
  [
    { kind: 'turn.started', prompt: 'hi' },
    { starting: false, working: true },
  ],
  [{ kind: 'activity.started', activity }, { preToolUse: tool }],
  [{ kind: 'activity.finished', activity }, { postToolUse: tool }],
  [{ kind: 'activity.failed', activity }, { postToolUse: tool }],
  [
    { kind: 'permission.requested', request_id: 'r1', activity, description: 'tests' },
    { permissionRequest: { request_id: 'r1', activity, description: 'tests' } },
  ],
  [
    { kind: 'permission.requested', request_id: 'r1' },
    { permissionRequest: { request_id: 'r1', activity: null, description: null } },
  ],
  [{ kind: 'permission.resolved', request_id: 'r1', decision: 'deny' }, { permissionRequest: null }],
  [
    { kind: 'turn.ended', cause: 'completed', last_assistant_text: 'done' },
    { working: false, lastMessage: { summary: 'done', blocks: ['done'] } },
  ],
  [{ kind: 'turn.ended', cause: 'error' }, { working: false }],
  [{ kind: 'session.ended' }, { working: false }],
  [{ kind: 'context.compacting', trigger: 'manual' }, {}],
  [{ kind: 'message.user', text: 'hi' }, {}],
  [{ kind: 'thinking', text: 'hm' }, {}],
  [{ kind: 'unknown' }, {}],
]

describe('what an event changes in the Firebase record', () => {
  test.each(rows)('%j', (event, update) => {
    expect(firebaseUpdateOf(event)).toEqual(update)
  })

  test(
    'working holds from the start of a turn to its end, and never outside' + verifies('A:firebase.working'),
    () => {
      const session: AgentEvent[] = [
        { kind: 'session.started' },
        { kind: 'context.compacting', trigger: 'manual' },
        { kind: 'turn.started' },
        { kind: 'activity.started', activity },
        { kind: 'activity.finished', activity },
        { kind: 'turn.ended' },
        // A subagent in the background goes on after the end of its turn.
        { kind: 'activity.started', activity },
        { kind: 'session.ended' },
      ]
      let working: unknown = false
      const seen = session.map((event) => (working = firebaseUpdateOf(event)['working'] ?? working))
      expect(seen).toEqual([false, false, true, true, true, false, false, false])
    },
  )
})
