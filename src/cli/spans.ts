import { BridgeError } from '../core/errors.ts'

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/**
 * Reads a span such as `30d`, `12h`, `90m` or `45s`.
 *
 * @returns seconds
 * @throws BridgeError `usage` for anything else
 */
export function parseSpan(option: string, text: string): number {
  const match = /^([1-9]\d{0,8})([smhd])$/.exec(text)
  const unit = unitSeconds[match?.[2] ?? '']
  if (!match || unit === undefined) {
    throw new BridgeError('usage', { problem: `${option} takes a span such as 30d, 12h or 90m.` })
  }
  return Number(match[1]) * unit
}
