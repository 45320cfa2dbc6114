import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { openPrivateHome, type PrivateHome } from './private-home.ts'
import { inputAfter, startSession, type AgentSession, type StartOptions } from './session.ts'

/** Opens a private home in which Codex trusts the project and has one provider, ours. */
export async function openCodexHome(): Promise<PrivateHome> {
  const home = await openPrivateHome()
  await mkdir(join(home.home, '.codex'))
  await writeFile(join(home.home, '.codex', 'config.toml'), configOf(home))
  return home
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
    isReady: (terminal) => terminal.status() === 'idle',
    isIdle: (terminal) => ['idle', 'done', 'error'].includes(terminal.status()),
    hasDialog: (terminal) => terminal.status() === 'blocked' && terminal.text().includes('Would you like to'),
    input: (terminal) => inputAfter('› ', /^ {2}fake-model /, terminal.text()),
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

/** Has Codex run the command at each of its hooks, and trust it: else it would ask about new hooks at its start. */
export async function addCodexHooks(home: PrivateHome, command: string): Promise<void> {
  const path = join(home.home, '.codex', 'hooks.json')
  const before = existsSync(path) ? hooksFile.parse(JSON.parse(await readFile(path, 'utf8'))).hooks : {}
  const hooks: typeof before = {}
  const trust: string[] = []
  for (const event of codexHookEvents) {
    const groups = before[event] ?? []
    const hook = { type: 'command', command, timeout: shortHooks.has(event) ? 3 : 30 }
    hooks[event] = [...groups, { hooks: [hook] }]
    const name = event.replaceAll(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
    trust.push(
      `\n[hooks.state."${path}:${name}:${groups.length}:0"]\ntrusted_hash = "${trustOf(name, hook)}"\n`,
    )
  }
  await writeFile(path, JSON.stringify({ hooks }))
  await appendFile(join(home.home, '.codex', 'config.toml'), trust.join(''))
}

const hooksFile = z.object({ hooks: z.record(z.string(), z.array(z.unknown())) })

/** The hash is over the hook as Codex takes it, with its keys in order. */
function trustOf(
  event_name: string,
  { type, command, timeout }: { type: string; command: string; timeout: number },
) {
  const text = JSON.stringify({ event_name, hooks: [{ async: false, command, timeout, type }] })
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
