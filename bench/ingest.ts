import { z } from 'zod'
import {
  report,
  round,
  runOnOtherCore,
  startDaemonProcess,
  startFanOutProcess,
  type MeasuredServer,
} from './harness.ts'

/**
 * Ingest throughput: 32 connections, the load on the other processor, beside an in-memory fan-out without a log
 * in the same run. `BENCH_HOOKS=1000000` shows that memory stays flat.
 */
const connections = 32
const hooks = Number(process.env['BENCH_HOOKS'] ?? 100_000)
const resultSchema = z.object({ answered: z.number(), refused: z.number(), seconds: z.number() })

async function measure(server: MeasuredServer, count: number) {
  const args = [String(server.port), server.token, String(connections), String(count)]
  return resultSchema.parse(await runOnOtherCore('load.ts', args))
}

async function measureBoth(server: MeasuredServer) {
  await measure(server, 20_000)
  const rssBefore = server.rssMb()
  const result = await measure(server, hooks)
  return { ...result, perSecond: result.answered / result.seconds, rssBefore, rssAfter: server.rssMb() }
}

await using daemon = await startDaemonProcess()
const durable = await measureBoth(daemon)
await using baseline = await startFanOutProcess()
const memory = await measureBoth(baseline)

report('ingest', {
  hooks,
  durable_per_second: round(durable.perSecond, 0),
  in_memory_per_second: round(memory.perSecond, 0),
  ratio: round(durable.perSecond / memory.perSecond),
  refused: durable.refused,
  rss_before_mb: round(durable.rssBefore, 0),
  rss_after_mb: round(durable.rssAfter, 0),
})
