import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { findProgram } from '../../src/agents/forwarder/command.ts'
import type { EventSource } from './source.ts'

/** The body of a hook, as the agent sent it: its fields in their order. */
export interface HookPayload {
  readonly hook_event_name: string
  readonly [field: string]: unknown
}

/** The value as the body of a hook; throws when it is none. */
export function asHookPayload(value: unknown): HookPayload {
  if (!isHookPayload(value)) throw new Error(`Not the body of a hook: ${JSON.stringify(value)}`)
  return value
}

function isHookPayload(value: unknown): value is HookPayload {
  return (
    typeof value === 'object' &&
    value !== null &&
    'hook_event_name' in value &&
    typeof value.hook_event_name === 'string'
  )
}

/** Takes the hooks of an agent and keeps them in order of arrival. */
export interface Recorder extends EventSource<HookPayload>, AsyncDisposable {
  /** Where hooks are posted to. */
  readonly url: string
  /** A shell command that posts the hook on its standard input. */
  readonly command: string
  /** Settings for Claude Code that send every named hook here. */
  settingsFor(events: readonly string[]): object
}

/** Claude Code refuses HTTP hooks for these; they get a command. */
const commandOnly = new Set(['SessionStart', 'Setup'])

/** Opens a recorder on a free loopback port. It answers every hook with nothing, so it never decides anything. */
export async function openRecorder(): Promise<Recorder> {
  const hooks: HookPayload[] = []
  const listeners = new Set<() => void>()
  const server = createServer((request, response) => {
    take(request).then(
      () => response.writeHead(200).end(),
      (cause: unknown) => response.writeHead(400).end(String(cause)),
    )
  })
  async function take(request: IncomingMessage): Promise<void> {
    hooks.push(asHookPayload(await json(request)))
    for (const listener of listeners) listener()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The recorder has no port')
  const url = `http://127.0.0.1:${address.port}/`
  const poster = fileURLToPath(new URL('post-hook.ts', import.meta.url))

  // Tenths of a second are saved at every hook where curl is there.
  const curl = findProgram('curl', process.env['PATH'])
  const node = `'${process.execPath}' '${poster}' ${url}`

  return {
    url,
    command: curl === undefined ? node : `'${curl}' -s -o /dev/null --data-binary @- ${url}`,
    settingsFor(events) {
      const http = { type: 'http', url }
      const command = { type: 'command', command: `'${process.execPath}' '${poster}' ${url}` }
      const entries = events.map((event) => [event, [{ hooks: [commandOnly.has(event) ? command : http] }]])
      return { hooks: Object.fromEntries(entries) }
    },
    collect: () => hooks,
    nameOf: (hook) => hook.hook_event_name,
    onArrival(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * The hook events a release of Claude Code knows, read from the program itself: the longest list of names that
 * begins as its hook events do. A new release may know more than the documents say.
 */
export async function hookEventsOf(program: string): Promise<string[]> {
  const text = (await readFile(program)).toString('latin1')
  const lists = text.matchAll(/\["PreToolUse","PostToolUse"(?:,"[A-Za-z]+")*\]/g)
  const longest = [...lists].map(([list]) => list).sort((one, other) => other.length - one.length)[0]
  if (longest === undefined) throw new Error(`${program} holds no list of hook events`)
  return z.array(z.string()).parse(JSON.parse(longest))
}
