import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writePrivateFile } from '../../config/private-file.ts'

/** What is known of a file from our earlier edits. */
export interface SettingsPast {
  /** The file is byte for byte what we wrote last. */
  readonly untouched: boolean
  /** What it was before our first edit; `text` undefined: there was no file. Absent: not known. */
  readonly original?: { readonly text: string | undefined }
  /** The containers we made in it; undefined: not known. */
  readonly created: readonly string[] | undefined
}

interface Memory {
  readonly path: string
  /** SHA-256 of what we wrote last. */
  readonly wrote: string
  /** The name of the backup with the original, null when there was no file, absent when it is not known. */
  readonly original?: string | null
  readonly created?: readonly string[]
}

/** Backups kept of one file, beside the original. */
const maxBackups = 5

/**
 * Keeps what settings files were before we edited them, in `<home>/backups/`: a bounded number of copies, and a note
 * for the way back. One file is known by its real path, so several agents and configurations do not meet.
 */
export class SettingsBackups {
  readonly #directory: string
  readonly #prefix: string
  readonly #target: string

  constructor(bridgeHome: string, target: string) {
    this.#directory = join(bridgeHome, 'backups')
    this.#target = target
    this.#prefix = `${basename(target)}.${hash(target).slice(0, 12)}`
  }

  past(current: Buffer | undefined): SettingsPast {
    const memory = this.#readMemory()
    if (!memory) return { untouched: false, created: undefined }
    const untouched = current !== undefined && hash(current) === memory.wrote
    return { untouched, created: memory.created, ...this.#readOriginal(memory) }
  }

  /** Copies the file as it is now and returns the copy's path; the newest copy is reused when it is the same. */
  keep(current: Buffer, now: number): string {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    this.#clearUnfinished()
    const names = this.#names()
    const newest = names.at(-1)
    if (newest && readFileSync(join(this.#directory, newest)).equals(current))
      return join(this.#directory, newest)
    // Sorted as text they are sorted by time, also within one millisecond.
    const time = Math.max(now, Number(newest?.slice(this.#prefix.length + 1, -'.bak'.length) ?? 0) + 1)
    const path = join(this.#directory, `${this.#prefix}.${String(time).padStart(15, '0')}.bak`)
    writePrivateFile(path, current)
    const original = this.#readMemory()?.original
    const old = names.filter((name) => name !== original).slice(0, -(maxBackups - 1))
    for (const name of old) rmSync(join(this.#directory, name), { force: true })
    return path
  }

  /**
   * Notes an edit that left our entries in the file. `backup` is the copy from before it (undefined: there was no
   * file), and the original when none of our entries were in it.
   */
  remember(
    wrote: Buffer,
    edit: { had: boolean; created: readonly string[]; backup: string | undefined; past: SettingsPast },
  ): void {
    const memory = this.#readMemory()
    const original = edit.had
      ? edit.past.untouched && memory?.original !== undefined && { original: memory.original }
      : { original: edit.backup === undefined ? null : basename(edit.backup) }
    const known = edit.had ? memory?.created : []
    const created = known && { created: [...new Set([...known, ...edit.created])] }
    const note: Memory = { path: this.#target, wrote: hash(wrote), ...original, ...created }
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    writePrivateFile(this.#memoryPath, `${JSON.stringify(note, null, 2)}\n`)
  }

  /** After an edit that took our entries out. */
  forget(): void {
    rmSync(this.#memoryPath, { force: true })
  }

  get #memoryPath(): string {
    return join(this.#directory, `${this.#prefix}.json`)
  }

  /** What an installer that was killed had half written. Nobody is writing now: the caller holds the lock. */
  #clearUnfinished(): void {
    for (const name of readdirSync(this.#directory)) {
      const isOurs = name.startsWith(`.${this.#prefix}.`) && name.endsWith('.tmp')
      if (isOurs) rmSync(join(this.#directory, name), { force: true })
    }
  }

  #names(): string[] {
    return readdirSync(this.#directory)
      .filter((name) => name.startsWith(`${this.#prefix}.`) && name.endsWith('.bak'))
      .sort()
  }

  #readOriginal(memory: Memory): Pick<SettingsPast, 'original'> {
    if (memory.original === undefined) return {}
    if (memory.original === null) return { original: { text: undefined } }
    try {
      return { original: { text: readFileSync(join(this.#directory, basename(memory.original)), 'utf8') } }
    } catch {
      // Somebody cleaned up: then our entries are taken out by an edit.
      return {}
    }
  }

  #readMemory(): Memory | undefined {
    try {
      const note: unknown = JSON.parse(readFileSync(this.#memoryPath, 'utf8'))
      return isMemory(note) ? note : undefined
    } catch {
      // There is none, or it is broken: then nothing is known of the file.
      return undefined
    }
  }
}

function isMemory(note: unknown): note is Memory {
  return (
    typeof note === 'object' &&
    note !== null &&
    'wrote' in note &&
    typeof note.wrote === 'string' &&
    (!('created' in note) || Array.isArray(note.created)) &&
    (!('original' in note) || note.original === null || typeof note.original === 'string')
  )
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
