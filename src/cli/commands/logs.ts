import { closeSync, fstatSync, openSync, readSync, watch } from 'node:fs'
import { join } from 'node:path'
import { BridgeError } from '../../core/errors.ts'
import { homeOf } from '../cli-home.ts'
import { safeJson, safeLine } from '../safe-text.ts'
import { styleFor, type Hue, type Style } from '../style.ts'
import { formatClock, formatDate } from '../amounts.ts'

export interface LogsOptions {
  readonly follow?: boolean
  readonly lines: number
  readonly json?: boolean
  readonly state?: string
}

/** What is looked through for the last lines. */
const maxTailBytes = 4 * 1024 * 1024

/** `bridge logs`: what the daemon reports of itself. */
export async function showLogs(options: LogsOptions): Promise<void> {
  const home = homeOf(options.state)
  const path = join(home, 'daemon.log')
  const print = (lines: readonly string[]) => {
    const style = styleFor(process.stdout)
    const text = lines.flatMap((line) => formatLogLine(line, style, options.json === true))
    if (text.length > 0) process.stdout.write(`${text.join('\n')}\n`)
  }
  const reader = new LogFileReader(path)
  const last = reader.readNew()
  if (last === undefined && options.follow !== true) {
    throw new BridgeError('usage', {
      problem: `There is no log at ${path}. It begins with the first "bridge up".`,
    })
  }
  print((last ?? []).slice(-options.lines))
  if (options.follow !== true) return
  for await (const _change of changesOf(home)) print(reader.readNew() ?? [])
}

/** Yields when something in the home changed, and now and then in any case: not every file system tells. */
async function* changesOf(home: string): AsyncGenerator<void> {
  let wake = () => {}
  let changed = false
  const onChange = () => {
    changed = true
    wake()
  }
  const timer = setInterval(onChange, 1_000)
  const watcher = watch(home, (_event, file) => {
    if (file === 'daemon.log') onChange()
  })
  watcher.on('error', () => {})
  try {
    for (;;) {
      if (!changed) await new Promise<void>((resolve) => (wake = resolve))
      changed = false
      yield
    }
  } finally {
    clearInterval(timer)
    watcher.close()
  }
}

/** Reads a growing file line by line, and from its beginning again when another one takes its place. */
class LogFileReader {
  readonly #path: string
  #inode: number | undefined
  #offset = 0

  constructor(path: string) {
    this.#path = path
  }

  /** The lines since the last look; undefined when there is no file. */
  readNew(): string[] | undefined {
    let file: number
    try {
      file = openSync(this.#path, 'r')
    } catch {
      // Not there yet, or just being put aside.
      return undefined
    }
    try {
      const { ino, size } = fstatSync(file)
      if (ino !== this.#inode || size < this.#offset) {
        const isFirst = this.#inode === undefined
        this.#inode = ino
        this.#offset = isFirst ? Math.max(0, size - maxTailBytes) : 0
      }
      const buffer = Buffer.alloc(Math.min(maxTailBytes, size - this.#offset))
      const read = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, this.#offset))
      // A line that is not finished yet is read again when it is.
      const end = read.lastIndexOf('\n') + 1
      const whole = read.subarray(0, end === 0 && read.length === maxTailBytes ? read.length : end)
      this.#offset += whole.length
      return whole
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
    } finally {
      closeSync(file)
    }
  }
}

const levels: Readonly<Record<number, readonly [word: string, hue: Hue | undefined]>> = {
  10: ['trace', 'grey'],
  20: ['debug', 'grey'],
  30: ['info', undefined],
  40: ['warn', 'amber'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}

/** One line of pino's JSON as a person reads it; what is none is shown as it is. Empty lines show nothing. */
export function formatLogLine(text: string, style: Style, json: boolean): string[] {
  if (text.trim() === '') return []
  const entry = parse(text)
  if (!entry) return [safeLine(text)]
  if (json) return [safeJson(entry)]
  const { time, level, msg, err, ...fields } = entry
  const [word, hue] = levels[Number(level)] ?? ['info', undefined]
  const at = typeof time === 'string' || typeof time === 'number' ? new Date(time).getTime() : Number.NaN
  const clock = Number.isNaN(at) ? '' : `${formatDate(at)} ${formatClock(at)}`
  const error = messageOf(err)
  const extra =
    Object.keys(fields).length === 0 ? '' : `  ${style.paint('grey', safeLine(JSON.stringify(fields)))}`
  const message = typeof msg === 'string' ? msg : ''
  return [
    `${style.paint('grey', clock)} ${style.paint(hue, word.padEnd(5))} ` +
      `${safeLine(error === '' ? message : `${message}: ${error}`)}${extra}`,
  ]
}

function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return ''
  return typeof error.message === 'string' ? error.message : ''
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    // A torn last line of a crash, or something else that was written there.
    return undefined
  }
}
