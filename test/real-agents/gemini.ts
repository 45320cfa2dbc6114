import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { openPrivateHome, type PrivateHome } from './private-home.ts'
import { inputAfter, startSession, type AgentSession, type StartOptions } from './session.ts'

/** Opens a private home in which Gemini CLI knows how it is to sign in, and neither updates nor reports. */
export async function openGeminiHome(): Promise<PrivateHome> {
  const home = await openPrivateHome()
  await mkdir(join(home.home, '.gemini'))
  await writeFile(settingsPath(home), JSON.stringify(settings))
  return home
}

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
}

function settingsPath(home: PrivateHome): string {
  return join(home.home, '.gemini', 'settings.json')
}

/** Starts Gemini CLI and waits until its input line is ready. */
export function startGemini({ agent, home, model }: StartOptions): Promise<AgentSession> {
  const options = {
    file: agent.program,
    // A model by name: "auto" asks a small model first which one to take.
    args: ['--model', 'gemini-2.5-pro'],
    cwd: home.project,
    env: {
      ...home.env,
      GEMINI_API_KEY: 'fake-model-key',
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
  }
  return startSession(options, home, {
    isReady: (terminal) => terminal.title().startsWith('◇') && terminal.text().includes('Type your message'),
    isIdle: (terminal) => terminal.title().startsWith('◇'),
    hasDialog: (terminal) => terminal.title().startsWith('✋') && terminal.text().includes('Allow'),
    input: (terminal) => inputAfter(' > ', /^ workspace \(/, terminal.text()),
    offers: (terminal, command) => firstOffer(terminal.text()) === command.slice(1),
    interrupted: /Request cancelled/,
    leave: '/quit',
  })
}

/**
 * The first of the commands that are offered under the input line. Enter takes the one that is offered, and they lag
 * behind what is typed: Enter right after "/quit" may run "/clear".
 */
function firstOffer(screen: string): string | undefined {
  const lines = screen.split('\n')
  const below = lines.slice(lines.findLastIndex((line) => line.startsWith(' > ')))
  return below
    .map((line) => /^ +([a-z-]+)(?: \([^)]*\))? {2,}\w/.exec(line)?.[1])
    .find((name) => name !== undefined)
}

/** The hook events that a release of Gemini CLI knows, read from the program itself. */
export async function geminiHookEvents(program: string): Promise<string[]> {
  const text = await readBundle(program)
  const names = [...text.matchAll(/HookEventName\d*\["\w+"\] = "(\w+)"/g)].map(([, name]) => name ?? '')
  if (names.length === 0) throw new Error(`${program} names no hook events`)
  return [...new Set(names)]
}

/** The program is one small file and many chunks; the names stand in some of them. */
async function readBundle(program: string): Promise<string> {
  const folder = dirname(program)
  const chunks = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  return (await Promise.all(chunks.map((name) => readFile(join(folder, name), 'utf8')))).join('\n')
}

/** Has Gemini CLI run the command at each of its hooks. Its timeouts are in milliseconds. */
export async function addGeminiHooks(
  home: PrivateHome,
  events: readonly string[],
  command: string,
): Promise<void> {
  const before = settingsFile.parse(JSON.parse(await readFile(settingsPath(home), 'utf8')))
  const entry = { hooks: [{ type: 'command', command, timeout: 30_000 }] }
  const hooks = events.map((event) => [event, [...(before.hooks?.[event] ?? []), entry]])
  await writeFile(settingsPath(home), JSON.stringify({ ...before, hooks: Object.fromEntries(hooks) }))
}

const settingsFile = z.looseObject({ hooks: z.record(z.string(), z.array(z.unknown())).optional() })
