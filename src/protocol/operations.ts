import { z } from 'zod'
import { contactSchema } from './contact.ts'
import { cursorSchema, pendingPermissionSchema } from './frames.ts'
import { restBindings, type RestBinding } from './rest-bindings.ts'
import { scopeSchema, type Scope } from './scopes.ts'

/**
 * One thing the bridge can do (design, "The flow" 4). It is declared here once and handled once in
 * `operations/`; REST, OpenAPI, the control socket and the client are derived from this table.
 */
export interface OperationDeclaration {
  readonly summary: string
  /** The scope a token needs; null: no token needed. */
  readonly scope: Scope | null
  readonly rest: RestBinding
  readonly input: z.ZodObject
  readonly output: z.ZodType
}

/** A number that may come from a query string. */
const count = (max: number) => z.coerce.number().int().min(1).max(max)

/** A token as lists show it; the secret itself is shown once, when it is made. */
export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scopeSchema),
  /** Contact ids it is bound to; absent: all. */
  contacts: z.array(z.string()).optional(),
  created_at: z.number(),
  expires_at: z.number().optional(),
  last_used_at: z.number().optional(),
})
export type TokenInfo = z.infer<typeof tokenSchema>

export const auditEntrySchema = z.object({
  ts: z.string(),
  identity: z.string(),
  action: z.string(),
  detail: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** A frame of the log with its place in it. */
export const logEntrySchema = z.looseObject({
  type: z.string(),
  seq: z.number(),
  contact: z.string().optional(),
})
export type LogEntry = z.infer<typeof logEntrySchema>

export const statusSchema = z.object({
  version: z.string(),
  pid: z.number(),
  uptime_seconds: z.number(),
  started_at: z.number(),
  home: z.string(),
  url: z.string(),
  agents: z.array(z.string()),
  log: cursorSchema.extend({ oldest_seq: z.number(), events: z.number() }),
  clients: z.number(),
  spooled: z.number(),
  contacts: z.array(contactSchema),
})
export type Status = z.infer<typeof statusSchema>

const newTokenFields = {
  name: z.string().min(1).max(80),
  scopes: z.array(scopeSchema).min(1),
  contacts: z.array(z.string()).min(1).optional(),
  expires_in_seconds: z.number().int().positive().optional(),
}
const createdTokenSchema = z.object({ token: tokenSchema, secret: z.string() })

export const operations = {
  'status.get': {
    summary: 'The state of the daemon and the roster of contacts.',
    scope: 'read',
    rest: restBindings['status.get'],
    input: z.strictObject({}),
    output: statusSchema,
  },
  'contacts.list': {
    summary: 'All contacts, live ones first.',
    scope: 'read',
    rest: restBindings['contacts.list'],
    input: z.strictObject({ status: z.enum(['live', 'offline']).optional() }),
    output: z.object({ contacts: z.array(contactSchema) }),
  },
  'contacts.get': {
    summary: 'One contact, by id or name.',
    scope: 'read',
    rest: restBindings['contacts.get'],
    input: z.strictObject({ contact: z.string().min(1).max(200) }),
    output: contactSchema,
  },
  'history.page': {
    summary: 'A page of the log, oldest first, after or before a place in it.',
    scope: 'read',
    rest: restBindings['history.page'],
    input: z.strictObject({
      after: z.coerce.number().int().nonnegative().optional(),
      before: z.coerce.number().int().positive().optional(),
      contact: z.string().optional(),
      kind: z.string().optional(),
      limit: count(1000).default(200),
    }),
    output: z.object({
      epoch: z.string(),
      entries: z.array(logEntrySchema),
      oldest_seq: z.number(),
      last_seq: z.number(),
    }),
  },
  'permissions.list': {
    summary: 'The open permission requests.',
    scope: 'read',
    rest: restBindings['permissions.list'],
    input: z.strictObject({}),
    output: z.object({ requests: z.array(pendingPermissionSchema) }),
  },
  'tokens.list': {
    summary: 'All tokens, without their secrets.',
    scope: 'admin',
    rest: restBindings['tokens.list'],
    input: z.strictObject({}),
    output: z.object({ tokens: z.array(tokenSchema) }),
  },
  'tokens.create': {
    summary: 'Makes a token; its secret is shown only here.',
    scope: 'admin',
    rest: restBindings['tokens.create'],
    input: z.strictObject(newTokenFields),
    output: createdTokenSchema,
  },
  'tokens.rotate': {
    summary: 'Gives a token a new secret; the old one stops working at once.',
    scope: 'admin',
    rest: restBindings['tokens.rotate'],
    input: z.strictObject({ token: z.string() }),
    output: createdTokenSchema,
  },
  'tokens.revoke': {
    summary: 'Ends a token at once, also for sockets that are open with it.',
    scope: 'admin',
    rest: restBindings['tokens.revoke'],
    input: z.strictObject({ token: z.string() }),
    output: z.object({ revoked: z.literal(true) }),
  },
  'tickets.create': {
    summary: 'A one-time ticket for a WebSocket or SSE of a browser; it carries the rights of the caller.',
    scope: 'read',
    rest: restBindings['tickets.create'],
    input: z.strictObject({}),
    output: z.object({ ticket: z.string(), expires_at: z.number() }),
  },
  'links.create': {
    summary: 'A one-time link that opens the dashboard.',
    scope: 'admin',
    rest: restBindings['links.create'],
    input: z.strictObject({}),
    output: z.object({ url: z.string(), expires_at: z.number() }),
  },
  'links.redeem': {
    summary: 'Exchanges the ticket of a dashboard link for a token of this browser.',
    scope: null,
    rest: restBindings['links.redeem'],
    input: z.strictObject({ ticket: z.string().min(1).max(200) }),
    output: createdTokenSchema,
  },
  'audit.read': {
    summary: 'The newest lines of the audit, oldest first, and whether the chain holds.',
    scope: 'admin',
    rest: restBindings['audit.read'],
    input: z.strictObject({
      action: z.string().optional(),
      identity: z.string().optional(),
      limit: count(1000).default(100),
    }),
    output: z.object({
      entries: z.array(auditEntrySchema),
      verified: z.boolean(),
      problem: z.string().optional(),
    }),
  },
} as const satisfies {
  [N in keyof typeof restBindings]: OperationDeclaration & { readonly rest: (typeof restBindings)[N] }
}

export type OperationName = keyof typeof operations
/** What a caller passes, before defaults are filled in. */
export type OperationInput<N extends OperationName> = z.input<(typeof operations)[N]['input']>
/** What a handler receives. */
export type OperationParams<N extends OperationName> = z.output<(typeof operations)[N]['input']>
export type OperationOutput<N extends OperationName> = z.output<(typeof operations)[N]['output']>
