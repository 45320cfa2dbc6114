// agent-bridge plugin for OpenCode: tells the bridge what happens, and gets out of the way. The file that
// `bridge wire opencode` puts into OpenCode's folder of plugins loads it from here.
//
// OpenCode is never held up and nothing is thrown into it; what goes out, and how, is in opencode-outbox.js. For Bun and
// for Node, without a dependency.

import { openOutbox } from './opencode-outbox.js'

const MAX_SESSIONS = 1_000

/** @typedef {Record<string, unknown>} Fields */

/** Events that never have news: the bridge would drop them. A last `*` stands for all that begin so. */
export const silentEvents = [
  'message.updated',
  'session.updated',
  'session.diff',
  'session.next.*',
  'message.part.delta',
  'message.removed',
  'message.part.removed',
  'command.executed',
  'file.edited',
  'file.watcher.updated',
  'vcs.branch.updated',
  'shell.env',
  'permission.ask',
  'tui.*',
  'pty.*',
  'server.*',
  'global.disposed',
  'plugin.added',
  'models-dev.refreshed',
  'integration.*',
  'catalog.updated',
  'reference.updated',
  'installation.*',
  'lsp.updated',
  'mcp.*',
  'project.*',
  'workspace.*',
  'worktree.*',
]

/** The hooks of plugins that tell something. */
const toldHooks = ['chat.message', 'tool.execute.before', 'tool.execute.after', 'experimental.text.complete']

/**
 * The hooks of the plugin.
 *
 * @param {{ directory?: string }} input what OpenCode gives a plugin
 * @param {{ home?: string }} [options] the bridge's home, only where it is not ~/.bridge
 */
export function createHooks({ directory }, { home } = {}) {
  const outbox = openOutbox(home)
  /** @type {Map<string, string>} */
  const parents = new Map()

  /**
   * @param {string} type
   * @param {Fields} hook
   */
  const tell = (type, hook) => {
    try {
      const session = sessionOf(type, hook)
      const info = fieldsOf(fieldsOf(hook.properties).info)
      if (type.startsWith('session.') && typeof info.parentID === 'string' && session !== undefined) {
        parents.set(session, info.parentID)
        for (const oldest of parents.keys()) {
          if (parents.size > MAX_SESSIONS) parents.delete(oldest)
        }
      }
      if ('properties' in hook && !hasNews(type, fieldsOf(hook.properties))) return
      const parentSessionID = session === undefined ? undefined : parents.get(session)
      outbox.send({ hook_type: type, payload: { ...hook, directory, parentSessionID } })
    } catch {
      // A hook that cannot be told is lost; OpenCode goes on.
    }
  }
  return {
    event: async (/** @type {{ event: Fields }} */ { event }) => tell(String(event.type), event),
    ...Object.fromEntries(
      toldHooks.map((name) => [
        name,
        async (/** @type {unknown} */ input, /** @type {unknown} */ output) => tell(name, { input, output }),
      ]),
    ),
  }
}

/**
 * @param {string} type
 * @param {Fields} hook
 * @returns {string | undefined}
 */
function sessionOf(type, hook) {
  const properties = fieldsOf(hook.properties)
  const info = fieldsOf(properties.info)
  const places = [
    fieldsOf(hook.input).sessionID,
    properties.sessionID,
    type.startsWith('session.') ? info.id : info.sessionID,
    fieldsOf(properties.part).sessionID,
  ]
  return places.find((id) => typeof id === 'string')
}

/**
 * Whether the bridge makes anything of an event.
 *
 * @param {string} type
 * @param {Fields} properties
 */
export function hasNews(type, properties) {
  if (silentEvents.some((name) => (name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name)))
    return false
  if (type === 'session.status') return fieldsOf(properties.status).type !== 'busy'
  if (type !== 'message.part.updated') return true
  const part = fieldsOf(properties.part)
  if (part.type === 'tool') return fieldsOf(part.state).status !== 'pending'
  if (part.type !== 'text' && part.type !== 'reasoning') return false
  return part.time === undefined || fieldsOf(part.time).end !== undefined
}

/**
 * @param {unknown} value
 * @returns {Fields}
 */
function fieldsOf(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
