import { readdirSync } from 'node:fs'
import { open, readdir, type FileHandle } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { maxLineBytes } from './audit-line.ts'

const blockBytes = 65_536
const lf = 0x0a

/** One file of an audit, as long as it was when it was opened. */
export interface AuditFile extends AsyncDisposable {
  readonly path: string
  readonly handle: FileHandle
  readonly sizeBytes: number
}

/** All files of an audit at one moment. */
export interface AuditFiles extends AsyncDisposable {
  /** The paths of those that were rotated away, oldest first. */
  readonly rotated: readonly string[]
  readonly current: AuditFile | undefined
}

/** A line without its LF; `complete` is false for what stands behind the last LF. */
export interface RawLine {
  readonly bytes: Buffer
  readonly complete: boolean
}

/** The number of the newest file that was rotated away from `path`; 0 when none was. */
export function lastRotation(path: string): number {
  return numbersOf(path, readdirSync(dirname(path))).at(-1) ?? 0
}

/** Opens the audit at `path` as it is at one moment, whatever is written and rotated meanwhile. */
export async function openAuditFiles(path: string): Promise<AuditFiles> {
  for (;;) {
    const before = await rotatedFiles(path)
    const current = await openAuditFile(path)
    const rotated = await rotatedFiles(path)
    const close = async () => current?.[Symbol.asyncDispose]()
    if (before.length === rotated.length) return { rotated, current, [Symbol.asyncDispose]: close }
    await close()
  }
}

/** Opens one file of an audit; undefined when it does not exist. */
export async function openAuditFile(path: string): Promise<AuditFile | undefined> {
  try {
    const handle = await open(path, 'r')
    const { size: sizeBytes } = await handle.stat()
    return { path, handle, sizeBytes, [Symbol.asyncDispose]: () => handle.close() }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function rotatedFiles(path: string): Promise<string[]> {
  // Without a directory there is no audit; any other trouble with it shows when the current file is opened.
  const names = await readdir(dirname(path)).catch(() => [])
  return numbersOf(path, names).map((number) => `${path}.${number}`)
}

function numbersOf(path: string, names: readonly string[]): number[] {
  const prefix = `${basename(path)}.`
  return names
    .filter((name) => name.startsWith(prefix) && /^[1-9]\d{0,14}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b)
}

/**
 * The lines of a file from its first. What goes on beyond {@link maxLineBytes} without an LF is no line of ours; it
 * is handed out as incomplete, and nothing after it.
 */
export async function* readLinesForward(file: AuditFile): AsyncGenerator<RawLine> {
  let rest: Buffer = Buffer.alloc(0)
  for (let position = 0; position < file.sizeBytes;) {
    const block = await readBlock(file, position, Math.min(blockBytes, file.sizeBytes - position))
    if (block.length === 0) break
    position += block.length
    rest = Buffer.concat([rest, block])
    let start = 0
    for (let end = rest.indexOf(lf); end !== -1; end = rest.indexOf(lf, start)) {
      yield { bytes: rest.subarray(start, end), complete: true }
      start = end + 1
    }
    rest = rest.subarray(start)
    if (rest.length > maxLineBytes) break
  }
  if (rest.length > 0) yield { bytes: rest, complete: false }
}

/** The complete lines of a file from its last. */
export async function* readLinesBackward(file: AuditFile): AsyncGenerator<Buffer> {
  // Undefined until the last LF was seen: what stands behind it is no line yet.
  let rest: Buffer | undefined
  for (let position = file.sizeBytes; position > 0;) {
    const length = Math.min(blockBytes, position)
    position -= length
    let block = await readBlock(file, position, length)
    for (let at = block.lastIndexOf(lf); at !== -1; at = block.lastIndexOf(lf)) {
      if (rest !== undefined) yield Buffer.concat([block.subarray(at + 1), rest])
      rest = Buffer.alloc(0)
      block = block.subarray(0, at)
    }
    if (rest !== undefined) rest = Buffer.concat([block, rest])
  }
  if (rest !== undefined) yield rest
}

async function readBlock({ handle }: AuditFile, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
