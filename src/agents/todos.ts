import type { TodoItem } from '../protocol/index.ts'
import type { Fact } from './adapter.ts'
import { clip, fieldsOf, firstText, listOf, textOf, type Fields } from './fields.ts'

/** A list longer than this is no list a person reads. */
const maxItems = 200
const maxTextLength = 1_000

const statuses: ReadonlyMap<unknown, TodoItem['status']> = new Map<unknown, TodoItem['status']>([
  ['pending', 'pending'],
  ['in_progress', 'in_progress'],
  ['completed', 'completed'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
  ['deleted', 'cancelled'],
])

/** The whole list that `TodoWrite` was given; an entry with a status nobody knows is pending. */
export function todosOf(input: Fields): Fact | undefined {
  if (!Array.isArray(input.todos)) return undefined
  const items = listOf(input.todos)
    .slice(0, maxItems)
    .map((item) => {
      const todo = fieldsOf(item)
      return {
        text: firstText(todo, ['content', 'text', 'subject'], maxTextLength) ?? '',
        status: statuses.get(todo.status) ?? 'pending',
      }
    })
  return { type: 'event', event: { kind: 'todo.updated', items } }
}

/** The one entry that a use of `TaskCreate` or `TaskUpdate` made or changed. */
export function changedTask(tool: string, input: Fields, response: unknown): Fact | undefined {
  if (tool === 'TaskUpdate') {
    if (fieldsOf(response).success === false) return undefined
    return taskFact(input.taskId ?? input.task_id, input.subject, statuses.get(input.status))
  }
  if (tool !== 'TaskCreate') return undefined
  const task = fieldsOf(fieldsOf(response).task)
  const id = task.id ?? /^Task #(\S+) created/.exec(textOf(response) ?? '')?.[1]
  return taskFact(id, task.subject ?? input.subject, 'pending')
}

/** One entry, as the hooks `TaskCreated` and `TaskCompleted` tell of it. */
export function reportedTask(payload: Fields, status: TodoItem['status']): Fact | undefined {
  return taskFact(payload.task_id, payload.task_subject ?? payload.task_description, status)
}

function taskFact(id: unknown, text: unknown, status: TodoItem['status'] | undefined): Fact | undefined {
  const known = typeof id === 'number' ? String(id) : textOf(id)
  if (known === undefined) return undefined
  const subject = textOf(text)
  return {
    type: 'task',
    id: clip(known, 100),
    ...(subject !== undefined && { text: clip(subject, maxTextLength) }),
    ...(status && { status }),
  }
}
