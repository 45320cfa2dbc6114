import { constants } from 'node:fs'
import { open, realpath, type FileHandle } from 'node:fs/promises'
import { isAbsolute, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock, type Clock } from '../core/clock.ts'
import { clip, fieldsOf, isFields, listOf, textOf, type Fields } from './fields.ts'
import { linesBackwards } from './lines-backwards.ts'

/** A row longer than this is no reply; pasted images make such. */
const defaultMaxBytes = 4 * 1024 * 1024
/** How far from its end a transcript is searched: past a few rows of the largest size that agents write. */
const scanFactor = 16
/** Claude flushes its transcript up to 400 ms after Stop (bug case B17). */
const defaultTimeoutMs = 2_000
const pollMs = 25
const maxPathLength = 4_096
/** The longest text that goes out in one event, in UTF-16 units. */
const maxReplyLength = 100_000

/** How a transcript may be read. */
export interface ReadReplyOptions {
  /** Where the agent keeps its transcripts; a file elsewhere is not even opened (bug case B56). */
  readonly allowedRoots: readonly string[]
  /** The longest row that is read, and so what is held in memory. */
  readonly maxBytes?: number
  /** How long the reply is waited for. */
  readonly timeoutMs?: number
  readonly clock?: Clock
  readonly signal?: AbortSignal
}

/**
 * The reply to the last prompt in a Claude Code transcript, waited for until it is flushed. Undefined when it
 * does not come within the time, and for everything that is not a regular file under one of the allowed
 * directories; never the reply to an earlier prompt. Lines that cannot be read are passed over one by one.
 * Throws nothing.
 */
export async function readReply(path: unknown, options: ReadReplyOptions): Promise<string | undefined> {
  const { maxBytes = defaultMaxBytes, timeoutMs = defaultTimeoutMs, clock = systemClock, signal } = options
  const deadline = clock.monotonic() + timeoutMs
  let lastLook = ''
  for (;;) {
    if (signal?.aborted) return undefined
    const look = await lookForReply(path, options.allowedRoots, maxBytes, lastLook)
    if (look.reply !== undefined) return clip(look.reply, maxReplyLength)
    if (look.refused || clock.monotonic() >= deadline) return undefined
    lastLook = look.version
    try {
      await delay(pollMs, undefined, signal && { signal })
    } catch {
      // Aborted: nobody waits for the reply any more.
      return undefined
    }
  }
}

interface Look {
  readonly reply?: string | undefined
  /** What the file looked like; it need not be read again until that changes. */
  readonly version: string
  /** Waiting cannot help. */
  readonly refused?: true
}

async function lookForReply(
  path: unknown,
  allowedRoots: readonly string[],
  maxBytes: number,
  lastLook: string,
): Promise<Look> {
  const file = await openTranscript(path, allowedRoots)
  if (!file || file === 'refused') return { version: '', ...(file && { refused: true }) }
  try {
    const { size, mtimeNs, ino } = await file.stat({ bigint: true })
    const version = `${ino}:${size}:${mtimeNs}`
    if (version === lastLook) return { version }
    const bounds = { maxLineBytes: maxBytes, maxScanBytes: maxBytes * scanFactor }
    return { version, reply: await replyIn(linesBackwards(file, Number(size), bounds)) }
  } catch {
    // The file cannot be read right now; the next look may be luckier.
    return { version: '' }
  } finally {
    await file.close()
  }
}

/** The open transcript; undefined while it does not exist, `refused` when it is none. */
async function openTranscript(
  path: unknown,
  allowedRoots: readonly string[],
): Promise<FileHandle | undefined | 'refused'> {
  if (typeof path !== 'string' || path.length > maxPathLength || path.includes('\0') || !isAbsolute(path))
    return 'refused'
  let file: FileHandle | undefined
  try {
    const real = await realpath(path)
    const roots = await Promise.all(allowedRoots.map((root) => realpath(root).catch(() => undefined)))
    if (!roots.some((root) => root !== undefined && real.startsWith(root + sep))) return 'refused'
    // A pipe put there must not hold us up, nor a link put there since lead elsewhere.
    file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    const stats = await file.stat()
    if (stats.isFile() && (await realpath(path)) === real) return file
    await file.close()
    return 'refused'
  } catch (error) {
    await file?.close().catch(() => undefined)
    return isFields(error) && error.code === 'ENOENT' ? undefined : 'refused'
  }
}

/**
 * What the agent said last, if nothing but its own text came after. A tool's use or result behind the last text
 * says that the turn's end is not flushed yet; a prompt says that there is no reply to it yet.
 */
async function replyIn(lines: AsyncIterable<string>): Promise<string | undefined> {
  const blocks: string[] = []
  let messageId: unknown
  for await (const line of lines) {
    const row = parseRow(line)
    if (!row || row.isSidechain === true) continue
    if (row.type === 'user') {
      const aside = row.isMeta === true || row.isCompactSummary === true
      if (aside && !isStopFeedback(fieldsOf(row.message))) continue
      break
    }
    if (row.type !== 'assistant') continue
    const message = fieldsOf(row.message)
    // Claude writes each block of a message as a row of its own.
    if (blocks.length > 0 && (messageId === undefined || message.id !== messageId)) break
    if (row.isApiErrorMessage === true || usesTool(message)) break
    const text = textIn(message)
    if (text !== undefined) blocks.unshift(text)
    messageId = message.id
  }
  return blocks.length > 0 ? blocks.join('\n') : undefined
}

function parseRow(line: string): Fields | undefined {
  const text = line.replace(/^\uFEFF/, '').trim()
  if (!text.startsWith('{')) return undefined
  try {
    const row: unknown = JSON.parse(text)
    return isFields(row) ? row : undefined
  } catch {
    // A row that is still being written, or was never right: the others count.
    return undefined
  }
}

/** What a Stop hook told the agent to go on with: the text before it was the reply to the turn before. */
function isStopFeedback(message: Fields): boolean {
  return textIn(message)?.startsWith('Stop hook feedback') === true
}

function usesTool(message: Fields): boolean {
  return listOf(message.content).some((block) => fieldsOf(block).type === 'tool_use')
}

function textIn(message: Fields): string | undefined {
  if (typeof message.content === 'string') return textOf(message.content)
  const texts = listOf(message.content).flatMap((block) => {
    const { type, text } = fieldsOf(block)
    return type === 'text' && typeof text === 'string' && text.trim() !== '' ? [text] : []
  })
  return texts.length > 0 ? texts.join('\n') : undefined
}
