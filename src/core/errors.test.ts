import { describe, expect, test } from 'vitest'
import { BridgeError, errorTable } from './errors.ts'

describe('errors', () => {
  test('fill their message from their data and carry status and exit code', () => {
    const error = new BridgeError('body_too_large', { maxBytes: 10 })
    expect(error.message).toBe('The body is larger than 10 bytes.')
    expect([error.status, error.exit, error.code]).toEqual([413, 1, 'body_too_large'])
  })

  test('leave a name nobody gave as it is, and keep the cause', () => {
    const cause = new Error('below')
    const error = new BridgeError('forbidden', {}, { cause })
    expect(error.message).toContain('{scope}')
    expect(error.cause).toBe(cause)
  })

  test.each(Object.entries(errorTable))('%s is a whole row', (_code, { status, exit, message }) => {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect([1, 2, 78]).toContain(exit)
    expect(message).toMatch(/[.}]$|`$/)
  })
})
