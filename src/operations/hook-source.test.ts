import { expect, test } from 'vitest'
import { masterIdentity } from '../access/identity.ts'
import { boundSource } from './hook-source.ts'

const bound = (...contacts: string[]) => ({ ...masterIdentity, id: 'bound', contacts: new Set(contacts) })
const claimed = { contact: 'a', pid: '1', pane: '%1' }

test('a token without contacts may say anything', () => {
  expect(boundSource(masterIdentity, claimed)).toEqual(claimed)
})

test('a bound token speaks for its contact only, and brings no other sign', () => {
  expect(boundSource(bound('a'), { pid: '1' })).toEqual({ contact: 'a' })
  expect(boundSource(bound('a', 'b'), claimed)).toEqual({ contact: 'a' })
  const refused = expect.objectContaining({ code: 'contact_not_found' })
  expect(() => boundSource(bound('b'), claimed)).toThrow(refused)
  expect(() => boundSource(bound('a', 'b'), {})).toThrow(refused)
})
