import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelServer } from '../fixtures/model/server.ts'
import { ARRIVAL_BOUND_MS } from './bounds.ts'
import type { InstalledAgent } from './install.ts'
import type { PrivateHome } from './private-home.ts'
import { keys, openTerminal, type PtyOptions, type Terminal } from './pty.ts'

/** What a person does at an agent's terminal. */
export interface AgentSession extends AsyncDisposable {
  readonly terminal: Terminal
  readonly home: PrivateHome
  /** Types a prompt or a slash command and presses Enter; only when no dialog is up. */
  submit(text: string): Promise<void>
  /** Waits until the agent has said the text and taken its turn to the end. */
  waitForAnswer(text: string): Promise<void>
  waitForScreen(check: string | ((screen: string) => boolean)): Promise<void>
  /** Waits for a permission dialog that shows the text. */
  waitForDialog(about: string): Promise<void>
  /** Waits for a permission dialog that shows the text and answers it with the preselected "Yes". */
  approve(about: string): Promise<void>
  /** Stops the agent in the middle of its turn, and waits until it has stopped. */
  interrupt(): Promise<void>
  /** Leaves with the agent's own command and waits for the end of the program. */
  exit(): Promise<void>
}

/** What tells, on screen and in the title, how an agent is. */
export interface Looks {
  isReady(terminal: Terminal): boolean
  /** It waits for a prompt. */
  isIdle(terminal: Terminal): boolean
  /** Whether what stands on the screen from the answer on shows that its turn is over; where `isIdle` comes late. */
  isOver?(fromAnswer: string): boolean
  hasDialog(terminal: Terminal): boolean
  /** What stands in the input line; undefined while none is drawn. */
  input(terminal: Terminal): string | undefined
  /** The agent offers the slash command that was typed, where Enter takes what is offered. */
  offers?(terminal: Terminal, command: string): boolean
  /** What Esc shows where it must be pressed twice. */
  escAgain?: string
  /** Shown when a turn was interrupted. */
  interrupted: RegExp
  /** Command that leaves. */
  leave: string
}

export interface StartOptions {
  agent: InstalledAgent
  home: PrivateHome
  model: ModelServer
}

/**
 * Bound of one step. Hooks cost tenths of a second each and some agents run ten in a turn, one after the other; on a
 * machine whose cores are taken by others that is most of a minute.
 */
const STEP_BOUND_MS = 60_000

/** A person who sees that Enter did nothing presses it again. */
const PRESS_AGAIN_MS = 2_000

/** Starts an agent in a terminal and waits until its input line is ready. */
export async function startSession(
  options: PtyOptions,
  home: PrivateHome,
  looks: Looks,
): Promise<AgentSession> {
  const terminal = openTerminal(options)
  const until = (what: string, holds: (screen: string) => boolean) =>
    terminal.waitForScreen(holds, STEP_BOUND_MS, what)

  async function type(text: string): Promise<void> {
    terminal.paste(text)
    // Enter in the same breath is part of a paste for some agents.
    await until(
      `${JSON.stringify(text)} in the input line`,
      () => looks.input(terminal)?.startsWith(text) === true,
    )
    if (!text.startsWith('/')) return
    await until(`an offer of ${text}`, () => looks.offers?.(terminal, text) ?? true)
  }

  const session: AgentSession = {
    terminal,
    home,
    async submit(text) {
      await type(text)
      // Agents drop keys now and then, such as while they begin a new conversation.
      const isTaken = () => !looks.isIdle(terminal) || looks.input(terminal)?.startsWith(text) === false
      await terminal.pressUntil(keys.enter, isTaken, STEP_BOUND_MS)
    },
    async waitForAnswer(text) {
      const what = `the answer ${JSON.stringify(text)} and the end of the turn`
      await until(what, (screen) => {
        const place = screen.lastIndexOf(text)
        if (place === -1 || !looks.isIdle(terminal)) return false
        return looks.isOver?.(screen.slice(place)) ?? true
      })
    },
    async waitForScreen(check) {
      await terminal.waitForScreen(check, STEP_BOUND_MS)
    },
    async waitForDialog(about) {
      const isAsked = (screen: string) => looks.hasDialog(terminal) && screen.includes(about)
      await until(`a permission dialog about ${about}`, isAsked)
    },
    async approve(about) {
      await session.waitForDialog(about)
      await terminal.pressUntil(keys.enter, () => !looks.hasDialog(terminal), STEP_BOUND_MS)
    },
    async interrupt() {
      terminal.send(keys.escape)
      const { escAgain, interrupted } = looks
      if (escAgain !== undefined) {
        await until(escAgain, (screen) => screen.includes(escAgain))
        terminal.send(keys.escape)
      }
      await until(`${interrupted}`, (screen) => interrupted.test(screen) && looks.isIdle(terminal))
    },
    async exit() {
      await type(looks.leave)
      const deadline = Date.now() + STEP_BOUND_MS
      let hasLeft = false
      while (!hasLeft && Date.now() < deadline) {
        terminal.send(keys.enter)
        hasLeft = await Promise.race([terminal.exited.then(() => true), sleep(PRESS_AGAIN_MS, false)])
      }
      await terminal.waitForExit(ARRIVAL_BOUND_MS)
    },
    [Symbol.asyncDispose]: () => terminal.close(),
  }
  try {
    await until('that it is ready', () => looks.isReady(terminal))
  } catch (cause) {
    await terminal.close()
    throw cause
  }
  return session
}

/**
 * What follows the sign of the input line. It is the last line with that sign above the footer; while the footer is
 * not there the screen is being drawn, and nothing can be told.
 */
export function inputAfter(sign: string, footer: RegExp, screen: string): string | undefined {
  const lines = screen.split('\n')
  const end = lines.findLastIndex((line) => footer.test(line))
  const line = lines.slice(0, Math.max(end, 0)).findLast((one) => one.startsWith(sign))
  return line?.slice(sign.length).trim()
}
