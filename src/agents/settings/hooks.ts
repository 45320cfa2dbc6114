import { isDeepStrictEqual } from 'node:util'
import {
  appendChildren,
  applyTextEdits,
  contentOf,
  lineIndent,
  parseJsonText,
  propertyOf,
  removeChildren,
  renderJson,
  unparseable,
  valueOf,
  type JsonText,
  type Node,
  type TextEdit,
} from './json.ts'

/** One hook as it stands in a settings file. */
export type HookEntry = Readonly<Record<string, unknown>>

/** How a kind of settings file holds hooks, and which of them are ours. */
export interface HooksForm {
  readonly isOurs: (entry: HookEntry, event: string) => boolean
  /** `{"hooks": {EVENT: [ENTRY]}}` instead of `{"hooks": {EVENT: [{"matcher"?, "hooks": [ENTRY]}]}}`. */
  readonly flat?: boolean | undefined
  /** Keys beside `hooks` that the file must have, with the values they get where they are missing. */
  readonly required?: Readonly<Record<string, unknown>> | undefined
}

/** The hooks we want in a file. */
export interface WantedHooks extends HooksForm {
  /** Our entry for each event. */
  readonly events: ReadonlyMap<string, HookEntry>
}

/** One of our entries, found in a file. */
export interface FoundHook {
  readonly event: string
  readonly matcher: string | undefined
  readonly entry: HookEntry
  /** Where it stands: which group of the event, and which hook of the group (0 in a flat file). */
  readonly group: number
  readonly index: number
}

export interface HooksEdit {
  readonly text: string
  /** Our entries were there before. */
  readonly had: boolean
  /** The containers and keys that were made: `` for the file's object, `hooks`, `hooks.EVENT`. */
  readonly created: readonly string[]
  readonly notes: readonly string[]
}

/** Keys that say what a hook does; others (`if`, `statusMessage`) are left to whoever wrote them. */
const formKeys = ['type', 'command', 'args', 'shell', 'url', 'headers', 'allowedEnvVars', 'timeout']

/**
 * Brings a file to exactly one entry of ours for each wanted event: adds what is missing, updates what differs
 * where it stands (also under another matcher, or in `command` and `args`), removes what is there twice or no longer
 * wanted. Everything else stays to the byte.
 *
 * @throws BridgeError `settings_unparseable`
 */
export function addHooks(path: string, before: string, wanted: WantedHooks): HooksEdit {
  const blank = before.trim() === ''
  const start = blank ? `{}\n` : before
  const had = locate(parseJsonText(path, start), wanted).length > 0
  const pruned = removeLocated(path, start, wanted, undefined, (hook, index, all) => {
    // Of several entries for one event the first stays.
    const first = all.findIndex(({ event }) => event === hook.event) === index
    return !first || !wanted.events.has(hook.event)
  })

  const json = parseJsonText(path, pruned)
  const kept = locate(json, wanted)
  const notes: string[] = []
  const edits: TextEdit[] = []
  for (const { event, entry, entryNode, matcher } of kept) {
    const update = merge(entry, wanted.events.get(event) ?? {})
    if (matcher) notes.push(`the hook of ${event} stands under the matcher "${matcher}" and runs only for it`)
    if (isDeepStrictEqual(update, entry)) continue
    const content = renderJson(json, update, lineIndent(json.text, entryNode.offset))
    edits.push({ offset: entryNode.offset, length: entryNode.length, content })
  }
  const present = new Set(kept.map(({ event }) => event))
  const missing = [...wanted.events].filter(([event]) => !present.has(event))
  const created = blank ? [''] : []
  edits.push(...appendHooks(json, missing, wanted, created))
  const text = applyTextEdits(pruned, edits)
  assertForeignPart(path, blank ? '{}' : before, text, wanted, created)
  return { text, had, created, notes }
}

/**
 * Takes our entries out, and the containers that are empty then and were made by us; `created` undefined: it is
 * not known which those are, and an emptied container goes.
 *
 * @throws BridgeError `settings_unparseable`
 */
export function removeHooks(
  path: string,
  before: string,
  form: HooksForm | HooksForm['isOurs'],
  created: readonly string[] | undefined,
): HooksEdit {
  if (before.trim() === '') return { text: before, had: false, created: [], notes: [] }
  const text = removeLocated(path, before, formOf(form), created, () => true)
  assertForeignPart(path, before, text, formOf(form), created)
  return { text, had: text !== before, created: [], notes: [] }
}

/** Our entries in a file. @throws BridgeError `settings_unparseable` */
export function findHooks(path: string, text: string, form: HooksForm | HooksForm['isOurs']): FoundHook[] {
  return text.trim() === '' ? [] : locate(parseJsonText(path, text), formOf(form))
}

function formOf(form: HooksForm | HooksForm['isOurs']): HooksForm {
  return typeof form === 'function' ? { isOurs: form } : form
}

interface LocatedHook extends FoundHook {
  readonly entryNode: Node
}

/** Walks the hooks of a file. What is no hook, and is not in our way, is passed over. */
function locate(json: JsonText, { isOurs, flat = false }: HooksForm): LocatedHook[] {
  const hooks = hooksObject(json)
  const located: LocatedHook[] = []
  for (const eventProperty of hooks?.children ?? []) {
    const event = String(eventProperty.children?.[0]?.value)
    const groups = valueOf(eventProperty)
    if (groups?.type !== 'array') continue
    for (const [group, groupNode] of (groups.children ?? []).entries()) {
      if (groupNode.type !== 'object') continue
      const list = flat ? undefined : valueOf(propertyOf(json, groupNode, 'hooks'))
      if (!flat && list?.type !== 'array') continue
      const matcher: unknown = valueOf(propertyOf(json, groupNode, 'matcher'))?.value
      for (const [index, entryNode] of (flat ? [groupNode] : (list?.children ?? [])).entries()) {
        const entry: unknown = entryNode.type === 'object' ? contentOf(entryNode) : undefined
        if (!isEntry(entry) || !isOurs(entry, event)) continue
        located.push({
          event,
          matcher: typeof matcher === 'string' && matcher !== '*' && matcher !== '' ? matcher : undefined,
          entry,
          group,
          index,
          entryNode,
        })
      }
    }
  }
  return located
}

function hooksObject(json: JsonText): Node | undefined {
  const { root } = json
  if (root.type !== 'object') throw unparseable(json, root.offset, 'the settings must be an object')
  for (const property of root.children ?? []) propertyOf(json, root, String(property.children?.[0]?.value))
  const hooks = valueOf(propertyOf(json, root, 'hooks'))
  if (!hooks) return undefined
  if (hooks.type !== 'object') throw unparseable(json, hooks.offset, '"hooks" must be an object')
  return hooks
}

function merge(entry: HookEntry, wanted: HookEntry): HookEntry {
  const others = Object.entries(entry).filter(([key]) => !formKeys.includes(key))
  return { ...wanted, ...Object.fromEntries(others) }
}

/** One entry for each event, in the array of the event, in an object `hooks`, as far as they are there. */
function appendHooks(
  json: JsonText,
  missing: readonly [string, HookEntry][],
  { flat = false, required = {} }: HooksForm,
  created: string[],
): TextEdit[] {
  const hooks = hooksObject(json)
  const outer: { key: string; value: unknown }[] = Object.entries(required)
    .filter(([key]) => !propertyOf(json, json.root, key))
    .map(([key, value]) => ({ key, value }))
  created.push(...outer.map(({ key }) => key))
  const group = (entry: HookEntry) => (flat ? entry : { hooks: [entry] })
  if (!hooks && missing.length > 0) {
    created.push('hooks', ...missing.map(([event]) => `hooks.${event}`))
    const value = Object.fromEntries(missing.map(([event, entry]) => [event, [group(entry)]]))
    outer.push({ key: 'hooks', value })
  }
  const edits = appendChildren(json, json.root, outer)
  if (!hooks) return edits
  const fresh: { key: string; value: unknown }[] = []
  for (const [event, entry] of missing) {
    const property = propertyOf(json, hooks, event)
    const groups = valueOf(property)
    if (!groups) {
      fresh.push({ key: event, value: [group(entry)] })
      created.push(`hooks.${event}`)
    } else if (groups.type === 'array') edits.push(...appendChildren(json, groups, [{ value: group(entry) }]))
    else throw unparseable(json, groups.offset, `"hooks.${event}" must be an array`)
  }
  return [...edits, ...appendChildren(json, hooks, fresh)]
}

/** Removes entries of ours, and from the inside out each container that is empty then and ours to remove. */
function removeLocated(
  path: string,
  text: string,
  form: HooksForm,
  created: readonly string[] | undefined,
  isGone: (hook: LocatedHook, index: number, all: readonly LocatedHook[]) => boolean,
): string {
  const json = parseJsonText(path, text)
  const hooks = hooksObject(json)
  const gone = new Set(
    locate(json, form)
      .filter(isGone)
      .map(({ entryNode }) => entryNode),
  )
  if (!hooks || gone.size === 0) return text
  const mayGo = (container: string) => created === undefined || created.includes(container)
  const edits: TextEdit[] = []

  const emptyEvents = new Set<Node>()
  for (const property of hooks.children ?? []) {
    const groups = valueOf(property)
    if (groups?.type !== 'array') continue
    const emptyGroups = new Set((groups.children ?? []).filter((node) => gone.has(node)))
    for (const group of form.flat ? [] : (groups.children ?? [])) {
      const list = group.type === 'object' ? valueOf(propertyOf(json, group, 'hooks')) : undefined
      const entries = list?.children ?? []
      const goneHere = new Set(entries.filter((entry) => gone.has(entry)))
      if (!list || goneHere.size === 0) continue
      // A group with a matcher was made by somebody who moved our entry there.
      if (goneHere.size === entries.length && group.children?.length === 1) emptyGroups.add(group)
      else edits.push(...removeChildren(json, list, goneHere))
    }
    if (emptyGroups.size === 0) continue
    const event = String(property.children?.[0]?.value)
    if (emptyGroups.size === groups.children?.length && mayGo(`hooks.${event}`)) emptyEvents.add(property)
    else edits.push(...removeChildren(json, groups, emptyGroups))
  }
  const outer = new Set<Node>()
  for (const key of Object.keys(form.required ?? {})) {
    const property = created?.includes(key) && propertyOf(json, json.root, key)
    if (property) outer.add(property)
  }
  const hooksProperty = propertyOf(json, json.root, 'hooks')
  if (emptyEvents.size === hooks.children?.length && mayGo('hooks') && hooksProperty) {
    return applyTextEdits(text, removeChildren(json, json.root, outer.add(hooksProperty)))
  }
  const inner = [...edits, ...removeChildren(json, hooks, emptyEvents)]
  return applyTextEdits(text, [...inner, ...removeChildren(json, json.root, outer)])
}

/** A last look before anything is written: without our entries the two texts must say the same. */
function assertForeignPart(
  path: string,
  before: string,
  after: string,
  form: HooksForm,
  created: readonly string[] | undefined,
): void {
  const made = Object.keys(form.required ?? {}).filter((key) => created?.includes(key))
  const foreign = (text: string) =>
    JSON.stringify(withoutOurs(contentOf(parseJsonText(path, text).root), form, made))
  if (foreign(before) !== foreign(after))
    throw new Error(`the edit of ${path} would have changed more than our hooks`)
}

/** The settings without our entries, the keys we made, and containers that hold nothing. */
function withoutOurs(settings: unknown, form: HooksForm, made: readonly string[]): unknown {
  if (!isEntry(settings)) return settings
  const others = Object.fromEntries(Object.entries(settings).filter(([key]) => !made.includes(key)))
  const hooks = others['hooks']
  if (!isEntry(hooks)) return others
  const events = Object.entries(hooks).flatMap(([event, groups]) => {
    if (!Array.isArray(groups)) return [[event, groups] as const]
    const rest = groups
      .map((group: unknown) => withoutOurEntries(group, event, form))
      .filter((group) => group !== undefined)
    return rest.length > 0 ? [[event, rest] as const] : []
  })
  if (events.length > 0) return { ...others, hooks: Object.fromEntries(events) }
  delete others['hooks']
  return others
}

function withoutOurEntries(group: unknown, event: string, { isOurs, flat = false }: HooksForm): unknown {
  if (!isEntry(group)) return group
  if (flat) return isOurs(group, event) ? undefined : group
  if (!Array.isArray(group['hooks'])) return group
  const hooks = group['hooks'].filter((entry: unknown) => !isEntry(entry) || !isOurs(entry, event))
  return hooks.length === 0 && Object.keys(group).length === 1 ? undefined : { ...group, hooks }
}

function isEntry(value: unknown): value is HookEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
