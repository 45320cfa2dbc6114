import { StringDecoder } from 'node:string_decoder'
import { BridgeError } from './errors.ts'

/**
 * Splits a byte stream into lines at LF only (CRLF is accepted). `node:readline` is not used because it also
 * splits at U+2028 and U+2029, which are ordinary characters inside JSON strings.
 */
export class LineSplitter {
  readonly #maxLineBytes: number
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #restBytes = 0

  /** @param maxLineBytes the longest line that is taken, LF excluded */
  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes
  }

  /**
   * Takes the next chunk and returns the lines it completes.
   *
   * @throws BridgeError `line_too_long` as soon as a line grows past the bound
   */
  push(chunk: Buffer): string[] {
    const text = this.#decoder.write(chunk)
    const lines = text.split('\n')
    if (lines.length === 1) {
      this.#rest += text
      this.#restBytes += chunk.byteLength
      if (this.#restBytes > this.#maxLineBytes) throw this.#tooLong()
      return []
    }
    lines[0] = this.#rest + (lines[0] ?? '')
    this.#rest = lines.pop() ?? ''
    this.#restBytes = Buffer.byteLength(this.#rest)
    for (const line of lines) if (Buffer.byteLength(line) > this.#maxLineBytes) throw this.#tooLong()
    if (this.#restBytes > this.#maxLineBytes) throw this.#tooLong()
    return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  }

  /** What has arrived of a line that is not finished yet. */
  get partial(): string {
    return this.#rest
  }

  #tooLong(): BridgeError {
    return new BridgeError('line_too_long', { maxBytes: this.#maxLineBytes })
  }
}

/** One value as one NDJSON line. */
export function encodeLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}
