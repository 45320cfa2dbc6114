import { describe, expect, test } from 'vitest'
import { readCredential, withoutSecrets } from './credentials.ts'

const token = (secret: string) => ({ kind: 'token', secret })

describe('B54 a credential', () => {
  test.each([
    [['Authorization', 'Bearer test'], 'test'],
    [['authorization', 'bearer test'], 'test'],
    [['AUTHORIZATION', 'BEARER   test'], 'test'],
    [['X-Bridge-Token', 'test'], 'test'],
    [['x-bridge-token', 'a b'], 'a b'],
    [['Authorization', 'Bearer test', 'X-Bridge-Token', 'test'], 'test'],
    [['Authorization', 'Basic dTpw', 'X-Bridge-Token', 'test'], 'test'],
    [['Cookie', 'token=other', 'Authorization', 'Bearer a,b='], 'a,b='],
  ])('of %j is read', (headers, secret) => {
    expect(readCredential(headers)).toEqual(token(secret))
  })

  test.each([
    [[]],
    [['Cookie', 'token=test; bridge_token=test; Authorization=Bearer test']],
    [['Authorization', 'test']],
    [['Authorization', 'Bearer']],
    [['Authorization', 'Bearer ']],
    [['Authorization', 'Bearertest']],
    [['Authorization', 'Bearer test, Bearer test']],
    [['Authorization', 'Bearer a b']],
    [['Authorization', 'Basic dGVzdA==']],
    [['Authorization', 'Bearer test', 'Authorization', 'Bearer test']],
    [['Authorization', 'Bearer test', 'authorization', 'Basic dTpw']],
    [['X-Bridge-Token', 'test', 'x-bridge-token', 'test']],
    [['Authorization', 'Bearer test', 'X-Bridge-Token', 'other']],
    [['Authorization', 'Bearer', 'X-Bridge-Token', 'test']],
    [['X-Bridge-Token', '']],
    [['X-Bridge-Tokens', 'test', 'X_Bridge_Token', 'test']],
  ])('of %j is none', (headers) => {
    expect(readCredential(headers)).toBeUndefined()
  })

  test('of the address counts only where the caller accepts it', () => {
    const read = (url: string, ...accept: ('token' | 'ticket')[]) => readCredential([], { url, accept })
    expect(read('/ws?token=a%2Bb', 'token', 'ticket')).toEqual(token('a+b'))
    expect(read('/ws?ticket=abc', 'token', 'ticket')).toEqual({ kind: 'ticket', ticket: 'abc' })
    expect(read('/events?x=1&ticket=abc#y', 'ticket')).toEqual({ kind: 'ticket', ticket: 'abc' })
    expect(read('/events?token=test', 'ticket')).toBeUndefined()
    expect(read('/api/state?token=test')).toBeUndefined()
    expect(readCredential([])).toBeUndefined()
    expect(read('/ws?token=', 'token')).toBeUndefined()
    expect(read('/ws?Token=test', 'token')).toBeUndefined()
    expect(read('/ws#token=test', 'token')).toBeUndefined()
    expect(read('/ws?token=%', 'token')).toEqual(token('%'))
  })

  test('of header and address must not differ', () => {
    const read = (url: string) =>
      readCredential(['Authorization', 'Bearer test'], { url, accept: ['token', 'ticket'] })
    expect(read('/ws?token=test')).toEqual(token('test'))
    expect(read('/ws?token=other')).toBeUndefined()
    expect(read('/ws?token=test&token=other')).toBeUndefined()
    expect(read('/ws?ticket=test')).toBeUndefined()
  })
})

describe('B54 an address in a log', () => {
  test.each([
    ['/ws', '/ws'],
    ['/ws?after=1', '/ws?after=1'],
    ['/ws?token=hunter2', '/ws?token=***'],
    ['/ws?a=1&token=hunter2&b=2', '/ws?a=1&token=***&b=2'],
    ['/ws?ticket=hunter2#x', '/ws?ticket=***#x'],
    ['/ws?token=hunter2&token=hunter2', '/ws?token=***&token=***'],
    ['/ws?Access_Token=hunter2', '/ws?Access_Token=***'],
    ['/ws?token=hunter2%26hunter2', '/ws?token=***'],
    ['/ws?x=1?token=hunter2', '/ws?x=1?token=***'],
    ['/ws;token=hunter2?a=1', '/ws;token=***'],
    ['/ws?%74oken=hunter2', '/ws?***'],
    ['/ws?token%3Dhunter2', '/ws?***'],
    ['/ws?x=%20a', '/ws?x=%20a'],
    ['/ws?token=hunter2&%74oken=hunter2', '/ws?***'],
  ])('%s is shown as %s', (url, shown) => {
    expect(withoutSecrets(url)).toBe(shown)
    expect(shown).not.toContain('hunter2')
  })
})
