import { spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { buildForwarderCommand } from '../src/agents/forwarder/command.ts'
import { percentile, report, round } from './harness.ts'

/**
 * What one hook costs an agent: the wall time of the forwarder against that of a bare `curl` to the same server,
 * which answers 204; and what it adds when nothing listens. Bars: 1.5 times, and 10 ms.
 */
const runs = Number(process.env['BENCH_RUNS'] ?? 200)

const bin = join(import.meta.dirname, '../bin')
const home = mkdtempSync(join(tmpdir(), 'bridge-bench-'))
const body = JSON.stringify({
  session_id: '7d1e9a52-9a0b-4d0a-8d0c-6a6f4f1d2b3c',
  transcript_path: '/home/user/.claude/projects/project/7d1e9a52.jsonl',
  cwd: '/home/user/project',
  hook_event_name: 'PostToolUse',
  tool_name: 'Read',
  tool_input: { file_path: '/home/user/project/notes.txt' },
  tool_response: { file: { content: 'milk and bread\n'.repeat(200) } },
})

/** In a thread of its own: the measuring one waits for its children without looking up. */
const server = new Worker(
  `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:http').createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
  `,
  { eval: true },
)
const port = await new Promise<number>((resolve) => server.once('message', resolve))
const freePort = await findFreePort()

interface Case {
  readonly command: readonly [string, ...string[]]
  readonly port: number
}

const perl = ['/usr/bin/perl', join(bin, 'hook.pl'), 'claude'] as const
const node = [process.execPath, join(bin, 'hook.js'), 'claude'] as const
const wired = [
  'sh',
  '-c',
  buildForwarderCommand({ agent: 'claude', forwarderDir: bin, perlPath: perl[0], nodePath: node[0] }),
] as const
const curl = (to: number) =>
  [
    'curl',
    '-s',
    '-m',
    '0.5',
    '-H',
    'Authorization: Bearer token',
    '-H',
    'Content-Type: application/json',
    '--data-binary',
    '@-',
    `http://127.0.0.1:${to}/hooks/claude`,
  ] as const

const cases = {
  curl: { command: curl(port), port },
  'hook.pl': { command: perl, port },
  'hook.pl as wired, through sh': { command: wired, port },
  'hook.js': { command: node, port },
  'hook.pl, nothing listens': { command: perl, port: freePort },
  'hook.pl as wired, nothing listens': { command: wired, port: freePort },
  'hook.js, nothing listens': { command: node, port: freePort },
} as const satisfies Record<string, Case>

const times = new Map<string, number[]>(Object.keys(cases).map((name) => [name, []]))
try {
  mkdirSync(join(home, 'spool'), { mode: 0o700 })
  // One after the other in each round, so that a busy moment meets them all.
  for (let round = -5; round < runs; round += 1) {
    for (const [name, one] of Object.entries(cases)) {
      if (name.startsWith('hook.js') && round % 4 !== 0) continue
      const took = measure(one)
      if (round >= 0) times.get(name)?.push(took)
    }
  }
} finally {
  await server.terminate()
  rmSync(home, { recursive: true, force: true })
}

const median = (name: keyof typeof cases) =>
  percentile(
    (times.get(name) ?? []).toSorted((a, b) => a - b),
    0.5,
  )
report('forwarder', {
  curl_ms: round(median('curl')),
  perl_ms: round(median('hook.pl')),
  perl_by_curl: round(median('hook.pl') / median('curl')),
  perl_wired_ms: round(median('hook.pl as wired, through sh')),
  perl_wired_by_curl: round(median('hook.pl as wired, through sh') / median('curl')),
  perl_down_adds_ms: round(median('hook.pl, nothing listens') - median('hook.pl')),
  perl_wired_down_adds_ms: round(
    median('hook.pl as wired, nothing listens') - median('hook.pl as wired, through sh'),
  ),
  node_ms: round(median('hook.js')),
  node_by_curl: round(median('hook.js') / median('curl')),
  node_down_adds_ms: round(median('hook.js, nothing listens') - median('hook.js')),
  runs,
})

function measure({ command, port: to }: Case): number {
  // The settings come from the file, as they do for an agent.
  writeFileSync(join(home, 'forward'), `url=http://127.0.0.1:${to}\ntoken=token\ntimeout_ms=500\n`)
  const [program, ...args] = command
  const startedAt = performance.now()
  const { status } = spawnSync(program, args, {
    input: body,
    env: { PATH: process.env['PATH'], HOME: home, BRIDGE_HOME: home },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const took = performance.now() - startedAt
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}`)
  return took
}

async function findFreePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const probe = createServer()
  const free = await new Promise<number>((resolve) => {
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  await new Promise((resolve) => probe.close(resolve))
  return free
}
