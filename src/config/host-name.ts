import { isIP, isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * A host as one text that can be compared: an IPv4 address, an IPv6 address without brackets, or a DNS name in
 * lower case, in ASCII and without its final dot. Undefined when it is none of these; the historic spellings
 * of IPv4 (`2130706433`, `0x7f.1`) are none.
 */
export function normalizeHost(text: string): string | undefined {
  if (text.startsWith('[')) {
    const inner = text.endsWith(']') ? text.slice(1, -1) : ''
    return isIPv6(inner) && !inner.includes('%') ? inner.toLowerCase() : undefined
  }
  if (isIPv4(text)) return text
  if (isIPv6(text)) return text.includes('%') ? undefined : text.toLowerCase()
  // Only letters, digits, "-", "_" and "." of ASCII; what else a URL parser decodes or drops is refused.
  if (/[\0-,/:-@[-^`{-\x7f]/.test(text)) return undefined
  const name = domainToASCII(text.toLowerCase().replace(/\.$/, ''))
  return name.length <= 253 && isDnsName(name) ? name : undefined
}

/** Whether `host` (normalized) is an address and not a name. */
export function isAddress(host: string): boolean {
  return isIP(host) !== 0
}

/** Whether only this machine can reach a server bound to `host` (normalized). */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.')
  return host === 'localhost' || host === '::1' || host.startsWith('::ffff:127.')
}

/** `host` (normalized) as it stands in a URL. */
export function hostInUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

function isDnsName(name: string): boolean {
  const labels = name.split('.')
  // A last label of digits is an IPv4 address in one of its spellings to every URL parser.
  if (/^(\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')) return false
  return labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
}
