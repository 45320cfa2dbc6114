import { expect, test } from 'vitest'
import { hostInUrl, isAddress, isLoopback, normalizeHost } from './host-name.ts'

test.each([
  ['localhost', 'localhost'],
  ['LocalHost.', 'localhost'],
  ['Bridge.Example', 'bridge.example'],
  ['my_box', 'my_box'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '::1'],
  ['::1', '::1'],
  ['FE80::1', 'fe80::1'],
])('%s becomes %s', (text, expected) => {
  expect(normalizeHost(text)).toBe(expected)
})

test.each([
  '',
  '.',
  '..',
  'a..b',
  '-a',
  'a-',
  'a b',
  'a/b',
  'a@b',
  'a:1',
  'a%2eb',
  'local%68ost',
  '*',
  '*.example',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '127.0.0.1.',
  '999.0.0.1',
  '[::1',
  '::1]',
  '[]',
  '[::1%25lo]',
  'fe80::1%lo',
  '[127.0.0.1]',
  'a\0',
  'a\nb',
  'x'.repeat(64),
  `${'x.'.repeat(130)}x`,
])('%j is no host', (text) => {
  expect(normalizeHost(text)).toBeUndefined()
})

test('loopback is 127/8, ::1 and localhost', () => {
  const loopback = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', 'localhost']
  const others = [
    '0.0.0.0',
    '::',
    '10.0.0.1',
    'bridge.example',
    '127.example',
    'localhost.example',
    '::ffff:10.0.0.1',
  ]
  expect(loopback.filter((host) => !isLoopback(host))).toEqual([])
  expect(others.filter(isLoopback)).toEqual([])
})

test('addresses are told from names and get their brackets', () => {
  expect(['::1', '10.0.0.1', 'localhost'].map(isAddress)).toEqual([true, true, false])
  expect(['::1', '10.0.0.1', 'localhost'].map(hostInUrl)).toEqual(['[::1]', '10.0.0.1', 'localhost'])
})
