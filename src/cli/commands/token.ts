import { BridgeError } from '../../core/errors.ts'
import { scopeSchema, scopes, type Scope, type TokenInfo } from '../../protocol/index.ts'
import { homeOf } from '../cli-home.ts'
import { callDaemon } from '../control-client.ts'
import { parseSpan } from '../spans.ts'
import { safeJson, safeLine } from '../safe-text.ts'
import { styleFor } from '../style.ts'
import { formatTable, type Cell } from '../table.ts'
import { formatAge, formatDate } from '../amounts.ts'

interface TokenOptions {
  readonly json?: boolean
  readonly state?: string
}

/** `bridge token list` */
export async function listTokens(options: TokenOptions): Promise<void> {
  const { tokens } = await callDaemon(homeOf(options.state), 'tokens.list', {})
  if (options.json === true) return print(safeJson(tokens, 2))
  if (tokens.length === 0) {
    return print('No tokens beside the master token. Make one with "bridge token create NAME --scope read".')
  }
  const now = Date.now()
  const head: Cell[] = ['id', 'name', 'scopes', 'contacts', 'expires', 'used'].map((text) => ({
    text,
    hue: 'grey',
  }))
  print(formatTable([head, ...tokens.map((token) => rowOf(token, now))], styleFor(process.stdout)).join('\n'))
}

function rowOf(token: TokenInfo, now: number): Cell[] {
  const expired = token.expires_at !== undefined && token.expires_at <= now
  const expiry = token.expires_at === undefined ? 'never' : formatDate(token.expires_at)
  return [
    { text: safeLine(token.id) },
    { text: safeLine(token.name) },
    { text: token.scopes.join(',') },
    { text: token.contacts ? safeLine(token.contacts.join(',')) : 'all' },
    { text: expired ? `${expiry} (expired)` : expiry, ...(expired && { hue: 'red' }) },
    { text: token.last_used_at === undefined ? 'never' : formatAge(token.last_used_at, now) },
  ]
}

export interface CreateTokenOptions extends TokenOptions {
  readonly scope: readonly string[]
  readonly contact?: readonly string[]
  readonly expires?: string
}

/** `bridge token create NAME`: its secret is shown here and never again. */
export async function createToken(name: string, options: CreateTokenOptions): Promise<void> {
  const home = homeOf(options.state)
  const wanted = readScopes(options.scope)
  const expiresInSeconds = options.expires === undefined ? undefined : parseSpan('--expires', options.expires)
  const contacts: string[] = []
  for (const contact of options.contact ?? []) {
    contacts.push((await callDaemon(home, 'contacts.get', { contact })).id)
  }
  const created = await callDaemon(home, 'tokens.create', {
    name,
    scopes: wanted,
    ...(contacts.length > 0 && { contacts }),
    ...(expiresInSeconds !== undefined && { expires_in_seconds: expiresInSeconds }),
  })
  showSecret(created, options)
}

/** `bridge token rotate ID` */
export async function rotateToken(token: string, options: TokenOptions): Promise<void> {
  showSecret(await callDaemon(homeOf(options.state), 'tokens.rotate', { token }), options)
}

/** `bridge token revoke ID` */
export async function revokeToken(token: string, options: TokenOptions): Promise<void> {
  const answer = await callDaemon(homeOf(options.state), 'tokens.revoke', { token })
  print(
    options.json === true ? safeJson(answer, 2) : `Revoked ${safeLine(token)}; it no longer opens anything.`,
  )
}

function showSecret(created: { token: TokenInfo; secret: string }, options: TokenOptions): void {
  if (options.json === true) return print(safeJson(created, 2))
  print(created.secret)
  // Beside the secret, so that a program that reads stdout gets nothing else.
  process.stderr.write(`This is the secret of ${safeLine(created.token.id)}. It is not shown again.\n`)
}

function readScopes(names: readonly string[]): Scope[] {
  return names
    .flatMap((name) => name.split(','))
    .map((name) => {
      const scope = scopeSchema.safeParse(name)
      if (scope.success) return scope.data
      throw new BridgeError('usage', { problem: `There is no scope "${name}". Known: ${scopes.join(', ')}.` })
    })
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
