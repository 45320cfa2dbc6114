import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrivateHome } from './private-home.ts'
import type { HookPayload } from './recorder.ts'

/** The hooks of plugins that are listened to, beside the events of the bus. */
const pluginHooks: readonly string[] = [
  'chat.message',
  'tool.execute.before',
  'tool.execute.after',
  'experimental.text.complete',
  'permission.ask',
  'shell.env',
]

/** Has OpenCode post every event and hook to the recorder, under its name. */
export function addOpenCodeRecorder(home: PrivateHome, url: string): Promise<void> {
  return addPlugin(
    home,
    'recorder',
    `
// One after the other: two requests at once may overtake each other.
let last = Promise.resolve()
const send = (hook_event_name, payload) => {
  const body = JSON.stringify({ hook_event_name, ...payload })
  last = last.then(() => fetch(${JSON.stringify(url)}, { method: 'POST', body })).catch(() => {})
}
export const Recorder = async () => ({
  event: async ({ event }) => send(event.type, event),
  ...Object.fromEntries(${JSON.stringify(pluginHooks)}.map((name) => [
    name,
    async (input, output) => send(name, { input, output }),
  ])),
})
`,
  )
}

/** Has OpenCode post to the bridge of this home, with its address and token from the file that forwarders read. */
export function addOpenCodeForwarder(home: PrivateHome): Promise<void> {
  return addPlugin(
    home,
    'bridge',
    `
import { readFileSync } from 'node:fs'
const settings = () => Object.fromEntries(
  readFileSync(process.env.HOME + '/.bridge/forward', 'utf8').trim().split('\\n').map((line) => {
    const at = line.indexOf('=')
    return [line.slice(0, at), line.slice(at + 1)]
  }),
)
const parents = new Map()
let last = Promise.resolve()
export const Bridge = async ({ directory }) => {
  const send = (hook_type, hook) => {
    const info = hook.properties?.info
    if (hook_type === 'session.created' && info?.parentID) parents.set(info.id, info.parentID)
    const session = hook.input?.sessionID ?? hook.properties?.sessionID ?? info?.sessionID
    const payload = { ...hook, directory, parentSessionID: parents.get(session) }
    const body = JSON.stringify({ hook_type, payload })
    last = last.then(async () => {
      const { url, token } = settings()
      const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
      await fetch(url + '/hooks/opencode', { method: 'POST', headers, body })
    }).catch(() => {})
  }
  return {
    event: async ({ event }) => send(event.type, event),
    ...Object.fromEntries(${JSON.stringify(pluginHooks)}.map((name) => [
      name,
      async (input, output) => send(name, { input, output }),
    ])),
  }
}
`,
  )
}

/** OpenCode loads whatever lies in its folder of plugins. */
async function addPlugin(home: PrivateHome, name: string, source: string): Promise<void> {
  const folder = join(home.home, '.config', 'opencode', 'plugin')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.js`), source)
}

const loud = new Set([
  'session.created',
  'session.idle',
  'session.error',
  'session.compacted',
  'chat.message',
  'experimental.text.complete',
  'tool.execute.before',
  'tool.execute.after',
  'permission.asked',
  'permission.replied',
  'question.asked',
  'question.replied',
])

/** OpenCode tells most things many times over: of those hooks one of each form is enough. */
export function quietKeyOf(hook: HookPayload): string | undefined {
  const { hook_event_name: name } = hook
  if (loud.has(name)) return undefined
  const properties = at(hook, 'properties')
  const part = at(properties, 'part')
  const form = [
    at(at(properties, 'status'), 'type'),
    at(at(properties, 'info'), 'role'),
    at(part, 'type'),
    at(at(part, 'state'), 'status'),
    at(at(part, 'time'), 'end') === undefined ? 'open' : 'ended',
  ]
  return [name, ...form].join(' ')
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
