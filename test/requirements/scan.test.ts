import { expect, test } from 'vitest'
import { scanCalls } from './scan.ts'

test('finds one id and several', () => {
  expect(scanCalls(`test('a' + verifies('A:http.health'), run)`).verified).toEqual(['A:http.health'])
  expect(scanCalls(`test('a' + verifies("B15", \`A:ws.ping\`), run)`).verified).toEqual(['B15', 'A:ws.ping'])
})

test('reads over line breaks and a trailing comma', () => {
  const text = `test(
    'a title' + verifies(
      'A:ws.hello',
      'A:ws.error', // said in the first frame (the only one)
    ),
    run,
  )`
  expect(scanCalls(text).verified).toEqual(['A:ws.hello', 'A:ws.error'])
})

test('reads a call within a template', () => {
  expect(scanCalls("test(`a${verifies('A:ws.ping')}`, run)").verified).toEqual(['A:ws.ping'])
})

test('ignores comments, but not what looks like one in a string', () => {
  expect(scanCalls(`// test('a' + verifies('B15'), run)`).verified).toEqual([])
  expect(scanCalls(`/* test('a' + verifies('B15'), run) */`).verified).toEqual([])
  expect(scanCalls(`test('http://x' + verifies('B15'), run)`).verified).toEqual(['B15'])
})

test('sets apart what is skipped', () => {
  const text = `
    test.skip('a' + verifies('B15'), run)
    test.todo('b' + verifies('B16'))
    test.each<number>([1])('e' + verifies('B20'), run)
    test.skipIf(isRoot)('c' + verifies('B17'), run)
    test('d' + verifies('B19'), run)`
  expect(scanCalls(text)).toEqual({
    verified: ['B20', 'B17', 'B19'],
    skipped: ['B15', 'B16'],
    unreadable: [],
  })
})

test('reports an argument that is no plain string', () => {
  expect(scanCalls('test(name + verifies(id, `A:${path}`), run)')).toEqual({
    verified: [],
    skipped: [],
    unreadable: ['id', '`A:${path}`'],
  })
})

test('takes no other function for verifies', () => {
  expect(scanCalls(`notverifies('B15'); verifiesNothing('B16')`).verified).toEqual([])
})
