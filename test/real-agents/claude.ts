import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelServer } from '../fixtures/model/server.ts'
import { openPrivateHome, type PrivateHome } from './private-home.ts'
import { STEP_BOUND_MS } from './bounds.ts'
import { keys, openTerminal, type Terminal } from './pty.ts'

/** What a person does at Claude Code's terminal. */
export interface ClaudeSession extends AsyncDisposable {
  terminal: Terminal
  home: PrivateHome
  /** Types a prompt or a slash command and presses Enter; only when no dialog is up. */
  submit(text: string): void
  /** Waits until Claude has said the text and taken its turn to the end. */
  waitForAnswer(text: string): Promise<void>
  /** Waits for a permission dialog that shows the text. */
  waitForDialog(about: string): Promise<void>
  /** Waits for a permission dialog that shows the text and answers it with the preselected "Yes". */
  approve(about: string): Promise<void>
  /** Leaves with /exit and waits for the end of the program. */
  exit(): Promise<void>
}

/** Claude shows this in the window title while it is not at work. */
const IDLE_TITLE = '✳'

/** Stands at the foot of the screen while a turn goes on. */
const WORKING_FOOT = 'esc to interrupt'

/** Stands in every permission dialog. */
const DIALOG = /Do you want to .+\?[\s\S]*Esc to cancel/

/**
 * Opens a private home in which Claude Code has nothing to ask at its first start: onboarding is done and the
 * project is trusted.
 */
export async function openClaudeHome(): Promise<PrivateHome> {
  const home = await openPrivateHome()
  const projects = { [home.project]: { hasTrustDialogAccepted: true } }
  await writeFile(join(home.home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, projects }))
  await mkdir(join(home.home, '.claude'))
  return home
}

/** The environment Claude gets: our model, and no traffic to anywhere else. */
function claudeEnv(home: PrivateHome, model: ModelServer): Record<string, string> {
  return {
    ...home.env,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_AUTH_TOKEN: 'fake-model-token',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
  }
}

export interface ClaudeOptions {
  program: string
  home: PrivateHome
  model: ModelServer
  args?: readonly string[]
}

/** Starts Claude Code in the private home and waits until its input line is ready. */
export async function startClaude({
  program,
  home,
  model,
  args = [],
}: ClaudeOptions): Promise<ClaudeSession> {
  const terminal = openTerminal({
    file: program,
    // "manual" asks before every command that writes; the default mode lets a classifier decide.
    args: ['--permission-mode', 'manual', ...args],
    cwd: home.project,
    env: claudeEnv(home, model),
  })
  // The title is idle again before the Stop hooks have run; the foot of the screen is not.
  const isIdle = (screen: string) => terminal.title().startsWith(IDLE_TITLE) && !screen.includes(WORKING_FOOT)
  const session: ClaudeSession = {
    terminal,
    home,
    submit(text) {
      terminal.paste(text)
      terminal.send(keys.enter)
    },
    async waitForAnswer(text) {
      const isDone = (screen: string) => screen.includes(text) && isIdle(screen)
      await terminal.waitForScreen(
        isDone,
        STEP_BOUND_MS,
        `the answer ${JSON.stringify(text)} and the end of the turn`,
      )
    },
    async waitForDialog(about) {
      const isAsked = (screen: string) => DIALOG.test(screen) && screen.includes(about)
      await terminal.waitForScreen(isAsked, STEP_BOUND_MS, `a permission dialog about ${about}`)
    },
    async approve(about) {
      await session.waitForDialog(about)
      await terminal.pressUntil(
        keys.enter,
        (screen) => !screen.includes(about) || !DIALOG.test(screen),
        STEP_BOUND_MS,
      )
    },
    async exit() {
      session.submit('/exit')
      await terminal.waitForExit(STEP_BOUND_MS)
    },
    [Symbol.asyncDispose]: () => terminal.close(),
  }
  try {
    await terminal.waitForScreen(
      (screen) => screen.includes('manual mode on') && isIdle(screen),
      STEP_BOUND_MS,
    )
  } catch (cause) {
    await terminal.close()
    throw cause
  }
  return session
}
