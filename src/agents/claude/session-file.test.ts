import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSessionFile } from './session-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'bridge-sessions-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('reads what Claude Code says of itself', async () => {
  writeFileSync(
    join(directory, '42.json'),
    JSON.stringify({ sessionId: 's1', status: 'idle', cwd: '/home/dev' }),
  )
  expect(await readSessionFile(directory, '42')).toEqual({ sessionId: 's1', status: 'idle' })
})

test.each([
  ['7', undefined],
  ['8', '{"sessionId":"s1","sta'],
  ['9', '{"sessionId":"s1","status":"dreaming"}'],
  ['10', JSON.stringify({ sessionId: 's1', status: 'idle', more: 'x'.repeat(100_000) })],
])('process %s tells nothing', async (pid, text) => {
  if (text !== undefined) writeFileSync(join(directory, `${pid}.json`), text)
  expect(await readSessionFile(directory, pid)).toBeUndefined()
})

test.each(['../42', '42/..', '', '-1', '4 2'])('%j is no process and never becomes a path', async (pid) => {
  expect(await readSessionFile(directory, pid)).toBeUndefined()
})
