import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

/**
 * The baseline: the same hooks, parsed and handed to WebSocket clients, with no log, no ids, no access rules.
 * `fan-out.ts FILE` writes its port to FILE.
 */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const payload = JSON.parse(Buffer.concat(chunks).toString())
    const frame = JSON.stringify({
      type: 'agent_event',
      agent: 'claude',
      ts: Date.now(),
      session_id: payload.session_id,
      event: { kind: 'activity.started', activity: { id: payload.tool_use_id, tool: payload.tool_name } },
    })
    for (const client of sockets.clients) client.send(frame)
    response.writeHead(204).end()
  })
})
const sockets = new WebSocketServer({ server, path: '/ws' })
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null)
    writeFileSync(process.argv[2] ?? '', String(address.port))
})
process.on('SIGTERM', () => process.exit(0))
