import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BridgeError } from '../core/errors.ts'
import { newSecret } from '../core/ids.ts'
import type { Config } from './config.ts'
import { errorCode, fileProblem } from './file-problem.ts'
import { isLoopback } from './host-name.ts'
import { createPrivateFile } from './private-file.ts'
import { tokenProblem } from './token-problem.ts'

/** Too long to be guessed over a network, short enough to be typed into a small device. */
const minWideTokenLength = 16

/**
 * The master token: `BRIDGE_TOKEN` if the configuration has it, else that of the home's token file.
 *
 * @throws BridgeError as {@link loadOrCreateToken}, and `wide_bind_needs_token` when a bind that is not
 * loopback has a token of fewer than {@link minWideTokenLength} characters
 */
export function loadMasterToken(config: Config, options: { create: boolean }): string {
  const token = config.token ?? loadOrCreateToken(config.home, options)
  if (!isLoopback(config.host) && token.length < minWideTokenLength) {
    throw new BridgeError('wide_bind_needs_token', { host: config.host, minLength: minWideTokenLength })
  }
  return token
}

/**
 * The token of `<home>/token`. With `create` a missing one is made of 32 random bytes, and all processes that
 * do so at once get the same. The file is made private if it is not.
 *
 * @throws BridgeError `token_required` when it is missing and not to be created, `config_invalid` when it holds
 * no usable token; it is never replaced then, since its clients know the old one
 */
export function loadOrCreateToken(home: string, { create }: { create: boolean }): string {
  const path = join(home, 'token')
  let token = readToken(path)
  if (token !== undefined) return token
  if (!create) throw new BridgeError('token_required')
  try {
    createPrivateFile(path, `${newSecret(32)}\n`)
  } catch (error) {
    throw new BridgeError('home_unusable', { path, problem: fileProblem(error) }, { cause: error })
  }
  token = readToken(path)
  if (token === undefined) throw new BridgeError('token_required')
  return token
}

function readToken(path: string): string | undefined {
  let token: string
  try {
    token = readFileSync(path, 'utf8').trim()
    chmodSync(path, 0o600)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw invalid(path, `cannot be read: ${fileProblem(error)}`, error)
  }
  const problem = tokenProblem(token)
  if (problem !== undefined) throw invalid(path, problem)
  return token
}

function invalid(path: string, problem: string, cause?: unknown): BridgeError {
  return new BridgeError('config_invalid', { source: path, field: 'token', problem }, { cause })
}
