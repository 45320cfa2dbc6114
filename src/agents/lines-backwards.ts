import type { FileHandle } from 'node:fs/promises'

/** How much is read at once; the row that is looked for is nearly always in the first piece. */
const pieceBytes = 64 * 1024

/** Bounds of reading a file from its end. */
export interface BackwardsBounds {
  /** A line longer than this is passed over. */
  readonly maxLineBytes: number
  /** Nothing further from the end than this is read. */
  readonly maxScanBytes: number
}

/**
 * The lines of a file from its last to its first, split at LF bytes only. Memory stays within one line of the
 * largest size and one piece. Where reading stops at its bound, a line that is not there in full is left out.
 */
export async function* linesBackwards(
  file: FileHandle,
  sizeBytes: number,
  { maxLineBytes, maxScanBytes }: BackwardsBounds,
): AsyncGenerator<string> {
  const start = Math.max(0, sizeBytes - maxScanBytes)
  let position = sizeBytes
  // Parts of the line that is being read, last part first.
  let parts: Buffer[] = []
  let lineBytes = 0
  const add = (part: Buffer) => {
    lineBytes += part.length
    if (lineBytes > maxLineBytes) parts = []
    else if (part.length > 0) parts.push(part)
  }
  const take = () => {
    const line = lineBytes > maxLineBytes ? undefined : Buffer.concat(parts.toReversed()).toString('utf8')
    parts = []
    lineBytes = 0
    return line
  }
  while (position > start) {
    const length = Math.min(pieceBytes, position - start)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position - length)
    // The file has become shorter meanwhile: what is behind its end is gone.
    if (bytesRead < length) return
    position -= length
    let end = length
    for (let newline = buffer.lastIndexOf(0x0a, end - 1); end > 0 && newline >= 0;) {
      add(Buffer.from(buffer.subarray(newline + 1, end)))
      const line = take()
      if (line !== undefined) yield line
      end = newline
      newline = end > 0 ? buffer.lastIndexOf(0x0a, end - 1) : -1
    }
    add(Buffer.from(buffer.subarray(0, end)))
  }
  if (start > 0) return
  const line = take()
  if (line !== undefined) yield line
}
