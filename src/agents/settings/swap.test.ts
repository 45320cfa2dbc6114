import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { replaceIfSame } from './swap.ts'

describe('a file is replaced', () => {
  let directory: string
  let target: string
  let temporary: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "it's a swap "))
    target = join(directory, 'target')
    temporary = join(directory, 'temporary')
    writeFileSync(target, 'old')
    writeFileSync(temporary, 'new')
  })
  afterEach(() => rmSync(directory, { recursive: true }))
  const look = () => statSync(target, { bigint: true })

  test('when it is the expected one', () => {
    expect(replaceIfSame(temporary, target, look())).toBe(true)
    expect(readFileSync(target, 'utf8')).toBe('new')
  })

  test('not when another one has its name, which keeps it', () => {
    const expected = look()
    writeFileSync(`${target}.theirs`, 'theirs')
    renameSync(`${target}.theirs`, target)
    expect(replaceIfSame(temporary, target, expected)).toBe(false)
    expect(readFileSync(target, 'utf8')).toBe('theirs')
    expect(readFileSync(temporary, 'utf8')).toBe('new')
  })

  test('not when it is gone', () => {
    const expected = look()
    rmSync(target)
    expect(replaceIfSame(temporary, target, expected)).toBe(false)
    expect(() => readFileSync(target)).toThrow('ENOENT')
  })
})
