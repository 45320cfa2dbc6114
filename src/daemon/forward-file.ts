import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tokens } from '../access/tokens.ts'
import { writePrivateFile } from '../config/private-file.ts'

const tokenName = 'forwarder'

/**
 * Writes `<home>/forward`, which tells the forwarders where to post, and with which token. That token may only
 * bring hooks in (design, "Access"); it is kept from start to start, and made anew when it no longer holds.
 */
export function writeForwardFile(
  home: string,
  tokens: Tokens,
  target: { url: string; timeoutMs: number },
): void {
  const path = join(home, 'forward')
  const known = readToken(path)
  const identity = known === undefined ? undefined : tokens.verify(known)
  const token = known !== undefined && identity?.name === tokenName ? known : makeToken(tokens)
  // `node` is for what the Perl forwarder leaves to the other: https, names, IPv6.
  const lines = [
    `url=${target.url}`,
    `token=${token}`,
    `timeout_ms=${target.timeoutMs}`,
    `node=${process.execPath}`,
  ]
  writePrivateFile(path, `${lines.join('\n')}\n`)
}

function makeToken(tokens: Tokens): string {
  for (const token of tokens.list()) if (token.name === tokenName) tokens.revoke(token.id)
  return tokens.create({ name: tokenName, scopes: ['ingest'] }).secret
}

function readToken(path: string): string | undefined {
  try {
    return /^token=(.+)$/m.exec(readFileSync(path, 'utf8'))?.[1]
  } catch {
    // There is none before the first start.
    return undefined
  }
}
