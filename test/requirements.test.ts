import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requirements, seeds, verifies } from './requirements.ts'
import { problemsOfMarks, problemsOfRows, problemsOfTests } from './requirements/gate.ts'
import { pending } from './requirements/pending.ts'
import { scanCalls } from './requirements/scan.ts'

const root = join(import.meta.dirname, '..')

// Our own tests speak of ids without verifying them.
const testFiles = globSync('{src,test,web,examples}/**/*.test.ts', {
  cwd: root,
  exclude: ['**/node_modules/**', 'test/requirements.test.ts', 'test/requirements/**'],
})
const scans = new Map(
  testFiles.sort().map((file) => [file, scanCalls(readFileSync(join(root, file), 'utf8'))]),
)

test('ids are well formed and unique, and come from a known place', () => {
  expect(problemsOfRows(requirements)).toEqual([])
})

test('each pending mark covers rows of its own', () => {
  expect(problemsOfMarks(requirements, pending)).toEqual([])
})

test('each requirement has a test that names it, or a pending mark', () => {
  const named = new Set([...scans.values()].flatMap((scan) => scan.verified))
  for (const { file } of seeds) {
    const rows = requirements.filter((row) => row.source.startsWith(file))
    const verified = rows.filter((row) => named.has(row.id)).length
    const open = rows.filter((row) => row.pending !== undefined).length
    console.log(`${file}: ${verified} verified, ${open} pending, of ${rows.length}`)
  }
  expect(problemsOfTests(requirements, pending, scans)).toEqual([])
})

test('verifies ends a title with the ids it was given', () => {
  expect(verifies('A:http.health')).toBe(' [A:http.health]')
  expect(verifies('A:http.health', 'B15')).toBe(' [A:http.health, B15]')
})

test('verifies throws for an id that is no requirement', () => {
  // @ts-expect-error: the compiler refuses such an id too.
  expect(() => verifies('A:http.helth')).toThrow('A:http.helth')
  // @ts-expect-error: and a call that names nothing.
  expect(() => verifies()).toThrow('needs the id')
})
