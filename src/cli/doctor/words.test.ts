import { expect, test } from 'vitest'
import { countOf, formatBytes, listOf, shellPath } from './words.ts'

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [10.04 * 1024 ** 2, '10 MiB'],
  [35.4 * 1024 ** 3, '35 GiB'],
  [5_000 * 1024 ** 4, '5000 TiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test('counts and lists', () => {
  expect([countOf(1, 'hook'), countOf(0, 'hook'), countOf(12_345, 'hook')]).toEqual([
    '1 hook',
    '0 hooks',
    '12,345 hooks',
  ])
  expect(listOf(['a', 'b'])).toBe('a, b')
  expect(listOf(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('a, b, c, d and 2 more')
})

test('a path is one word of a shell, and short where that is the same', () => {
  expect(shellPath('/home/ann/.bridge', '/home/ann')).toBe('~/.bridge')
  expect(shellPath('/srv/bridge', '/home/ann')).toBe('/srv/bridge')
  expect(shellPath('/home/ann/my bridge', '/home/ann')).toBe("'/home/ann/my bridge'")
  expect(shellPath('/home/ann', '/home/ann')).toBe('~')
  expect(shellPath("/srv/$(id)'s", '/home/ann')).toBe(String.raw`'/srv/$(id)'\''s'`)
})
