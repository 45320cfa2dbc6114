import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../config/private-file.ts'

/** What a running daemon leaves for its clients in `daemon.json`. */
export interface DaemonFile {
  readonly pid: number
  readonly port: number
  readonly url: string
  readonly version: string
}

export function writeDaemonFile(home: string, file: DaemonFile): void {
  writePrivateFile(join(home, 'daemon.json'), `${JSON.stringify(file)}\n`)
}

/** Removes the file unless another daemon has written its own by now. */
export function removeDaemonFile(home: string, pid: number): void {
  const path = join(home, 'daemon.json')
  try {
    const file: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof file === 'object' && file !== null && 'pid' in file && file.pid === pid) rmSync(path)
  } catch {
    // Gone already, or not ours to judge.
  }
}
