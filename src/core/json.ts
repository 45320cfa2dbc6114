import { BridgeError } from './errors.ts'

/** No client nests what it sends anywhere near this deep (bug case B20 has 5,000 levels). */
const maxDepth = 64

/**
 * Reads JSON that came from outside. What is nested so deep that working on it could exhaust the stack is refused.
 *
 * @throws BridgeError `invalid_json`, `body_too_deep`
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new BridgeError('invalid_json', {}, { cause: error })
  }
  checkDepth(value, maxDepth)
  return value
}

function checkDepth(value: unknown, levelsLeft: number): void {
  if (typeof value !== 'object' || value === null) return
  if (levelsLeft === 0) throw new BridgeError('body_too_deep', { maxDepth })
  for (const child of Object.values(value)) checkDepth(child, levelsLeft - 1)
}
