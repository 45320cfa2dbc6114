import type { Config } from '../config/config.ts'
import { isAddress, normalizeHost } from '../config/host-name.ts'
import { BridgeError } from '../core/errors.ts'
import { headerLines, type HeaderValue } from './headers.ts'

/** How a request's Origin is allowed: there is none, it is the bridge's own page, or the configuration names it. */
type OriginKind = 'absent' | 'own' | 'configured'

/**
 * The checks that keep foreign web pages out (design, "Access"). They come before everything else in a request,
 * and no answer ever carries `Access-Control-Allow-Origin: *`.
 */
export interface OriginRules {
  /**
   * Both checks, over the `rawHeaders` of a request.
   *
   * @throws BridgeError `host_not_allowed` or `origin_not_allowed`
   */
  check(rawHeaders: readonly string[]): OriginKind
  /**
   * Passes `localhost`, addresses (a page cannot rebind one) and the configured names, each with any port.
   *
   * @throws BridgeError `host_not_allowed`, also when the header is missing, doubled or malformed
   */
  checkHost(host: HeaderValue): void
  /**
   * Passes no Origin, the one of a page that came from this Host with this port, and the configured ones. `null`
   * (files, sandboxed frames) is no origin that can be told from another.
   *
   * @throws BridgeError `origin_not_allowed`
   */
  checkOrigin(origin: HeaderValue, host: HeaderValue): OriginKind
}

/** The rules for a bridge bound to `host`, which counts as a configured name. */
export function createOriginRules(
  options: Pick<Config, 'host' | 'allowedHosts' | 'allowedOrigins'>,
): OriginRules {
  const names = new Set(['localhost', options.host, ...options.allowedHosts])
  const origins = new Set(options.allowedOrigins)

  function checkHost(header: HeaderValue): void {
    const host = only(header)
    const name = host === undefined ? undefined : hostName(host)
    if (name !== undefined && (isAddress(name) || names.has(name))) return
    throw new BridgeError('host_not_allowed', { host: shown(header) })
  }

  function checkOrigin(header: HeaderValue, hostHeader: HeaderValue): OriginKind {
    // An empty list is a header that was not sent; an empty text is one that was.
    if (typeof header !== 'string' && (header?.length ?? 0) === 0) return 'absent'
    const origin = only(header)
    const host = only(hostHeader)
    if (origin !== undefined && origins.has(origin)) return 'configured'
    if (origin !== undefined && host !== undefined && isOwn(origin, host)) return 'own'
    throw new BridgeError('origin_not_allowed', { origin: shown(header) })
  }

  return {
    checkHost,
    checkOrigin,
    check(rawHeaders) {
      const host = headerLines(rawHeaders, 'host')
      checkHost(host)
      return checkOrigin(headerLines(rawHeaders, 'origin'), host)
    },
  }
}

function only(header: HeaderValue): string | undefined {
  if (typeof header === 'string') return header
  return header?.length === 1 ? header[0] : undefined
}

/** The name in a Host header, normalized. RFC 9110, section 7.2: host, and maybe a colon and a port. */
function hostName(header: string): string | undefined {
  const parts = /^(\[[^\]]*\]|[^:]*)(?::\d{0,5})?$/.exec(header)
  // An address of IPv6 without its brackets cannot be told from a port.
  return parts?.[1] ? normalizeHost(parts[1]) : undefined
}

/** Whether a page with this Origin came from this Host. A proxy that ends TLS makes the scheme differ from ours. */
function isOwn(origin: string, host: string): boolean {
  if (!/^https?:\/\/[^/?#@\\\s]+$/.test(origin) || !URL.canParse(origin)) return false
  const { protocol, host: originHost, origin: serialized } = new URL(origin)
  // Browsers send the serialized form; the Host is read under the same scheme, which drops its default port.
  const own = `${protocol}//${host}`
  return serialized === origin && URL.canParse(own) && new URL(own).host === originHost
}

/** A header as an error may show it. */
function shown(header: HeaderValue): string {
  const text = typeof header === 'string' ? header : (header ?? []).join(', ')
  return text === '' ? '(none)' : text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)
}
