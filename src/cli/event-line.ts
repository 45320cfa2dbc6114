import type { KnownFrame } from '../client/known-frames.ts'
import type { LogFrame } from '../client/stream-items.ts'
import type { ActivityRef, AgentEvent } from '../protocol/index.ts'
import { safeLine } from './safe-text.ts'
import type { Hue } from './style.ts'

/** What one frame of the log says, in parts a line is put together from. Everything in it is printable. */
export interface EventLine {
  /** One cell wide. */
  readonly icon: string
  readonly hue: Hue | undefined
  readonly text: string
  /** Less important than the text. */
  readonly detail?: string
  /** How long what has ended took. */
  readonly durationMs?: number | undefined
}

/**
 * One frame as one line; undefined for what another frame says already: a `permission_request` follows its
 * `permission.requested`, and a `permission_resolved` by the agent its `permission.resolved`.
 */
export function describeFrame(frame: LogFrame): EventLine | undefined {
  switch (frame.type) {
    case 'agent_event':
      return describeEvent(frame.event)
    case 'inbound_message':
      return { icon: '✉', hue: undefined, text: safeLine(frame.content), detail: 'message to all clients' }
    case 'permission_request':
      return undefined
    case 'permission_resolved':
      if (frame.by === 'agent' && frame.behavior !== undefined) return undefined
      return frame.behavior === undefined
        ? line('◇', 'grey', 'request closed', safeLine(frame.reason ?? ''))
        : line('◇', undefined, frame.behavior === 'allow' ? 'allowed' : 'denied', `by ${safeLine(frame.by)}`)
    case 'contact_changed':
      return describeChange(frame)
    default:
      return describeControl(frame.frame)
  }
}

function describeChange(frame: KnownFrame & { type: 'contact_changed' }): EventLine | undefined {
  const { state, change } = frame
  const about = safeLine(`${state.agent} in ${state.directory}`)
  if (change === 'connect') return line('+', 'green', 'connected', about)
  if (change === 'revive') return line('+', 'green', 'is back', about)
  if (change === 'offline') return line('○', 'grey', 'went offline', safeLine(state.reason))
  // A change of health or session follows from the events beside it.
  return undefined
}

/** Frames for robots and whatever else was broadcast: their type and their fields. */
function describeControl(frame: Readonly<Record<string, unknown>>): EventLine {
  const { type, seq: _seq, contact: _contact, ...fields } = frame
  return line(
    '⚙',
    'grey',
    safeLine(typeof type === 'string' ? type : 'broadcast'),
    safeLine(JSON.stringify(fields), 200),
  )
}

function describeEvent(event: AgentEvent): EventLine {
  switch (event.kind) {
    case 'session.started':
      return line('◇', 'grey', 'session started', reasonOf(event.cause))
    case 'session.ended':
      return timed(line('◇', 'grey', 'session ended', reasonOf(event.cause)), event.duration_ms)
    case 'turn.started':
      return line('┌', 'blue', 'turn', event.cause === 'prompt' ? '' : reasonOf(event.cause))
    case 'turn.ended':
      return describeTurnEnd(event)
    case 'message.user':
      return line('❯', 'bold', safeLine(event.text))
    case 'message.assistant':
      return line('▌', undefined, safeLine(event.text), subagentOf(event.subagent_id))
    case 'thinking':
      return line('…', 'grey', safeLine(event.text))
    case 'activity.started':
      return line('→', 'grey', activityOf(event.activity), subagentOf(event.subagent_id))
    case 'activity.finished':
      return timed(
        line('✓', 'green', activityOf(event.activity), subagentOf(event.subagent_id)),
        event.duration_ms,
      )
    case 'activity.failed':
      return describeFailedActivity(event)
    case 'permission.requested':
      return line(
        '◆',
        'amber',
        `asks ${event.activity ? activityOf(event.activity) : safeLine(event.description ?? 'for permission')}`,
        event.activity ? safeLine(event.description ?? '') : '',
      )
    case 'permission.resolved':
      return line('◇', undefined, event.decision === 'allow' ? 'allowed' : 'denied', reasonOf(event.scope))
    case 'todo.updated':
      return describeTodos(event)
    case 'subagent.started':
      return line('↳', 'blue', safeLine(`subagent ${event.subagent_type ?? ''}`), safeLine(event.task ?? ''))
    case 'subagent.finished':
      return line('↲', 'blue', 'subagent finished', reasonOf(event.cause))
    case 'agent.question':
      return line('◆', 'amber', `asks ${safeLine(event.text)}`, safeLine((event.options ?? []).join(' / ')))
    case 'context.compacting':
      return line('⇊', 'grey', 'compacting the context', reasonOf(event.trigger))
    case 'notification':
      return line('!', undefined, safeLine(event.text ?? 'notification'))
    default:
      return line('·', 'grey', 'unknown hook')
  }
}

function describeTurnEnd(event: AgentEvent & { kind: 'turn.ended' }): EventLine {
  const failed = event.cause === 'error'
  const background = event.background_tasks ? `${event.background_tasks} in the background` : ''
  const text = failed
    ? `turn failed${event.error_message === undefined ? '' : `: ${safeLine(event.error_message)}`}`
    : `turn ${event.cause === 'aborted' ? 'interrupted' : 'ended'}`
  return timed(line('└', failed ? 'red' : 'blue', text, background), event.duration_ms)
}

function describeFailedActivity(event: AgentEvent & { kind: 'activity.failed' }): EventLine {
  const how = { permission_denied: 'not permitted', interrupted: 'interrupted', timeout: 'timed out' }
  const kind = event.failure_kind
  const word = kind === undefined || kind === 'error' || kind === 'unknown' ? '' : how[kind]
  const detail = join(word, safeLine(event.error_message ?? '', 300), subagentOf(event.subagent_id))
  return timed(line('✗', 'red', activityOf(event.activity), detail), event.duration_ms)
}

function describeTodos(event: AgentEvent & { kind: 'todo.updated' }): EventLine {
  const done = event.items.filter((item) => item.status === 'completed').length
  const current = event.items.find((item) => item.status === 'in_progress')
  return line('☰', 'grey', `${done} of ${event.items.length} done`, safeLine(current?.text ?? ''))
}

function line(icon: string, hue: Hue | undefined, text: string, detail = ''): EventLine {
  return { icon, hue, text, ...(detail !== '' && { detail }) }
}

function timed(what: EventLine, durationMs: number | undefined): EventLine {
  return { ...what, durationMs }
}

function activityOf(activity: ActivityRef): string {
  return safeLine(`${activity.tool}  ${activity.summary}`)
}

function subagentOf(id: string | undefined): string {
  return id === undefined ? '' : 'in a subagent'
}

function reasonOf(cause: string | undefined): string {
  return cause === undefined || cause === 'unknown' || cause === 'completed' ? '' : cause.replaceAll('_', ' ')
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}
