import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createPrivateFile, ensurePrivateFile, writePrivateFile } from './private-file.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bridge-private-'))
})

const modeOf = (path: string) => statSync(path).mode & 0o777

test('a file is written whole, private, and without a trace beside it', () => {
  const path = join(directory, 'a')
  writeFileSync(path, 'old', { mode: 0o644 })
  writePrivateFile(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(modeOf(path)).toBe(0o600)
  expect(readdirSync(directory)).toEqual(['a'])
})

test('it is private also under a careless umask', () => {
  const old = process.umask(0)
  try {
    writePrivateFile(join(directory, 'a'), Buffer.from([1, 2]))
  } finally {
    process.umask(old)
  }
  expect(modeOf(join(directory, 'a'))).toBe(0o600)
})

test('what cannot be replaced leaves the error of the file system and no trace', () => {
  mkdirSync(join(directory, 'a'))
  expect(() => writePrivateFile(join(directory, 'a'), 'new')).toThrow('EISDIR')
  expect(readdirSync(directory)).toEqual(['a'])
})

test('B40 a disk that fills up in the middle keeps the old file', () => {
  const path = join(directory, 'a')
  writePrivateFile(path, 'old')
  const module = join(import.meta.dirname, 'private-file.ts')
  const code = `
    const { writePrivateFile } = await import(${JSON.stringify(module)})
    try { writePrivateFile(${JSON.stringify(path)}, 'x'.repeat(100000)) } catch (error) { console.log(error.code) }`
  // A limit on the size of files stops a write in its middle, as a full disk does, and needs no mount.
  const command = 'ulimit -f 8; exec "$0" --input-type=module-typescript -e "$1"'
  const result = spawnSync('bash', ['-c', command, process.execPath, code], { encoding: 'utf8' })
  expect(result).toMatchObject({ stdout: 'EFBIG\n', stderr: '' })
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(readdirSync(directory)).toEqual(['a'])
})

test('creating never replaces, not even a dangling link', () => {
  const path = join(directory, 'a')
  expect(createPrivateFile(path, 'first')).toBe(true)
  expect(createPrivateFile(path, 'second')).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('first')
  expect(modeOf(path)).toBe(0o600)
  symlinkSync('nowhere', join(directory, 'link'))
  expect(createPrivateFile(join(directory, 'link'), 'x')).toBe(false)
  expect(readdirSync(directory).toSorted()).toEqual(['a', 'link'])
})

test('a file another program opens by itself is private before and after', () => {
  const path = join(directory, 'bridge.db')
  ensurePrivateFile(path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  writeFileSync(path, 'kept')
  chmodSync(path, 0o644)
  ensurePrivateFile(path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toBe('kept')
})
