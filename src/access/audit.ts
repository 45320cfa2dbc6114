import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { fileProblem } from '../config/file-problem.ts'
import type { Clock } from '../core/clock.ts'
import { BridgeError } from '../core/errors.ts'
import type { AuditEntry } from '../protocol/index.ts'
import { lastRotation } from './audit-files.ts'
import { chainedHash, encodeAuditLine, genesisHash, maxLineBytes, statedHash } from './audit-line.ts'
import { readAudit, type AuditFilter } from './audit-read.ts'
import { verifyAudit, type AuditVerification } from './audit-verify.ts'

/** A file is full at 10 MiB, about 80,000 actions. */
const defaultRotateBytes = 10 * 1024 * 1024

/**
 * The audit (design, "Secrets and audit"): one append-only TSV file in which every action is a line with who did
 * it, chained by hashes. It holds method names and ids, never bodies.
 *
 * At `rotateBytes` the file is renamed to `<path>.<n>`, where a higher number is newer, and the chain goes on in
 * a new one; no file is ever deleted. One process writes at a time; lines another one appended are noticed and
 * chained to. A line is in the kernel when `write` returns, so it survives kill -9, but a power loss may take the
 * last seconds.
 */
export interface Audit extends Disposable {
  /**
   * Adds a line. It never throws: a line that cannot be written is reported to `onError`, and the next one that
   * can be is preceded by an `audit-lost` line with their number.
   *
   * @param identity the name of who acts, or one of `daemon`, `local`, `plugin`, `-`
   * @param action what was done, such as `token-created`
   * @param detail ids and names; beyond 2,000 characters it is cut
   */
  write(identity: string, action: string, detail: string): void
  /** As {@link readAudit}. */
  read(filter: AuditFilter): Promise<AuditEntry[]>
  /** As {@link verifyAudit}. */
  verify(): Promise<AuditVerification>
  /** Brings everything to the disk and closes; later lines are dropped. */
  close(): void
}

export interface AuditOptions {
  readonly path: string
  readonly clock: Clock
  readonly rotateBytes?: number
  /** Told of each line that could not be written, and of a rotation that failed. */
  readonly onError?: (error: unknown) => void
}

/** The open file and the end of the chain in it. */
interface State {
  readonly file: number
  readonly inode: number
  size: number
  hash: string
}

/**
 * Opens the audit, or begins it. What a crash left of a line is cut off and recorded by an `audit-torn` line; if it
 * is more than a line, the damaged file is kept beside as `<path>.damaged-<time>`.
 *
 * @throws BridgeError `home_unusable` when the file cannot be opened
 */
export function openAudit(options: AuditOptions): Audit {
  const { path, clock, rotateBytes = defaultRotateBytes, onError } = options
  let state: State | undefined
  let closed = false
  let lost = { lines: 0, problem: '' }
  /** What was torn and is not recorded yet. */
  let torn: string | undefined

  function load(): State {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600)
    try {
      fchmodSync(file, 0o600)
      const content = readFileSync(file)
      const { end, hash } = lastLine(content)
      const loaded: State = {
        file,
        inode: fstatSync(file).ino,
        size: content.length,
        hash: hash ?? hashOfRotated(path),
      }
      if (end < content.length) mend(loaded, content, end)
      return loaded
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  function mend(state: State, content: Buffer, end: number): void {
    const rest = content.subarray(end)
    const stated = statedHash(rest)
    if (stated !== undefined && chainedHash(state.hash, rest) === stated) {
      append(state, '\n')
      state.hash = stated
      return
    }
    // A name for people, so a colon in it would only be in the way.
    const time = new Date(clock.now()).toISOString().replaceAll(':', '-')
    if (rest.length > maxLineBytes) copyFileSync(path, `${path}.damaged-${time}`)
    ftruncateSync(state.file, end)
    state.size = end
    torn = `${rest.length} bytes of an unfinished line were cut off: ${rest.toString('utf8', 0, maxLineBytes)}`
  }

  /** The state for the next line, read anew when another process wrote, moved or removed the file. */
  function current(): State {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (state && stats?.ino === state.inode && stats.size === state.size) return state
    if (state) closeSync(state.file)
    state = undefined
    state = load()
    return state
  }

  function rotate(old: State): State {
    try {
      fdatasyncSync(old.file)
      renameSync(path, `${path}.${lastRotation(path) + 1}`)
    } catch (error) {
      // A file that grows too large is better than a line that is lost.
      onError?.(error)
      return old
    }
    return current()
  }

  /** Writes a line, behind those that tell of lines before it that are damaged or missing. */
  function writeRecord(record?: { identity: string; action: string; detail: string }): void {
    let target = current()
    if (target.size >= rotateBytes) target = rotate(target)
    const records = []
    if (torn !== undefined) records.push({ identity: 'daemon', action: 'audit-torn', detail: torn })
    if (lost.lines > 0) {
      const detail = `${lost.lines} lines could not be written: ${lost.problem}`
      records.push({ identity: 'daemon', action: 'audit-lost', detail })
    }
    if (record !== undefined) records.push(record)
    let { hash } = target
    let text = ''
    for (const each of records) {
      const encoded = encodeAuditLine(hash, { at: clock.now(), ...each })
      text += `${encoded.line}\n`
      hash = encoded.hash
    }
    append(target, text)
    target.hash = hash
    torn = undefined
    lost = { lines: 0, problem: '' }
  }

  state = openOrExplain(load, path)
  try {
    if (torn !== undefined) writeRecord()
  } catch (error) {
    // A full disk; the next line records it.
    onError?.(error)
  }

  return {
    write(identity, action, detail) {
      if (closed) return
      try {
        writeRecord({ identity, action, detail })
      } catch (error) {
        lost = { lines: lost.lines + 1, problem: fileProblem(error) }
        onError?.(error)
      }
    },

    read: (filter) => readAudit(path, filter),
    verify: () => verifyAudit(path),
    close,
    [Symbol.dispose]: close,
  }

  function close(): void {
    closed = true
    if (state === undefined) return
    try {
      fdatasyncSync(state.file)
    } catch (error) {
      onError?.(error)
    }
    closeSync(state.file)
    state = undefined
  }
}

/** Appends all of `text`, or leaves the file as it was. */
function append(state: State, text: string): void {
  const bytes = Buffer.from(text)
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(state.file, bytes, written)
  } catch (error) {
    // Giving space back works on a full disk too. Where not even that works, the next line finds the file changed.
    ftruncateSync(state.file, state.size)
    throw error
  }
  state.size += bytes.length
}

/** Where the complete lines of a file end, and the hash of the last that states one. */
function lastLine(content: Buffer): { end: number; hash?: string } {
  const end = content.lastIndexOf(lf) + 1
  for (let lineEnd = end - 1; lineEnd > 0;) {
    const start = content.lastIndexOf(lf, lineEnd - 1) + 1
    const hash = statedHash(content.subarray(start, lineEnd))
    if (hash !== undefined) return { end, hash }
    lineEnd = start - 1
  }
  return { end }
}

function hashOfRotated(path: string): string {
  const number = lastRotation(path)
  if (number === 0) return genesisHash
  return lastLine(readFileSync(`${path}.${number}`)).hash ?? genesisHash
}

const lf = 0x0a

function openOrExplain(load: () => State, path: string): State {
  try {
    return load()
  } catch (error) {
    throw new BridgeError('home_unusable', { path, problem: fileProblem(error) }, { cause: error })
  }
}
