/** `npm run bench -- NAME`: one benchmark, its figures as one JSON line and as a table. Without a name: the list. */
const benchmarks: Readonly<Record<string, () => Promise<unknown>>> = {
  forwarder: () => import('./forwarder.ts'),
  ingest: () => import('./ingest.ts'),
  latency: () => import('./latency.ts'),
  replay: () => import('./replay.ts'),
  status: () => import('./status.ts'),
}

const [name = ''] = process.argv.slice(2)
const benchmark = benchmarks[name]
if (benchmark) await benchmark()
else {
  console.log(`npm run bench -- NAME, where NAME is one of: ${Object.keys(benchmarks).join(', ')}`)
  process.exitCode = name === '' ? 0 : 2
}
