/** A hook that could not be delivered when it happened. */
export interface SpooledHook {
  readonly agent: string
  /** The type the forwarder was told; absent: the body says it. */
  readonly hookType?: string | undefined
  /** Unique per hook; the same as in its POST, which the bridge may have taken after all. */
  readonly id: string
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number
  readonly body: Buffer
  /** Only the beginning of the body is here. */
  readonly truncated: boolean
  readonly source: {
    readonly contact?: string | undefined
    readonly pid?: string | undefined
    readonly pane?: string | undefined
  }
}

/** What the name of a file in the spool says; the forwarders write `<time>-<process>-<random>.<size>.<state>`. */
export interface SpoolName {
  readonly name: string
  readonly at: number
  readonly pid: number
  /** A forwarder writes `tmp` while it still waits for an answer, and `hook` when it has given up. */
  readonly state: 'hook' | 'tmp'
}

/** Reads the name of a file; undefined when it is none of the spool's. */
export function parseSpoolName(name: string): SpoolName | undefined {
  const match = /^(\d{1,15})-(\d{1,10})-\w+\.\d+\.(hook|tmp)$/.exec(name)
  if (!match) return undefined
  const [, at, pid, state] = match
  return { name, at: Number(at), pid: Number(pid), state: state === 'hook' ? 'hook' : 'tmp' }
}

/** In the order in which the hooks happened, as far as the clock tells them apart. */
export function compareSpoolNames(a: SpoolName, b: SpoolName): number {
  return a.at - b.at || a.pid - b.pid || (a.name < b.name ? -1 : 1)
}

/**
 * Reads a file of the spool: lines `Key: value`, an empty line, the body. A body shorter than its length says was
 * cut by a kill; its beginning still tells something. Undefined when the head is not whole.
 */
export function parseSpoolFile(bytes: Buffer): SpooledHook | undefined {
  const end = bytes.indexOf('\n\n')
  if (end < 0) return undefined
  const head = new Map<string, string>()
  for (const line of bytes.toString('latin1', 0, end).split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) head.set(line.slice(0, colon), line.slice(colon + 2))
  }
  const agent = head.get('Agent')
  const id = head.get('Id')
  const at = Number(head.get('Time'))
  const length = Number(head.get('Length'))
  if (!agent || !id || !Number.isSafeInteger(at) || !Number.isSafeInteger(length)) return undefined
  const body = bytes.subarray(end + 2, end + 2 + length)
  return {
    agent,
    hookType: head.get('Hook-Type'),
    id,
    at,
    body,
    truncated: head.get('Truncated') === 'true' || body.length < length,
    source: { contact: head.get('Contact'), pid: head.get('Pid'), pane: head.get('Pane') },
  }
}
