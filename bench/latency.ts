import { z } from 'zod'
import { report, round, runOnOtherCore, startDaemonProcess, startFanOutProcess } from './harness.ts'

/** Hook to subscriber: 500 hooks/s, 20 WebSocket and 20 SSE subscribers, all on the other processor. */
const resultSchema = z.object({
  received: z.number(),
  expected: z.number(),
  p50: z.number(),
  p90: z.number(),
  p99: z.number(),
  max: z.number(),
})

await using daemon = await startDaemonProcess()
const load = (server: { port: number; token: string }, streams: number) =>
  runOnOtherCore('subscribers.ts', [String(server.port), server.token, '20', String(streams), '500', '10'])
await runOnOtherCore('subscribers.ts', [String(daemon.port), daemon.token, '20', '20', '500', '2'])
const result = resultSchema.parse(await load(daemon, 20))
await using baseline = await startFanOutProcess()
const memory = resultSchema.parse(await load(baseline, 0))

report('latency', {
  p50_ms: round(result.p50),
  p90_ms: round(result.p90),
  p99_ms: round(result.p99),
  max_ms: round(result.max),
  delivered: `${result.received}/${result.expected}`,
  in_memory_20_websockets_p50_ms: round(memory.p50),
  in_memory_20_websockets_p99_ms: round(memory.p99),
})
