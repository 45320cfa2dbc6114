import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pino, type Level, type Logger } from 'pino'
import type { Config } from '../config/config.ts'

/** The daemon's own log is put aside at start once it is larger than this; one older one is kept. */
const rotatedBytes = 10 * 1024 * 1024

/** Where the daemon reports to besides its log file. */
export type Console = 'json' | 'text' | 'none'

/**
 * The daemon's log: JSON lines in `<home>/daemon.log`, on stderr as asked, and mirrored to `BRIDGE_LOG_FILE` with
 * a line per hook (seed agent-bridge-readme, "Troubleshooting"). Names, ids and sizes only, never bodies.
 */
export function createLogger(config: Config, console: Console): Logger {
  if (config.logLevel === 'silent') return pino({ level: 'silent' })
  const path = join(config.home, 'daemon.log')
  putAside(path)
  const level: Level = config.logLevel
  const streams = [{ level, stream: pino.destination({ dest: path, append: true, sync: true, mode: 0o600 }) }]
  const mirrorLevel: Level = level === 'trace' ? 'trace' : 'debug'
  if (config.logFile !== undefined) {
    streams.push({
      level: mirrorLevel,
      stream: pino.destination({ dest: config.logFile, append: true, sync: true, mkdir: true, mode: 0o600 }),
    })
  }
  const consoles =
    console === 'none' ? [] : [{ level, stream: console === 'json' ? process.stderr : textStream }]
  return pino(
    {
      level: config.logFile === undefined ? level : mirrorLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.multistream([...streams, ...consoles]),
  )
}

function putAside(path: string): void {
  try {
    if (statSync(path).size > rotatedBytes) renameSync(path, `${path}.1`)
  } catch {
    // There is none yet.
  }
}

/** Lines for a person who started the daemon in a terminal. */
const textStream = {
  write(line: string): void {
    const entry: Record<string, unknown> = JSON.parse(line)
    const err = entry['err']
    const message =
      typeof err === 'object' && err !== null && 'message' in err
        ? `${String(entry['msg'])}: ${String(err.message)}`
        : entry['msg']
    process.stderr.write(
      `${String(entry['time']).slice(11, 19)} ${levelNames[Number(entry['level'])] ?? 'info'} ${String(message)}\n`,
    )
  },
}

const levelNames: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}
