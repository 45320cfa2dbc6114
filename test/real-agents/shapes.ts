import type { HookPayload } from './recorder.ts'

/** The fields of every kind of hook with the types they were seen with: `Stop` → `background_tasks[].id` → string. */
export type Shapes = Map<string, Map<string, Set<string>>>

/** Reads the shapes off payloads. What a tool puts into its hooks belongs to the tool: `PreToolUse(Read)`. */
export function shapesOf(payloads: readonly HookPayload[]): Shapes {
  const shapes: Shapes = new Map()
  for (const payload of payloads) {
    const tool = payload['tool_name']
    const name = typeof tool === 'string' ? `${payload.hook_event_name}(${tool})` : payload.hook_event_name
    const fields = shapes.get(name) ?? new Map<string, Set<string>>()
    shapes.set(name, fields)
    for (const [key, value] of Object.entries(payload)) note(fields, key, value)
  }
  return shapes
}

function note(fields: Map<string, Set<string>>, path: string, value: unknown): void {
  const types = fields.get(path) ?? new Set<string>()
  fields.set(path, types.add(typeOf(value)))
  if (Array.isArray(value)) for (const item of value) note(fields, `${path}[]`, item)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) note(fields, `${path}.${key}`, inner)
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Says in lines how shapes changed: hooks new and gone, fields added, removed and of another type. */
export function changesBetween(before: Shapes, after: Shapes): string[] {
  const lines: string[] = []
  for (const [name, was, is] of sideBySide(before, after)) {
    if (!was) lines.push(`+ ${name} is new`)
    else if (!is) lines.push(`- ${name} is gone`)
    else lines.push(...fieldChanges(name, was, is))
  }
  return lines
}

function fieldChanges(hook: string, before: Map<string, Set<string>>, after: Map<string, Set<string>>) {
  const lines: string[] = []
  for (const [path, was, is] of sideBySide(before, after)) {
    if (!was) lines.push(`+ ${hook}.${path} (${names(is)})`)
    else if (!is) lines.push(`- ${hook}.${path} (${names(was)})`)
    else if (names(was) !== names(is)) lines.push(`~ ${hook}.${path}: ${names(was)} → ${names(is)}`)
  }
  return lines
}

function sideBySide<Value>(before: Map<string, Value>, after: Map<string, Value>) {
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  return keys.map((key) => [key, before.get(key), after.get(key)] as const)
}

function names(types: Set<string> | undefined): string {
  return [...(types ?? [])].toSorted().join(' | ')
}
