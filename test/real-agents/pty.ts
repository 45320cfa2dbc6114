import { spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { endSession } from './processes.ts'

export interface PtyOptions {
  file: string
  args?: readonly string[]
  cwd: string
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>
  cols?: number
  rows?: number
}

/** How a program ended. */
interface PtyExit {
  code: number
  signal: number
}

/** What must hold of the screen: a text on it, a pattern, or a function of its text. */
type ScreenCheck = string | RegExp | ((screen: string) => boolean)

/** A program in a real terminal, with an emulator that shows what a person would see. */
export interface Terminal extends AsyncDisposable {
  readonly pid: number
  /** The visible screen, one line per row, trailing blanks cut. */
  text(): string
  /** The window title the program set last. */
  title(): string
  /** The state the program told last by OSC 7501, such as `idle` or `working`; empty until it tells one. */
  status(): string
  /** Resolves with the screen once the check holds, now or after any later output; rejects when time runs out. */
  waitForScreen(check: ScreenCheck, boundMs: number, what?: string): Promise<string>
  /** Sends bytes as a keyboard would. */
  send(keys: string): void
  /**
   * Presses a key until the screen shows that it was taken. Programs drop keys for a moment after drawing a dialog
   * (Claude Code: about 150 ms), and nothing on the screen tells when they listen.
   */
  pressUntil(key: string, check: ScreenCheck, boundMs: number): Promise<string>
  /** Pastes a text, bracketed when the program asked for that, and presses nothing after it. */
  paste(text: string): void
  /** Resolves when the program has ended and its last output is on the screen. */
  readonly exited: Promise<PtyExit>
  /** Like `exited`, but rejects when time runs out. */
  waitForExit(boundMs: number): Promise<PtyExit>
  /** Ends the program's whole session. */
  close(): Promise<void>
}

/** Keys by name, as terminals send them. */
export const keys = { enter: '\r', escape: '\x1b', ctrlU: '\x15' } as const

/** A person who sees that a key did nothing presses it again after about a second. */
const PRESS_AGAIN_MS = 1_000

interface Waiter {
  holds: (screen: string) => boolean
  resolve: (screen: string) => void
}

/** Runs a program in a PTY. Its terminal queries are answered as a modern terminal answers them. */
export function openTerminal(options: PtyOptions): Terminal {
  const { cols = 120, rows = 40 } = options
  const emulator = new headless.Terminal({ cols, rows, scrollback: 2_000, allowProposedApi: true })
  const child = spawn(options.file, [...(options.args ?? [])], {
    name: options.env['TERM'] ?? 'xterm-256color',
    cols,
    rows,
    cwd: options.cwd,
    env: options.env,
  })
  const waiters = new Set<Waiter>()
  let title = ''
  let status = ''
  let hasExited = false

  function text(): string {
    const buffer = emulator.buffer.active
    const lines: string[] = []
    for (let row = 0; row < emulator.rows; row += 1) {
      lines.push(buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '')
    }
    return lines.join('\n').trimEnd()
  }

  function wake(): void {
    if (waiters.size === 0) return
    const screen = text()
    for (const waiter of waiters) {
      if (!waiter.holds(screen)) continue
      waiters.delete(waiter)
      waiter.resolve(screen)
    }
  }

  emulator.onTitleChange((next) => (title = next))
  emulator.parser.registerOscHandler(7501, (data) => {
    status = /^;?state=(\w+)/.exec(data)?.[1] ?? status
    return true
  })
  emulator.onData((answer) => {
    if (!hasExited) child.write(answer)
  })
  child.onData((data) => emulator.write(data, wake))
  const exited = new Promise<PtyExit>((resolve) => {
    child.onExit(({ exitCode, signal = 0 }) => {
      hasExited = true
      // An empty write is called back after everything before it: the last output is then on the screen.
      emulator.write('', () => {
        wake()
        resolve({ code: exitCode, signal })
      })
    })
  })

  function waitForScreen(check: ScreenCheck, boundMs: number, what?: string): Promise<string> {
    const holds = toPredicate(check)
    const screen = text()
    if (holds(screen)) return Promise.resolve(screen)
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { holds, resolve: (seen) => (clearTimeout(timer), resolve(seen)) }
      const timer = setTimeout(() => {
        waiters.delete(waiter)
        const wanted = what ?? String(check)
        reject(new Error(`The screen did not show ${wanted} within ${boundMs} ms. It shows:\n${text()}`))
      }, boundMs)
      waiters.add(waiter)
    })
  }

  async function pressUntil(key: string, check: ScreenCheck, boundMs: number): Promise<string> {
    const deadline = Date.now() + boundMs
    for (;;) {
      child.write(key)
      try {
        return await waitForScreen(check, PRESS_AGAIN_MS)
      } catch (cause) {
        if (Date.now() > deadline) throw cause
      }
    }
  }

  async function waitForExit(boundMs: number): Promise<PtyExit> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`The program did not end within ${boundMs} ms. Its screen:\n${text()}`)),
        boundMs,
      )
    })
    return Promise.race([exited, late]).finally(() => clearTimeout(timer))
  }

  async function close(): Promise<void> {
    await endSession(child.pid)
    await waitForExit(5_000)
    emulator.dispose()
  }

  return {
    pid: child.pid,
    text,
    title: () => title,
    status: () => status,
    waitForScreen,
    pressUntil,
    send: (bytes) => child.write(bytes),
    paste: (pasted) =>
      child.write(emulator.modes.bracketedPasteMode ? `\x1b[200~${pasted}\x1b[201~` : pasted),
    exited,
    waitForExit,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function toPredicate(check: ScreenCheck): (screen: string) => boolean {
  if (typeof check === 'function') return check
  if (typeof check === 'string') return (screen) => screen.includes(check)
  return (screen) => check.test(screen)
}
