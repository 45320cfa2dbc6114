import type { Logger } from 'pino'
import { BridgeError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { translateWriteError } from '../store/database.ts'

/**
 * What was thrown, as the outside is told: a known error as it is, a full disk by its name. Anything else is a bug:
 * the log has its stack, the answer an id to find it by.
 */
export function toBridgeError(error: unknown, logger: Logger): BridgeError {
  const known = translateWriteError(error)
  if (known instanceof BridgeError) return known
  const id = newId()
  logger.error({ err: error, id }, 'unexpected error')
  return new BridgeError('internal_error', { id })
}

/** An error as every HTTP answer carries it. */
export function describeError(error: BridgeError): { error: string; message: string; details?: unknown } {
  const hasDetails = Object.keys(error.data).length > 0
  return { error: error.code, message: error.message, ...(hasDetails && { details: error.data }) }
}
