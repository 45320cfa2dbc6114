import { homedir } from 'node:os'
import { quoteWord } from '../../agents/forwarder/shell-words.ts'
import { shortPath } from '../cli-home.ts'
import { formatCount } from '../amounts.ts'

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** An amount of bytes as people say it: `512 bytes`, `1.5 MiB`, `35 GiB`. */
export function formatBytes(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit += 1
  }
  return `${amount < 9.95 && unit > 0 ? Number(amount.toFixed(1)) : Math.round(amount)} ${units[unit] ?? ''}`
}

/** `1 hook`, `1,234 hooks`. */
export function countOf(amount: number, noun: string): string {
  return `${formatCount(amount)} ${noun}${amount === 1 ? '' : 's'}`
}

/** A path as one word of a command that is to be copied into a shell. */
export function shellPath(path: string, homeDir = homedir()): string {
  const short = shortPath(path, homeDir)
  const rest = short.startsWith('~') ? short.slice(1) : short
  return quoteWord(rest) === rest || short === '~' ? short : quoteWord(path)
}

/** The first few of many, and how many more there are. */
export function listOf(items: readonly string[], most = 4): string {
  const more = items.length - most
  return more > 0 ? `${items.slice(0, most).join(', ')} and ${more} more` : items.join(', ')
}
