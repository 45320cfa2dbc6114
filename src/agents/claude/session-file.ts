import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** The file is a few hundred bytes; what is larger is not it. */
const maxBytes = 64 * 1024

/** What the file says that we read (reference agents, Claude Code, "Gaps"); it is not documented by its maker. */
const sessionFileSchema = z.object({ sessionId: z.string(), status: z.enum(['idle', 'busy', 'waiting']) })
export type SessionFile = z.infer<typeof sessionFileSchema>

/**
 * What a running Claude Code says of itself in `<config>/sessions/<pid>.json`: the one sign of an interrupt, which
 * fires no hook. Undefined when there is none, or when it is anything else than we know.
 *
 * @param directory Claude Code's `sessions` directory
 */
export async function readSessionFile(directory: string, pid: string): Promise<SessionFile | undefined> {
  if (!/^\d{1,10}$/.test(pid)) return undefined
  try {
    await using file = await open(join(directory, `${pid}.json`))
    const stat = await file.stat()
    if (!stat.isFile() || stat.size > maxBytes) return undefined
    return sessionFileSchema.parse(JSON.parse(await file.readFile('utf8')))
  } catch {
    // Gone, half written, or of another version: it tells nothing then.
    return undefined
  }
}
