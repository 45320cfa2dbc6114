import type { EventEntry } from './entries.ts'
import type { Item, Step, StepBody } from './steps.ts'

/** Where a step is. */
export interface StepPlace {
  readonly step: Step
  readonly item: Item
}

/** The steps of one contact by name, such as `activity:42`; requests have one name for all contacts. */
export interface StepIndex {
  find(name: string): StepPlace | undefined
  remember(name: string, step: Step): void
  findRequest(id: string): StepPlace | undefined
  rememberRequest(id: string, step: Step): void
}

/** Applies one event, other than a session's, to the item it belongs to. */
export function applyEvent(item: Item, entry: EventEntry, index: StepIndex): void {
  const { event, seq, ts } = entry
  const add = (body: StepBody, parentId?: string): Step => {
    const step: Step = { key: item.type === 'note' ? item.key : `${item.key}/${seq}`, ts, seq, body }
    const parent = parentId === undefined ? undefined : index.find(`subagent:${parentId}`)
    if (parent?.item === item && parent.step.body.type === 'subagent') parent.step.body.children.push(step)
    else item.steps.push(step)
    return step
  }

  switch (event.kind) {
    case 'turn.started':
      applyStart(item, entry, event, add)
      break
    case 'turn.ended':
      applyEnd(item, entry, event, add)
      break
    case 'message.user':
      if (item.type === 'turn' && item.prompt === undefined && item.steps.length === 0) {
        item.prompt = event.text
      } else if (item.type !== 'turn' || item.prompt !== event.text) {
        add({ type: 'text', from: 'user', text: event.text })
      }
      break
    case 'message.assistant':
      if (event.final && item.type === 'turn' && event.subagent_id === undefined) {
        setReply(item, event.text, entry, add)
      } else {
        const { text, subagent_id: subagentId } = event
        add({ type: 'text', from: 'assistant', text, subagentId }, subagentId)
      }
      break
    case 'thinking':
      add({ type: 'thinking', text: event.text })
      break
    case 'activity.started':
    case 'activity.finished':
    case 'activity.failed':
      applyActivity(event, index, add)
      break
    case 'permission.requested':
    case 'permission.resolved':
      applyPermission(event, ts, index, add)
      break
    case 'todo.updated':
      applyTodo(item, event.items, add)
      break
    case 'subagent.started':
    case 'subagent.finished':
      applySubagent(event, index, add)
      break
    case 'agent.question':
      add({ type: 'question', text: event.text, options: event.options ?? [] })
      break
    case 'context.compacting':
      add({ type: 'compaction', trigger: event.trigger, usagePercent: event.context_usage_percent })
      break
    case 'notification':
      add({ type: 'notification', text: event.text })
      break
    default:
      add({ type: 'unknown', truncated: 'truncated' in event && event.truncated === true })
  }
}

type Add = (body: StepBody, parentId?: string) => Step
type EventOf<K extends string> = Extract<EventEntry['event'], { kind: K }>

function applyStart(item: Item, entry: EventEntry, event: EventOf<'turn.started'>, add: Add): void {
  if (item.type !== 'turn') return
  const isFirst = item.entries.length === 1
  if (isFirst) {
    item.begun = true
    item.cause = event.cause
    item.prompt = event.prompt
    return
  }
  // What was taken for the end was not: what it said then is one of its steps.
  if (item.reply) add({ type: 'text', from: 'assistant', text: item.reply.text })
  item.reply = undefined
  item.outcome = 'running'
  item.endedAt = undefined
  item.durationMs = undefined
  item.error = undefined
  add({ type: 'continued', cause: event.cause })
}

function applyEnd(item: Item, entry: EventEntry, event: EventOf<'turn.ended'>, add: Add): void {
  if (item.type !== 'turn') {
    add({ type: 'unknown' })
    return
  }
  item.outcome = event.cause ?? 'completed'
  item.endedAt = entry.ts
  item.durationMs = event.duration_ms ?? (item.begun ? entry.ts - item.ts : undefined)
  item.error = event.error_message
  item.backgroundTasks = event.background_tasks ?? 0
  if (event.last_assistant_text !== undefined) setReply(item, event.last_assistant_text, entry, add)
}

function setReply(item: Item, text: string, { ts, seq }: EventEntry, add: Add): void {
  if (item.type !== 'turn' || item.reply?.text === text) return
  if (item.reply) add({ type: 'text', from: 'assistant', text: item.reply.text })
  const last = item.steps.at(-1)?.body
  // The last thing it said and its reply are the same words.
  if (last?.type === 'text' && last.from === 'assistant' && last.text === text) item.steps.pop()
  item.reply = { text, ts, seq }
}

function applyActivity(
  event: EventOf<'activity.started' | 'activity.finished' | 'activity.failed'>,
  index: StepIndex,
  add: Add,
): void {
  const name = `activity:${event.activity.id}`
  const known = index.find(name)?.step.body
  const isOpen = known?.type === 'activity' && known.outcome === 'running'
  const body: Extract<StepBody, { type: 'activity' }> = {
    type: 'activity',
    activity: event.activity,
    outcome: 'running',
    subagentId: event.subagent_id,
    truncated: event.truncated ?? (isOpen ? known.truncated : undefined),
  }
  if (event.kind !== 'activity.started') {
    body.outcome = event.kind === 'activity.finished' ? 'finished' : 'failed'
    body.durationMs = event.duration_ms
  }
  if (event.kind === 'activity.finished') {
    body.output = event.output_preview
    body.contentLength = event.content_length
  }
  if (event.kind === 'activity.failed') {
    body.error = event.error_message
    body.failure = event.failure_kind
  }
  if (isOpen) Object.assign(known, body)
  else index.remember(name, add(body, event.subagent_id))
}

function applyPermission(
  event: EventOf<'permission.requested' | 'permission.resolved'>,
  ts: number,
  index: StepIndex,
  add: Add,
): void {
  const { request_id: requestId } = event
  const known = index.findRequest(requestId)?.step.body
  if (event.kind === 'permission.requested') {
    if (known) return
    const { activity, description } = event
    index.rememberRequest(requestId, add({ type: 'request', requestId, activity, description }))
    return
  }
  const answer = { ts, decision: event.decision, scope: event.scope }
  if (known?.type === 'request') known.answer = { ...known.answer, ...answer }
  else index.rememberRequest(requestId, add({ type: 'request', requestId, answer }))
}

/** A turn has one list, where it was first told, and it shows the newest state. */
function applyTodo(item: Item, items: EventOf<'todo.updated'>['items'], add: Add): void {
  const known = item.steps.find((step) => step.body.type === 'todo')
  if (known) known.body = { type: 'todo', items }
  else add({ type: 'todo', items })
}

function applySubagent(
  event: EventOf<'subagent.started' | 'subagent.finished'>,
  index: StepIndex,
  add: Add,
): void {
  const name = `subagent:${event.subagent_id}`
  const known = index.find(name)?.step.body
  if (event.kind === 'subagent.started') {
    const { subagent_id: id, subagent_type: kind, task } = event
    index.remember(name, add({ type: 'subagent', id, kind, task, outcome: 'running', children: [] }))
  } else if (known?.type === 'subagent') known.outcome = event.cause ?? 'completed'
  else {
    const { subagent_id: id, cause: outcome = 'completed' } = event
    index.remember(name, add({ type: 'subagent', id, outcome, children: [] }))
  }
}
