import type { Fact } from '../adapter.ts'
import type { HookRun } from './run.ts'

/** A list longer than this is no list a person reads. */
const maxTasks = 200

/** One entry of the agent's task list; the whole list goes out when that changes it. */
export function takeTask(run: HookRun, { id, text, status }: Extract<Fact, { type: 'task' }>): void {
  const { tasks } = run.memory
  const before = tasks.find((task) => task.id === id)
  const after = {
    id,
    text: text ?? before?.text ?? `#${id}`,
    // A creation is told twice, and the second time may come after the first change.
    status: (status === 'pending' ? before?.status : undefined) ?? status ?? before?.status ?? 'pending',
  }
  if (before && before.text === after.text && before.status === after.status) return
  const list = before ? tasks.map((task) => (task === before ? after : task)) : [...tasks, after]
  const kept = list.slice(-maxTasks)
  run.emit(
    { kind: 'todo.updated', items: kept.map(({ text, status }) => ({ text, status })) },
    { tasks: kept.map((task) => task.id) },
  )
}
