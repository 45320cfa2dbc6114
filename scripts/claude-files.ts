import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { wiredEvents } from '../src/agents/claude/wire-events.ts'
import { buildClaudeHooks, buildPluginHooks } from '../src/agents/claude/wire-hooks.ts'
import type { HookEntry } from '../src/agents/settings/hooks.ts'
import { version } from '../src/core/version.ts'

const bin = resolve(import.meta.dirname, '../bin')

const name = 'agent-bridge'
const description = 'Reports what Claude Code does to a local Agent Bridge'

/**
 * The files for Claude Code that come from the code, by their path in the package: the plugin, which has to carry its
 * own copies of the forwarders (not in a folder `bin`, which Claude Code would put on the PATH of its tools), the
 * marketplace that offers it, and an example of what `bridge wire claude` writes.
 */
export const claudeFiles: Readonly<Record<string, () => string>> = {
  '.claude-plugin/marketplace.json': () =>
    renderJson({
      name,
      owner: { name: 'Agent Bridge' },
      metadata: { description: 'The plugin that reports to an Agent Bridge' },
      // Claude Code refuses a source that does not begin with "./" (seed agent-bridge-readme, "Troubleshooting").
      plugins: [{ name, source: './claude-plugin', description, license: 'MIT', category: 'monitoring' }],
    }),
  'claude-plugin/.claude-plugin/plugin.json': () =>
    renderJson({ name, version, description, author: { name: 'Agent Bridge' }, license: 'MIT' }),
  'claude-plugin/hooks/hooks.json': () =>
    renderJson({
      description: `${description}: one hook for each event`,
      hooks: groupsOf(buildPluginHooks()),
    }),
  'claude-plugin/forwarder/hook.pl': () => readFileSync(join(bin, 'hook.pl'), 'utf8'),
  'claude-plugin/forwarder/hook.js': () => readFileSync(join(bin, 'hook.js'), 'utf8'),
  'examples/hooks-settings.json': () =>
    renderJson({
      hooks: groupsOf(
        buildClaudeHooks({
          forwarderDir: '/opt/agent-bridge/bin',
          perlPath: '/usr/bin/perl',
          nodePath: '/usr/bin/node',
        }),
      ),
    }),
}

function groupsOf(events: ReadonlyMap<string, HookEntry>): Record<string, unknown> {
  return Object.fromEntries(wiredEvents.map((event) => [event, [{ hooks: [events.get(event)] }]]))
}

function renderJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
