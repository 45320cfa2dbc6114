import { afterEach, expect, test, vi } from 'vitest'
import { describeWith, findProgram } from './requires.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a program that is missing skips its tests and says so, unless everything is required', () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubEnv('PATH', '/nowhere')
  vi.stubEnv('BRIDGE_TEST_REQUIRE', '')
  expect(findProgram('redis-server')).toBeUndefined()
  describeWith('redis-server')
  expect(said.mock.calls).toEqual([['skipped: these tests need redis-server (apt-get install redis-server)']])
  vi.stubEnv('BRIDGE_TEST_REQUIRE', 'all')
  expect(() => describeWith('redis-server')).toThrow('redis-server is required')
  said.mockRestore()
})
