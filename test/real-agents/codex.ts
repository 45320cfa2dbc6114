import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPrivateHome, type PrivateHome } from './private-home.ts'
import { startSession, type AgentSession, type StartOptions } from './session.ts'

/** Opens a private home in which Codex trusts the project and has one provider, ours. */
export async function openCodexHome(): Promise<PrivateHome> {
  const home = await openPrivateHome()
  await mkdir(join(home.home, '.codex'))
  await writeFile(configPath(home), configOf(home))
  return home
}

function configPath(home: PrivateHome): string {
  return join(home.home, '.codex', 'config.toml')
}

function configOf({ project }: PrivateHome): string {
  return `model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "Fake"
wire_api = "responses"
env_key = "FAKE_MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."${project}"]
trust_level = "trusted"
`
}

/** Starts Codex and waits until its input line is ready. Without `--no-daemon` it would leave two processes. */
export function startCodex({ agent, home, model }: StartOptions): Promise<AgentSession> {
  const provider = `model_providers.fake.base_url="${model.url}/v1"`
  const options = {
    file: agent.program,
    args: ['--no-daemon', '-c', provider],
    cwd: home.project,
    env: { ...home.env, FAKE_MODEL_KEY: 'fake-model-key' },
  }
  return startSession(options, home, {
    isReady: ({ status }) => status() === 'idle',
    isIdle: ({ status }) => ['idle', 'done', 'error'].includes(status()),
    hasDialog: ({ status, text }) => status() === 'blocked' && text().includes('Would you like to'),
    hasTyped: ({ text }, typed) => text().includes(`› ${typed}`),
    interrupted: /Conversation interrupted/,
    leave: '/quit',
  })
}

/** What Codex 0.171.0 takes in `hooks.json`; its schemas of input and output name the same. */
export const codexHookEvents: readonly string[] = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PreCompact',
  'PostCompact',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'Interrupt',
]

/** Codex cuts the timeout of these to three seconds, and the hash of trust is over what it cut. */
const shortHooks = new Set(['SessionEnd', 'Interrupt'])

/**
 * Has Codex run the commands at each of its hooks, all of them trusted: else it would ask about them at its start.
 */
export async function addCodexHooks(home: PrivateHome, commands: readonly string[]): Promise<void> {
  const path = join(home.home, '.codex', 'hooks.json')
  const hooksOf = (event: string) =>
    commands.map((command) => ({ type: 'command', command, timeout: shortHooks.has(event) ? 3 : 30 }))
  const entries = codexHookEvents.map((event) => [event, hooksOf(event).map((hook) => ({ hooks: [hook] }))])
  await writeFile(path, JSON.stringify({ hooks: Object.fromEntries(entries) }))

  const trust = codexHookEvents.flatMap((event) =>
    hooksOf(event).map(({ command, timeout }, group) => {
      const name = event.replaceAll(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
      const hook = { async: false, command, timeout, type: 'command' }
      const hash = createHash('sha256').update(JSON.stringify({ event_name: name, hooks: [hook] }))
      return `\n[hooks.state."${path}:${name}:${group}:0"]\ntrusted_hash = "sha256:${hash.digest('hex')}"\n`
    }),
  )
  await writeFile(configPath(home), `${configOf(home)}${trust.join('')}`)
}
