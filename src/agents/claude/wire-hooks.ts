import { buildForwarderCommand, nodeFlag, isForwarderCommand } from '../forwarder/command.ts'
import type { HookEntry } from '../settings/hooks.ts'
import { commandOnlyEvents, wiredEvents } from './wire-events.ts'

/** What the hooks of Claude Code run or call. */
export interface ClaudeHookOptions {
  /** The directory of `hook.pl` and `hook.js`; absolute. */
  readonly forwarderDir: string
  /** Absent: the machine has no Perl. */
  readonly perlPath?: string | undefined
  readonly nodePath: string
  /** The bridge's home, only where it is not `~/.bridge`. */
  readonly customHome?: string | undefined
  /** The bridge's address: Claude posts the hooks itself, as far as it can. */
  readonly httpUrl?: string | undefined
}

/**
 * Seconds that Claude gives the forwarder, which ends by itself much sooner: after `BRIDGE_HOOK_TIMEOUT_MS`, 50
 * seconds at most. It only has to be longer, so that Claude never kills a forwarder that is about to spool.
 */
const commandTimeoutSeconds = 60
/** Seconds that a hanging bridge may hold Claude up for; the bridge answers in milliseconds. */
const httpTimeoutSeconds = 5

/** Our entry for every event that is wired. */
export function buildClaudeHooks(options: ClaudeHookOptions): ReadonlyMap<string, HookEntry> {
  const command: HookEntry = {
    type: 'command',
    command: buildForwarderCommand({ agent: 'claude', ...options }),
    timeout: commandTimeoutSeconds,
  }
  const { httpUrl } = options
  const http: HookEntry | undefined = httpUrl === undefined ? undefined : buildHttpHook(httpUrl)
  return new Map(
    wiredEvents.map((event) => [event, http && !commandOnlyEvents.includes(event) ? http : command]),
  )
}

/**
 * The entries of the Claude Code plugin, which carries copies of the forwarders (a plugin is copied when it is
 * installed) and finds Perl or Node where it runs. Without both, and once the plugin's files are gone, it does nothing.
 */
export function buildPluginHooks(): ReadonlyMap<string, HookEntry> {
  const script = (name: string) => `"\${CLAUDE_PLUGIN_ROOT}/forwarder/${name}"`
  const command = [
    `test ! -r ${script('hook.pl')} ||`,
    `if command -v perl >/dev/null; then LC_ALL=C exec perl ${script('hook.pl')} claude;`,
    `elif command -v node >/dev/null; then exec node ${nodeFlag} ${script('hook.js')} claude; fi`,
  ].join(' ')
  const entry: HookEntry = { type: 'command', command, timeout: commandTimeoutSeconds }
  return new Map(wiredEvents.map((event) => [event, entry]))
}

/** The token comes from Claude's environment: settings files are read by many. */
function buildHttpHook(url: string): HookEntry {
  return {
    type: 'http',
    url: `${url.replace(/\/+$/, '')}/hooks/claude`,
    headers: { Authorization: 'Bearer $BRIDGE_TOKEN', 'X-Bridge-Contact': '$BRIDGE_CONTACT' },
    allowedEnvVars: ['BRIDGE_TOKEN', 'BRIDGE_CONTACT'],
    timeout: httpTimeoutSeconds,
  }
}

/**
 * Recognises our entries: whatever their path, timeout, event and matcher, as a shell command or as `command` and
 * `args`, or as HTTP. Remembers what it has looked at.
 */
export function createClaudeHookMatcher(): (entry: HookEntry) => boolean {
  const known = new Map<string, boolean>()
  return (entry) => {
    const { type, command, args, url, headers } = entry
    const key = JSON.stringify([type, command, args, url, headers])
    const found =
      known.get(key) ?? (type === 'http' ? isOurHttpHook(url, headers) : isOurCommand(command, args))
    known.set(key, found)
    return found
  }
}

function isOurCommand(command: unknown, args: unknown): boolean {
  if (typeof command !== 'string') return false
  const words = Array.isArray(args) ? args.map(String) : undefined
  return isForwarderCommand(command, words, 'claude')
}

function isOurHttpHook(url: unknown, headers: unknown): boolean {
  const ours =
    typeof headers === 'object' &&
    headers !== null &&
    Object.keys(headers).some((name) => /^x-bridge-/i.test(name))
  return ours && typeof url === 'string' && url.endsWith('/hooks/claude')
}
