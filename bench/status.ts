import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { percentile, report, round, startDaemonProcess } from './harness.ts'

/** What `bridge status` costs beside a bare `node -e 0`, run in turn. */
const runs = 40
const bridge = join(resolve(import.meta.dirname, '..'), 'bin/bridge.js')

await using daemon = await startDaemonProcess()
const env = { PATH: process.env['PATH'], HOME: daemon.home, BRIDGE_HOME: daemon.home }

function timed(args: readonly string[]): number {
  const begin = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return performance.now() - begin
}

const bare: number[] = []
const status: number[] = []
timed([bridge, 'status'])
for (let run = 0; run < runs; run += 1) {
  bare.push(timed(['-e', '0']))
  status.push(timed([bridge, 'status']))
}
const median = (times: number[]) =>
  percentile(
    times.sort((a, b) => a - b),
    0.5,
  )
const bareMs = median(bare)
const statusMs = median(status)
report('status', { bare_node_ms: round(bareMs), status_ms: round(statusMs), ratio: round(statusMs / bareMs) })
