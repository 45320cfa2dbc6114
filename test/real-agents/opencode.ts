import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstalledAgent } from './install.ts'
import { openPrivateHome, type PrivateHome } from './private-home.ts'
import { startSession, type AgentSession, type StartOptions } from './session.ts'

/**
 * Opens a private home in which OpenCode has one provider, ours, asks before it runs or changes anything, and finds
 * what its plugins need: else it would install that from npm at its start.
 */
export async function openOpenCodeHome({ place }: InstalledAgent): Promise<PrivateHome> {
  const home = await openPrivateHome()
  const folder = configFolder(home)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'opencode.json'), JSON.stringify(config))
  for (const name of ['package.json', 'package-lock.json']) await cp(join(place, name), join(folder, name))
  await symlink(join(place, 'node_modules'), join(folder, 'node_modules'))
  return home
}

const config = {
  autoupdate: false,
  share: 'disabled',
  model: 'fake/fake-model',
  small_model: 'fake/fake-model',
  provider: {
    fake: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Fake',
      options: { baseURL: '{env:FAKE_MODEL_URL}', apiKey: 'fake-model-key' },
      models: { 'fake-model': { name: 'Fake model' } },
    },
  },
  permission: { bash: 'ask', edit: 'ask' },
}

function configFolder(home: PrivateHome): string {
  return join(home.home, '.config', 'opencode')
}

/** Starts OpenCode and waits until its input line is ready. */
export function startOpenCode({ agent, home, model }: StartOptions): Promise<AgentSession> {
  const options = {
    file: agent.program,
    cwd: home.project,
    env: {
      ...home.env,
      FAKE_MODEL_URL: `${model.url}/v1`,
      // What it would install goes nowhere: the tests use no network.
      npm_config_registry: 'http://127.0.0.1:9/',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
  }
  return startSession(options, home, {
    isReady: (terminal) => terminal.text().includes('Ask anything') && terminal.text().includes('Fake model'),
    isIdle: (terminal) => !/esc (again to )?interrupt/.test(terminal.text()),
    // Under each answer stands how long it took; an error stands in a box of its own, with nothing under it.
    isOver: (screen) => / · (?:[\d.]+m?s|\d+m \d+s)\s/.test(screen) || screen.startsWith('broke'),
    hasDialog: (terminal) => terminal.text().includes('Permission required'),
    input: (terminal) => inputOf(terminal.text()),
    escAgain: 'again to interrupt',
    interrupted: /interrupted/,
    leave: '/exit',
  })
}

/** What stands in the input box: two lines above the name of the model, which is the last line of the box. */
function inputOf(screen: string): string | undefined {
  const lines = screen.split('\n')
  const end = lines.findLastIndex((line) => /┃\s+Build · Fake model/.test(line))
  return lines[end - 2]?.replace(/^\s*┃/, '').trim()
}

/** What the tests know OpenCode 1.18.33 to tell: its bus has no list that could be read from the program. */
export const openCodeEvents: readonly string[] = []
