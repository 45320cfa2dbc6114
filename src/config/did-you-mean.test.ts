import { expect, test } from 'vitest'
import { closest } from './did-you-mean.ts'

const known = ['host', 'port', 'log_file', 'allowed_hosts', 'hook_timeout_ms']

test.each([
  ['prot', 'port'],
  ['logFile', 'log_file'],
  ['log-file', 'log_file'],
  ['allowed_host', 'allowed_hosts'],
  ['hook_timout_ms', 'hook_timeout_ms'],
  ['hots', 'host'],
])('%s means %s', (word, meant) => {
  expect(closest(word, known)).toBe(meant)
})

test.each(['', 'x', 'database', 'redaction'])('%j means none of them', (word) => {
  expect(closest(word, known)).toBeUndefined()
})
