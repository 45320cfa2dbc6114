import { BridgeError } from '../../core/errors.ts'
import type {
  AgentWiring,
  CommandHook,
  ProbeHooks,
  WiredFile,
  WiringOptions,
  WiringReport,
} from '../wiring/agent-wiring.ts'
import { distinctFiles } from '../settings/inspect.ts'
import { pluginEvents, unwireOpenCode, wireOpenCode } from './wire.ts'
import { buildPluginText, openCodeFolders, pluginPath, readPlugin } from './wire-plugin.ts'

/** OpenCode, as `bridge wire` and `bridge doctor` see it. */
export const openCodeWiring: AgentWiring = {
  wire: wireOpenCode,
  unwire: unwireOpenCode,
  inspect,
  probeHooks,
}

function inspect(options: WiringOptions): WiringReport {
  const text = buildPluginText(options)
  const files = distinctFiles(openCodeFolders(options)).map((folder) => lookAt(folder, text))
  const wired = files.filter(({ events }) => events.length > 0)
  const [first, ...others] = wired
  return {
    files,
    hooks: wired.flatMap(({ path }) =>
      pluginEvents.map((event) => ({ path, event, hook: playCommand(path, options) })),
    ),
    plugins: [],
    twice: others.map(
      ({ path }) => `${first?.path} and ${path} are both the plugin of the bridge, so each hook comes twice`,
    ),
    disabledBy: [],
    env: {},
  }
}

function lookAt(folder: string, wanted: string): WiredFile {
  const path = pluginPath(folder)
  const nothing = { path, events: [], missing: pluginEvents, outdated: [], foreign: 0 }
  try {
    const text = readPlugin(folder)
    if (text === undefined) return nothing
    return { ...nothing, events: pluginEvents, missing: [], outdated: text === wanted ? [] : pluginEvents }
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error
    return { ...nothing, problem: error.message }
  }
}

/** Loads the plugin as OpenCode does, and hands it the event on stdin. */
const player = `
const { AgentBridge } = await import('file://' + process.argv[1])
let text = ''
for await (const chunk of process.stdin) text += chunk
const event = JSON.parse(text)
const { event: tell } = await AgentBridge({ directory: event.properties.info.directory })
if (!tell) throw 'the plugin cannot be loaded'
await tell({ event })
`

/** A plugin is no command, so `bridge doctor` plays OpenCode's part by one. */
function playCommand(path: string, { nodePath }: WiringOptions): CommandHook {
  const args = ['--no-warnings', '--input-type=module', '-e', player, encodeURI(path)]
  return { type: 'command', command: nodePath, args }
}

function probeHooks({ id, directory }: { id: string; directory: string }): ProbeHooks {
  const [event = ''] = pluginEvents
  const hook = (type: string) => ({
    event,
    payload: { type, properties: { sessionID: id, info: { id, directory } } },
  })
  return { begin: [hook('session.created')], end: hook('session.deleted') }
}
