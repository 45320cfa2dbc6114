import { z } from 'zod'

/**
 * What a token may do (design, "Access"). `admin` is not a superset: the master token simply has all of them.
 */
export const scopes = ['ingest', 'read', 'send', 'approve', 'keys', 'admin'] as const

/** One thing a token may be allowed to do. */
export const scopeSchema = z.enum(scopes)
export type Scope = z.infer<typeof scopeSchema>
