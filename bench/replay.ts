import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { loadConfig } from '../src/config/config.ts'
import { startDaemon } from '../src/daemon/daemon.ts'
import { openDatabase } from '../src/store/database.ts'
import { EventLog } from '../src/store/log.ts'
import { migrationsOf } from '../src/store/schema.ts'
import { percentile, report, round } from './harness.ts'

/**
 * Replay over a WebSocket, and what a page of history costs in a short and a long log. `BENCH_ROWS=5000000` for
 * the long one takes a few minutes to fill.
 */
const rows = Number(process.env['BENCH_ROWS'] ?? 500_000)
const replayed = 200_000

const home = mkdtempSync(join(tmpdir(), 'bridge-bench-'))
const config = loadConfig({
  env: { BRIDGE_HOME: home, BRIDGE_TOKEN: 'bench-token-0123456789', BRIDGE_PORT: '0' },
  cwd: home,
  homeDir: home,
})

async function fill(from: number, to: number): Promise<void> {
  using opened = openDatabase(join(home, 'bridge.db'), migrationsOf([]), 0)
  const log = new EventLog(opened.database)
  for (let n = from; n < to; n += 4_000) {
    await log.append(
      Array.from({ length: Math.min(4_000, to - n) }, (_, index) => {
        const event = {
          kind: 'activity.started',
          activity: { id: `a${n + index}`, kind: 'shell.exec', tool: 'Bash', summary: 'npm test' },
        }
        const frame = JSON.stringify({
          type: 'agent_event',
          agent: 'claude',
          ts: Date.now(),
          session_id: 's',
          turn_id: 't',
          event,
        })
        const contact = `contact-${(n + index) % 20}`
        return { ts: Date.now(), type: 'agent_event', kind: 'activity.started', contact, frame }
      }),
    )
  }
}

async function measurePages(url: string, lastSeq: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 300; n += 1) {
    const before = 1 + Math.floor(Math.random() * lastSeq)
    const begin = performance.now()
    const response = await fetch(`${url}/api/history?limit=100&before=${before}&kind=activity.started`, {
      headers: { authorization: 'Bearer bench-token-0123456789' },
    })
    await response.arrayBuffer()
    times.push(performance.now() - begin)
  }
  return percentile(
    times.sort((a, b) => a - b),
    0.5,
  )
}

function measureReplay(port: number, after: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
      headers: { authorization: 'Bearer bench-token-0123456789' },
    })
    let received = 0
    let begin = 0
    socket.on('error', reject)
    socket.on('open', () => {
      begin = performance.now()
      socket.send(JSON.stringify({ type: 'subscribe', after }))
    })
    socket.on('message', (data: Buffer) => {
      if (!data.includes('"seq":')) return
      received += 1
      if (received < replayed) return
      socket.close()
      resolve(replayed / ((performance.now() - begin) / 1000))
    })
  })
}

try {
  {
    // The daemon makes the schema.
    await using _daemon = await startDaemon(config)
  }
  await fill(0, 10_000)
  let shortPageMs: number
  {
    await using daemon = await startDaemon(config)
    shortPageMs = await measurePages(daemon.url, 10_000)
  }
  await fill(10_000, rows)
  await using daemon = await startDaemon(config)
  const longPageMs = await measurePages(daemon.url, rows)
  const perSecond = await measureReplay(daemon.port, rows - replayed)
  report('replay', {
    rows,
    replay_per_second: round(perSecond, 0),
    page_ms_at_10k: round(shortPageMs),
    page_ms_at_rows: round(longPageMs),
  })
} finally {
  rmSync(home, { recursive: true, force: true })
}
