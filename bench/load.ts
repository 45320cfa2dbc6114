import { connect } from 'node:net'

/**
 * `load.ts PORT TOKEN CONNECTIONS HOOKS`: posts hooks over raw keep-alive connections, each the next as soon as
 * the last was answered, and prints how many were answered with 204 and how long it took. Raw sockets, since
 * an HTTP client would be slower than the server it measures.
 */
const [port, token, connections, hooks] = process.argv.slice(2)
const total = Number(hooks)
let sent = 0
let answered = 0
let refused = 0

function hook(n: number, connection: number): string {
  const call = n >> 1
  const base = {
    session_id: `bench-${connection}`,
    transcript_path: `/home/dev/.claude/projects/p/bench-${connection}.jsonl`,
    cwd: '/home/dev/project',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command: `npm test -- --shard ${call}`, description: 'Runs one shard of the test suite' },
    tool_use_id: `toolu_${connection}_${call}`,
  }
  if (n % 2 === 0) return JSON.stringify({ ...base, hook_event_name: 'PreToolUse' })
  const response = { stdout: 'ok\n'.repeat(20), stderr: '', interrupted: false, isImage: false }
  return JSON.stringify({ ...base, hook_event_name: 'PostToolUse', tool_response: response, duration_ms: 12 })
}

function post(body: string): string {
  return `POST /hooks/claude HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function run(connection: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.setNoDelay(true)
    let own = 0
    const next = () => {
      if (sent >= total) {
        socket.end()
        resolve()
        return
      }
      sent += 1
      socket.write(post(hook(own, connection)))
      own += 1
    }
    socket.on('connect', next)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      // An answer without a body fits one packet, and there is never more than one under way.
      if (chunk.toString('latin1', 9, 12) === '204') answered += 1
      else refused += 1
      next()
    })
  })
}

const begin = performance.now()
await Promise.all(Array.from({ length: Number(connections) }, (_, index) => run(index)))
console.log(JSON.stringify({ answered, refused, seconds: (performance.now() - begin) / 1000 }))
