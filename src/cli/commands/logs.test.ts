import { expect, test } from 'vitest'
import { styleFor } from '../style.ts'
import { formatLogLine } from './logs.ts'

const style = styleFor({})

test('shows a line of the log as time, level, message and what else it holds', () => {
  const time = new Date(2026, 10, 30, 14, 2, 7).toISOString()
  const line = JSON.stringify({
    level: 40,
    time,
    msg: 'a hook was refused',
    err: { message: 'too deep' },
    id: 7,
  })
  expect(formatLogLine(line, style, false)).toEqual([
    '2026-11-30 14:02:07 warn  a hook was refused: too deep  {"id":7}',
  ])
  expect(formatLogLine(line, style, true)).toEqual([line])
})

test('shows what is no log line as it is, without what could steer the terminal', () => {
  expect(formatLogLine('', style, false)).toEqual([])
  expect(formatLogLine('{"torn":', style, false)).toEqual(['{"torn":'])
  expect(formatLogLine('Error: \u001b[2J', style, true)).toEqual(['Error: ␛[2J'])
  expect(formatLogLine('{"msg":"\\u001b[2J"}', style, false)).toEqual([' info  ␛[2J'])
})
