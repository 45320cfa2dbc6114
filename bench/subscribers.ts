import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

/**
 * `subscribers.ts PORT TOKEN WEBSOCKETS STREAMS PER_SECOND SECONDS`: posts hooks at a steady rate and measures, for
 * each subscriber, from the moment a hook is written until its event has arrived. Prints the latencies' spread.
 */
const [port, token, webSockets, streams, perSecond, seconds] = process.argv.slice(2)
const sentAt = new Map<string, number>()
const latencies: number[] = []

function received(text: string): void {
  const now = performance.now()
  for (const [, id] of text.matchAll(/"id":"(call_\d+_\d+)"/g)) {
    const at = sentAt.get(id ?? '')
    if (at !== undefined) latencies.push(now - at)
  }
}

function openWebSocket(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
      headers: { authorization: `Bearer ${token}` },
    })
    socket.on('open', () => {
      socket.send('{"type":"subscribe","kinds":["activity.started"]}')
      resolve()
    })
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => received(data.toString()))
  })
}

function openStream(): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = {
      port: Number(port),
      path: '/events?kinds=activity.started',
      headers: { authorization: `Bearer ${token}` },
    }
    const stream = request({ host: '127.0.0.1', ...options }, (response) => {
      response.on('data', (chunk: Buffer) => received(chunk.toString()))
      resolve()
    })
    stream.on('error', reject)
    stream.end()
  })
}

await Promise.all(Array.from({ length: Number(webSockets) }, openWebSocket))
await Promise.all(Array.from({ length: Number(streams) }, openStream))
await delay(500)

const socket = connect(Number(port), '127.0.0.1')
socket.setNoDelay(true)
socket.resume()
const total = Number(perSecond) * Number(seconds)
const begin = performance.now()
for (let n = 0; n < total; n += 1) {
  const due = begin + (n * 1000) / Number(perSecond)
  const aheadMs = due - performance.now()
  if (aheadMs > 0) await delay(aheadMs)
  const id = `call_${process.pid}_${n}`
  const body = JSON.stringify({
    session_id: `s${n % 8}`,
    cwd: '/home/dev/project',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: `echo ${n}` },
    tool_use_id: id,
  })
  sentAt.set(id, performance.now())
  socket.write(
    `POST /hooks/claude HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}
await delay(1_000)

latencies.sort((a, b) => a - b)
const at = (fraction: number) => latencies[Math.floor(latencies.length * fraction)] ?? null
console.log(
  JSON.stringify({
    hooks: total,
    received: latencies.length,
    expected: total * (Number(webSockets) + Number(streams)),
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: latencies.at(-1) ?? null,
  }),
)
process.exit(0)
