import { headerLines } from './headers.ts'

/** What a request shows to be let in. */
export type Credential =
  | { readonly kind: 'token'; readonly secret: string }
  | { readonly kind: 'ticket'; readonly ticket: string }

/**
 * The one credential of a request: `Authorization: Bearer` (any case) or `X-Bridge-Token` (seed
 * agent-bridge-readme, "HTTP API"), and of the address what `query.accept` allows: a WebSocket takes `token`
 * ("WebSocket API") and `ticket`, an SSE `ticket`. Undefined when there is none, when a header is doubled, or
 * when two of them differ: what one proxy checks must be what the bridge reads. Cookies do not count, since a
 * browser sends them for foreign pages too; other schemes of Authorization belong to a proxy and are skipped.
 */
export function readCredential(
  rawHeaders: readonly string[],
  query?: { readonly url: string; readonly accept: readonly ('token' | 'ticket')[] },
): Credential | undefined {
  const authorization = headerLines(rawHeaders, 'authorization')
  const bridgeToken = headerLines(rawHeaders, 'x-bridge-token')
  if (authorization.length > 1 || bridgeToken.length > 1) return undefined

  const found: Credential[] = []
  for (const line of authorization) {
    if (!/^bearer(\s|$)/i.test(line)) continue
    found.push({ kind: 'token', secret: /^bearer +([\x21-\x7e]+)$/i.exec(line)?.[1] ?? '' })
  }
  for (const line of bridgeToken) found.push({ kind: 'token', secret: line })
  const parameters = query && parametersOf(query.url)
  for (const name of query?.accept ?? []) {
    for (const value of parameters?.getAll(name) ?? []) {
      found.push(name === 'token' ? { kind: name, secret: value } : { kind: name, ticket: value })
    }
  }

  const [first, ...others] = found
  if (first === undefined || textOf(first) === '') return undefined
  return others.every((other) => other.kind === first.kind && textOf(other) === textOf(first))
    ? first
    : undefined
}

/** The path and query of a request as logs may show it: tokens and tickets are blotted out. */
export function withoutSecrets(url: string): string {
  const blotted = url.replace(/((?:token|ticket)=)[^&#]*/gi, '$1***')
  const start = blotted.indexOf('?')
  if (start === -1) return blotted
  // A name spelled with escapes is read all the same: then nothing of the query is shown.
  const query = blotted.slice(start).replace(/(?:token|ticket)=\*\*\*/gi, '')
  const decoded = query.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  const hidden = decoded !== query && /token|ticket/i.test(decoded)
  return hidden ? `${blotted.slice(0, start)}?***` : blotted
}

function parametersOf(url: string): URLSearchParams | undefined {
  const start = url.indexOf('?')
  return start === -1 ? undefined : new URLSearchParams(url.slice(start + 1).replace(/#.*$/s, ''))
}

function textOf(credential: Credential): string {
  return credential.kind === 'token' ? credential.secret : credential.ticket
}
