import { streamEvents, type StreamFilter } from '../../client/event-stream.ts'
import type { LogFrame, StreamItem } from '../../client/stream-items.ts'
import { BridgeError } from '../../core/errors.ts'
import { agentEventKinds, logFrameSchemas, parseCursor, type Status } from '../../protocol/index.ts'
import { homeOf } from '../cli-home.ts'
import { callDaemon } from '../control-client.ts'
import { safeJson } from '../safe-text.ts'
import { styleFor } from '../style.ts'
import { TailLines } from '../tail-lines.ts'

export interface TailOptions {
  readonly json?: boolean
  readonly contact?: string
  readonly kind?: readonly string[]
  readonly after?: string
  readonly sinceStart?: boolean
  readonly state?: string
}

/** Where the items of a stream go. */
interface Printer {
  item(item: StreamItem): Promise<void>
  lost(): void
}

/** `bridge tail`: the stream as it happens, across restarts of the daemon, until it is interrupted. */
export async function tail(options: TailOptions): Promise<void> {
  const home = homeOf(options.state)
  const kinds = options.kind && expandKinds(options.kind)
  const cursor = options.after === undefined ? undefined : readCursor(options.after)
  const status = await callDaemon(home, 'status.get', {})
  const contact =
    options.contact === undefined
      ? undefined
      : await callDaemon(home, 'contacts.get', { contact: options.contact })
  const after = options.sinceStart === true ? Math.max(0, status.log.oldest_seq - 1) : cursor
  const filter: StreamFilter = {
    ...(after !== undefined && { after }),
    ...(contact && { contacts: [contact.id] }),
    ...(kinds && { kinds }),
  }
  if (options.json !== true && after === undefined) sayWhatToExpect(status)
  await follow(home, filter, options.json === true ? jsonPrinter : createLinePrinter(home, status))
}

async function follow(home: string, filter: StreamFilter, printer: Printer): Promise<void> {
  let wasLive = false
  const stream = streamEvents({
    ...filter,
    openUrl: () => openUrl(home),
    onStatus: (state) => {
      if (state === 'lost' && wasLive) printer.lost()
      if (state !== 'connecting') wasLive = state === 'live'
    },
  })
  for await (const item of stream) await printer.item(item)
}

/** The address of the stream, anew for every connect: after a restart the port may be another one. */
async function openUrl(home: string): Promise<string> {
  const [{ url }, { ticket }] = await Promise.all([
    callDaemon(home, 'status.get', {}),
    callDaemon(home, 'tickets.create', {}),
  ])
  return `${url.replace(/^http/, 'ws')}/ws?ticket=${encodeURIComponent(ticket)}`
}

function sayWhatToExpect(status: Status): void {
  if (!process.stderr.isTTY) return
  const advice = status.contacts.length === 0 ? ' "bridge demo" plays a session.' : ''
  process.stderr.write(`Waiting for events; Ctrl-C ends.${advice}\n`)
}

function readCursor(text: string): string | number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  if (parseCursor(text) !== undefined) return text
  throw new BridgeError('usage', { problem: `--after takes a place in the log, such as 120 or "epoch:120".` })
}

/**
 * Kinds as the bridge knows them: `activity` stands for all kinds that begin with `activity.`. A frame may have
 * any type, so a name nobody knows is passed on, with a word about it.
 */
export function expandKinds(
  wanted: readonly string[],
  warn = (text: string) => void process.stderr.write(`${text}\n`),
): string[] {
  const known = [...agentEventKinds, ...Object.keys(logFrameSchemas).filter((type) => type !== 'control')]
  const names = wanted.flatMap((argument) => argument.split(',')).filter((name) => name !== '')
  return names.flatMap((name) => {
    const group = known.filter((kind) => kind === name || kind.startsWith(`${name}.`))
    if (group.length === 0) warn(`bridge: no kind "${name}" is known. Known: ${known.join(', ')}`)
    return group.length === 0 ? [name] : group
  })
}

/** Every frame as it came, one a line; also where the stream began, so that a program can resume. */
const jsonPrinter: Printer = {
  item: (item) => write([safeJson(item.type === 'other' ? item.frame : item)]),
  lost: () => {},
}

function createLinePrinter(home: string, status: Status): Printer {
  const lines = new TailLines(styleFor(process.stdout), Date.now())
  const names = new ContactNames(home, status)
  let wasLost = false
  return {
    item: async (item) => {
      if (item.type === 'subscribed') {
        await write(lines.subscribed(item, wasLost))
        wasLost = false
      } else if (item.type !== 'snapshot') {
        await write(lines.frame(item, await names.of(item)))
      }
    },
    lost: () => {
      wasLost = true
      void write(lines.lost())
    },
  }
}

/** Names of contacts by their ids; one it has not heard of is asked for once. */
class ContactNames {
  readonly #home: string
  readonly #names: Map<string, string>

  constructor(home: string, status: Status) {
    this.#home = home
    this.#names = new Map(status.contacts.map(({ id, name }) => [id, name]))
  }

  async of(frame: LogFrame): Promise<string | undefined> {
    if (frame.type === 'contact_changed') this.#names.set(frame.state.id, frame.state.name)
    const { contact } = frame
    if (contact === undefined) return undefined
    const name = this.#names.get(contact) ?? (await this.#ask(contact))
    this.#names.set(contact, name)
    return name
  }

  async #ask(id: string): Promise<string> {
    try {
      return (await callDaemon(this.#home, 'contacts.get', { contact: id })).name
    } catch {
      // It is forgotten by now, or the bridge is away; the id still tells its events apart.
      return id.slice(0, 8)
    }
  }
}

/** Writes at the pace of the reader, so that a slow one is noticed by the stream. */
async function write(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const flushed = process.stdout.write(`${lines.join('\n')}\n`)
  if (!flushed) await new Promise((resolve) => process.stdout.once('drain', resolve))
}
