import { walkSteps, type Item, type Step, type Turn } from './steps.ts'

/** What the timeline can be narrowed to. */
export const groups = ['all', 'messages', 'tools', 'permissions', 'sessions', 'problems'] as const
export type Group = (typeof groups)[number]

export const groupWords: Readonly<Record<Group, string>> = {
  all: 'Everything',
  messages: 'Messages',
  tools: 'Tools',
  permissions: 'Permissions',
  sessions: 'Sessions',
  problems: 'Problems',
}

/** The group after this one, and after the last the first. */
export function nextGroup(group: Group): Group {
  return groups[(groups.indexOf(group) + 1) % groups.length] ?? 'all'
}

/** Whether a step belongs to a group; a failed tool is a tool and a problem. */
export function isInGroup({ body }: Step, group: Group): boolean {
  switch (body.type) {
    case 'activity':
      return (
        group === 'tools' || (group === 'problems' && (body.outcome === 'failed' || body.truncated === true))
      )
    case 'subagent':
      return group === 'tools' || (group === 'problems' && body.outcome === 'error')
    case 'todo':
      return group === 'tools'
    case 'request':
      return group === 'permissions' || (group === 'problems' && body.answer?.decision === 'deny')
    case 'text':
    case 'thinking':
    case 'inbound':
    case 'notification':
      return group === 'messages'
    case 'question':
      return group === 'messages' || group === 'permissions'
    case 'gap':
      return true
    case 'unknown':
      return group === 'problems' && body.truncated === true
    default:
      return group === 'sessions'
  }
}

/** Whether a turn itself went wrong. */
export function isProblem(turn: Turn): boolean {
  return turn.outcome === 'error' || turn.outcome === 'aborted'
}

/** Words to look for, as {@link matchesWords} takes them. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Whether a text contains every word, whatever their case and order. */
export function matchesWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

/** Everything of a step that a person may look for. */
export function textOfStep({ body }: Step): string {
  switch (body.type) {
    case 'activity':
      return join(body.activity.tool, body.activity.summary, body.output, body.error)
    case 'request':
      return join(body.activity?.tool, body.activity?.summary, body.description, body.answer?.reason)
    case 'question':
      return join(body.text, ...body.options)
    case 'todo':
      return join(...body.items.map((item) => item.text))
    case 'subagent':
      return join(body.kind, body.task)
    case 'notification':
    case 'thinking':
    case 'text':
      return join(body.text)
    case 'inbound':
      return join(body.text, body.chatId)
    case 'session':
      return join('session', body.phase, body.cause)
    case 'offline':
      return join('offline', body.reason)
    case 'control':
      return body.name
    case 'compaction':
      return 'compacts its context'
    default:
      return ''
  }
}

/** Every step of an item, with those of subagents. */
export function allSteps(item: Item): Iterable<Step> {
  return walkSteps(item.steps)
}

function join(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('\n')
}
