import type { Requirement } from '../requirements.ts'
import { covers, type Marks } from './pending.ts'
import type { Scan } from './scan.ts'
import { isKnownSource } from './sources.ts'

/** `A:http.health` and the like, or the number of a bug case. */
const idPattern = /^(?:[A-D]:[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+|B\d\d)$/

/** What is wrong with the rows themselves: ids and sources. */
export function problemsOfRows(rows: readonly Requirement[]): string[] {
  const ids = rows.map((row) => row.id)
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
  return [
    ...[...twice].map((id) => `${id} is used twice: rename one of the rows`),
    ...ids
      .filter((id) => !idPattern.test(id))
      .map((id) => `${id} is no id: write A:path.in-kebab-case or B15`),
    ...rows
      .filter((row) => !isKnownSource(row.source))
      .map(
        (row) => `${row.id} comes from ${row.source}: name a place listed in test/requirements/sources.ts`,
      ),
  ]
}

/** What is wrong with the marks themselves: a mark that covers nothing, a row covered twice. */
export function problemsOfMarks(rows: readonly Requirement[], marks: Marks): string[] {
  const all = Object.values(marks).flat()
  const empty = all.filter((mark) => !rows.some((row) => covers(mark, row.id)))
  const double = rows.filter((row) => all.filter((mark) => covers(mark, row.id)).length > 1)
  return [
    ...empty.map((mark) => `${mark} marks no requirement: delete it from test/requirements/pending.ts`),
    ...double.map((row) => `${row.id} is marked twice: keep one mark in test/requirements/pending.ts`),
  ]
}

/** Where rows, marks and the tests disagree. Keys of `scans` are paths of test files, for the messages. */
export function problemsOfTests(
  rows: readonly Requirement[],
  marks: Marks,
  scans: ReadonlyMap<string, Scan>,
): string[] {
  const known = new Set(rows.map((row) => row.id))
  const verified = new Set([...scans.values()].flatMap((scan) => scan.verified))
  const unknown = [...scans].flatMap(([file, scan]) =>
    [...scan.verified, ...scan.skipped]
      .filter((id) => !known.has(id))
      .map((id) => `${file} names ${id}, which is no requirement: correct the id or add a row`),
  )
  const unreadable = [...scans].flatMap(([file, scan]) =>
    scan.unreadable.map((argument) => `${file} calls verifies(${argument}): write the id as a plain string`),
  )
  const unverified = rows
    .filter((row) => row.pending === undefined && !verified.has(row.id))
    .map((row) => `${row.id} has no test (${row.behaviour}): write one, or mark it in pending.ts`)
  const built = Object.values(marks)
    .flat()
    .flatMap((mark) => {
      const covered = rows.map((row) => row.id).filter((id) => covers(mark, id))
      const open = covered.filter((id) => !verified.has(id))
      if (open.length === covered.length) return []
      const rest = open.length === 0 ? '' : `, keep ${open.map((id) => `'${id}'`).join(', ')}`
      const tested = covered.filter((id) => verified.has(id)).join(', ')
      return [`${tested} is tested: remove its pending mark '${mark}' from pending.ts${rest}`]
    })
  return [...unknown, ...unreadable, ...unverified, ...built]
}
