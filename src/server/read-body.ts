import type { Readable } from 'node:stream'
import { BridgeError } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'

/** What is kept of a larger one where its beginning is of use. */
const keptPrefixBytes = 64 * 1024
/** How much of a refused body is read and thrown away, so that its sender gets to read the answer. */
const maxDrainedBytes = 32 * 1024 * 1024

/** A body as it arrived; `truncated` ones hold only their beginning. */
export interface Body {
  readonly bytes: Buffer
  readonly truncated: boolean
}

/** Reads a body up to `maxBytes`; beyond it the beginning is returned at once and the rest thrown away. */
export function readBody(stream: Readable, maxBytes: number): Promise<Body> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    let settled = false
    stream.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (settled) {
        if (sizeBytes > maxDrainedBytes) stream.destroy()
        return
      }
      chunks.push(chunk)
      if (sizeBytes <= maxBytes) return
      settled = true
      resolve({ bytes: Buffer.concat(chunks).subarray(0, keptPrefixBytes), truncated: true })
      chunks.length = 0
    })
    stream.on('end', () => {
      const [only] = chunks
      if (!settled)
        resolve({ bytes: chunks.length === 1 && only ? only : Buffer.concat(chunks), truncated: false })
      settled = true
    })
    stream.on('error', reject)
    stream.on('close', () => {
      if (!settled) reject(new BridgeError('invalid_json'))
    })
  })
}

/**
 * A body's JSON value; an empty body is an empty object, as the seed's original has it.
 *
 * @throws BridgeError `invalid_json`, `body_too_large`, `body_too_deep`
 */
export function parseBody(body: Body, maxBytes: number): unknown {
  if (body.truncated) throw new BridgeError('body_too_large', { maxBytes })
  return body.bytes.length === 0 ? {} : parseJson(body.bytes.toString('utf8'))
}
