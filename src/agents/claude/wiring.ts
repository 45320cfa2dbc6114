import type {
  AgentWiring,
  HttpHook,
  ProbeHooks,
  WiredHook,
  WiringOptions,
  WiringReport,
} from '../wiring/agent-wiring.ts'
import { readSettingsText } from '../settings/settings-file.ts'
import { findHooks, type FoundHook, type HookEntry } from '../settings/hooks.ts'
import { contentOf, parseJsonText } from '../settings/json.ts'
import { unwireClaude, wantedClaudeHooks, wireClaude } from './wire.ts'
import { createClaudeHookMatcher } from './wire-hooks.ts'
import { inspectClaudeWiring } from './wire-inspect.ts'

/** Claude Code, as `bridge wire` and `bridge doctor` see it. */
export const claudeWiring: AgentWiring = {
  wire: wireClaude,
  unwire: unwireClaude,
  inspect,
  probeHooks,
}

function inspect(options: WiringOptions): WiringReport {
  const looks = new Map(
    inspectClaudeWiring(options)
      .files.filter(({ problem }) => problem === undefined)
      .map(({ path }) => [path, lookAt(path)]),
  )
  const hooks = [...looks.values()].flatMap((look) => look.hooks)
  // What was wired to post by itself is compared with what would be written for that.
  const http = hooks.some(({ hook }) => hook.type === 'http')
  const wanted = wantedClaudeHooks({ ...options, scope: 'user', http })
  const { files, plugins, twice } = inspectClaudeWiring(options, wanted)
  // In the user's home directory the project's file is the user's.
  const unique = files.filter(({ path }, index) => files.findIndex((file) => file.path === path) === index)
  return {
    files: unique.map(({ path, events, missing, outdated, problem }) => {
      const foreign = looks.get(path)?.foreign ?? 0
      return { path, events, missing, outdated, foreign, ...(problem !== undefined && { problem }) }
    }),
    hooks,
    plugins,
    twice,
    disabledBy: [...looks].flatMap(([path, { disabled }]) => {
      return disabled ? [{ path, setting: 'disableAllHooks' }] : []
    }),
    env: Object.assign({}, ...[...looks.values()].map(({ env }) => env)),
  }
}

interface Look {
  readonly hooks: readonly WiredHook[]
  readonly foreign: number
  readonly disabled: boolean
  readonly env: Readonly<Record<string, string>>
}

function lookAt(path: string): Look {
  const text = readSettingsText(path) ?? ''
  if (text.trim() === '') return { hooks: [], foreign: 0, disabled: false, env: {} }
  const found = findHooks(path, text, createClaudeHookMatcher())
  const settings = recordOf(contentOf(parseJsonText(path, text).root))
  return {
    hooks: found.flatMap((hook) => wiredHook(path, hook)),
    foreign: findHooks(path, text, () => true).length - found.length,
    disabled: settings['disableAllHooks'] === true,
    env: textsOf(settings['env']),
  }
}

function wiredHook(path: string, { event, matcher, entry }: FoundHook): WiredHook[] {
  const hook = entry['type'] === 'http' ? httpHook(entry) : commandHook(entry)
  return hook ? [{ path, event, ...(matcher !== undefined && { matcher }), hook }] : []
}

function commandHook({ command, args }: HookEntry): WiredHook['hook'] | undefined {
  if (typeof command !== 'string') return undefined
  return { type: 'command', command, ...(Array.isArray(args) && { args: args.map(String) }) }
}

function httpHook({ url, headers, allowedEnvVars }: HookEntry): HttpHook | undefined {
  if (typeof url !== 'string') return undefined
  const allowedVariables = Array.isArray(allowedEnvVars) ? allowedEnvVars.map(String) : []
  return { type: 'http', url, headers: textsOf(headers), allowedVariables }
}

function textsOf(value: unknown): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [key, text] of Object.entries(recordOf(value))) if (typeof text === 'string') texts[key] = text
  return texts
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** Notification stands for nothing that happened; SessionStart never goes over HTTP (agents.md, Claude Code). */
function probeHooks({ id, directory }: { id: string; directory: string }): ProbeHooks {
  const hook = (event: string, fields: Record<string, unknown>) => ({
    event,
    payload: { session_id: id, transcript_path: '', cwd: directory, hook_event_name: event, ...fields },
  })
  return {
    begin: [
      hook('Notification', { message: 'A test of bridge doctor', notification_type: 'bridge_doctor' }),
      hook('SessionStart', { source: 'startup' }),
    ],
    end: hook('SessionEnd', { reason: 'other' }),
  }
}
