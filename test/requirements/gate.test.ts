import { expect, test } from 'vitest'
import type { Requirement } from '../requirements.ts'
import { problemsOfMarks, problemsOfRows, problemsOfTests } from './gate.ts'
import { covers } from './pending.ts'
import type { Scan } from './scan.ts'

const source = 'agent-bridge-readme.md, "HTTP API"'
const row = (id: string, pending?: string): Requirement => ({
  id,
  source,
  behaviour: 'something',
  ...(pending !== undefined && { pending }),
})
const scans = (scan: Partial<Scan>) =>
  new Map([['a.test.ts', { verified: [], skipped: [], unreadable: [], ...scan }]])

test('a mark covers its id, or all below its path', () => {
  expect(covers('A:http.health', 'A:http.health')).toBe(true)
  expect(covers('A:http.health', 'A:http.health-adapters')).toBe(false)
  expect(covers('A:http.*', 'A:http.health')).toBe(true)
  expect(covers('A:env.*', 'A:env-file.start')).toBe(false)
  expect(covers('B:*', 'B15')).toBe(false)
})

test('finds ids used twice and ids of another form', () => {
  expect(problemsOfRows([row('A:http.health'), row('B15')])).toEqual([])
  expect(problemsOfRows([row('B15'), row('B15')])).toEqual(['B15 is used twice: rename one of the rows'])
  for (const id of ['A:health', 'E:http.health', 'A:http.Health', 'A:http..x', 'A:http.-x', 'B1']) {
    expect(problemsOfRows([row(id)])).toEqual([expect.stringContaining(`${id} is no id`)])
  }
})

test('finds sources that are not known', () => {
  const from = (place: string) => problemsOfRows([{ ...row('A:http.health'), source: place }])
  expect(from(`${source}; design.md, "Access"`)).toEqual([])
  for (const place of [
    'other.md, "HTTP API"',
    'agent-bridge-readme.md',
    `${source}; design.md, "HTTP API"`,
  ]) {
    expect(from(place)).toEqual([expect.stringContaining(place)])
  }
})

test('finds marks that cover nothing or the same row', () => {
  const rows = [row('A:http.health')]
  expect(problemsOfMarks(rows, { 'issue 2': ['A:http.*'] })).toEqual([])
  expect(problemsOfMarks(rows, { 'issue 2': ['A:http.*', 'A:ws.*'] })).toEqual([
    expect.stringContaining('A:ws.* marks no requirement'),
  ])
  expect(problemsOfMarks(rows, { 'issue 2': ['A:http.*'], 'issue 3': ['A:http.health'] })).toEqual([
    expect.stringContaining('A:http.health is marked twice'),
  ])
})

test('asks for a test where none names a requirement', () => {
  const rows = [row('A:http.health')]
  expect(problemsOfTests(rows, {}, scans({ verified: ['A:http.health'] }))).toEqual([])
  for (const scan of [{}, { skipped: ['A:http.health'] }]) {
    expect(problemsOfTests(rows, {}, scans(scan))).toEqual([
      expect.stringContaining('A:http.health has no test (something)'),
    ])
  }
})

test('asks to remove the mark of what is tested, and says what of a wide one stays', () => {
  const rows = [row('A:http.health', 'issue 2'), row('A:http.state', 'issue 2')]
  const tested = scans({ verified: ['A:http.health'] })
  const exact = { 'issue 2': ['A:http.health', 'A:http.state'] }
  expect(problemsOfTests(rows, exact, tested)).toEqual([
    "A:http.health is tested: remove its pending mark 'A:http.health' from pending.ts",
  ])
  expect(problemsOfTests(rows, { 'issue 2': ['A:http.*'] }, tested)).toEqual([
    "A:http.health is tested: remove its pending mark 'A:http.*' from pending.ts, keep 'A:http.state'",
  ])
  expect(problemsOfTests(rows, exact, scans({}))).toEqual([])
})

test('names the file of an id that is unknown or cannot be read', () => {
  const scan = scans({ verified: ['A:http.helth'], unreadable: ['id'] })
  expect(problemsOfTests([], {}, scan)).toEqual([
    expect.stringContaining('a.test.ts names A:http.helth'),
    expect.stringContaining('a.test.ts calls verifies(id)'),
  ])
})
