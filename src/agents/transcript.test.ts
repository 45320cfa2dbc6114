import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import { readReply } from './transcript.ts'

let home: string
let projects: string
let path: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'transcript-'))
  projects = join(home, 'projects')
  path = join(projects, 'place', 'session.jsonl')
  await mkdir(join(projects, 'place'), { recursive: true })
})
afterEach(() => rm(home, { recursive: true, force: true }))

type Row = Readonly<Record<string, unknown>>
const prompt = (text: string): Row => ({ type: 'user', message: { role: 'user', content: text } })
const answer = (text: string, id = `msg ${text}`): Row => ({
  type: 'assistant',
  message: { id, role: 'assistant', content: [{ type: 'text', text }] },
})
const toolUse = (id: string): Row => ({
  type: 'assistant',
  message: { id, content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
})
const toolResult: Row = {
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] },
}
const asides: readonly Row[] = [
  { type: 'system', content: 'hook ran' },
  { type: 'attachment', attachment: {} },
]
const firstTurn = [prompt('PROMPT-1'), answer('ANSWER-1')]

function text(rows: readonly (Row | string)[], end = '\n'): string {
  return rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)) + end).join('')
}

function reply(timeoutMs = 50, more: { maxBytes?: number; signal?: AbortSignal } = {}) {
  return readReply(path, { allowedRoots: [projects], timeoutMs, ...more })
}

test('a reply that is flushed after the Stop is waited for' + verifies('B17'), async () => {
  await writeFile(path, text([...firstTurn, prompt('PROMPT-2'), ...asides]))
  const found = readReply(path, { allowedRoots: [projects] })
  setTimeout(() => void appendFile(path, text([answer('ANSWER-2')])), 400)
  const startedAt = performance.now()
  expect(await found).toBe('ANSWER-2')
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

test('a reply that is never flushed is none, and not that of the turn before' + verifies('B17'), async () => {
  await writeFile(path, text([...firstTurn, prompt('PROMPT-2'), ...asides]))
  expect(await reply()).toBeUndefined()
})

test('a transcript as ugly as they come yields the reply' + verifies('B17'), async () => {
  const strange = 'a\u2028b\u2029c\u0085d'
  const rows = [
    ...firstTurn,
    `{"type":"user","message":${'x'.repeat(12 * 1024 * 1024)}`,
    prompt('PROMPT-2'),
    'no JSON at all',
    '',
    '[]',
    answer(strange),
    { ...answer('SIDECHAIN'), isSidechain: true },
    { ...prompt('a caveat'), isMeta: true },
    ...asides,
    JSON.stringify(answer('GARBAGE')).slice(0, -4),
  ]
  // JSON.stringify leaves these three characters raw, as Claude does.
  const content = `\uFEFF${text(rows, '\r\n')}{"type":"assistant","mess`
  expect(content).toContain(strange)
  await writeFile(path, content)
  expect(await reply()).toBe(strange)
})

test(
  'a long line behind the reply does not hide it, and memory stays bounded' + verifies('B17'),
  async () => {
    const pasted = { type: 'attachment', data: 'x'.repeat(12 * 1024 * 1024) }
    await writeFile(path, text([...firstTurn, prompt('PROMPT-2'), answer('ANSWER-2'), pasted]))
    expect(await reply()).toBe('ANSWER-2')
  },
)

test('a last line that is half written is read when it is whole' + verifies('B17'), async () => {
  const line = text([answer('ANSWER-2')])
  await writeFile(path, text([...firstTurn, prompt('PROMPT-2')]) + line.slice(0, 40))
  const found = reply(2_000)
  setTimeout(() => void appendFile(path, line.slice(40)), 100)
  expect(await found).toBe('ANSWER-2')
})

test('a line without its newline is whole' + verifies('B17'), async () => {
  await writeFile(path, text([prompt('PROMPT-1')]) + JSON.stringify(answer('ANSWER-1')))
  expect(await reply()).toBe('ANSWER-1')
})

test('the reply is what was said after the last tool', async () => {
  const turn = [prompt('go'), answer('I will look.', 'm1'), toolUse('m1'), toolResult]
  await writeFile(path, text(turn))
  expect(await reply()).toBeUndefined()
  await appendFile(path, text([toolUse('m2')]))
  expect(await reply()).toBeUndefined()
  await appendFile(path, text([toolResult, answer('Done.', 'm3')]))
  expect(await reply()).toBe('Done.')
})

test('the blocks of one message are one reply', async () => {
  const thinking = {
    type: 'assistant',
    message: { id: 'm2', content: [{ type: 'thinking', thinking: 'hm' }] },
  }
  await writeFile(
    path,
    text([prompt('go'), answer('Before.', 'm1'), thinking, answer('One.', 'm2'), answer('Two.', 'm2')]),
  )
  expect(await reply()).toBe('One.\nTwo.')
})

test.each<[string, readonly Row[]]>([
  ['an interrupt', [prompt('go'), answer('Once upon'), prompt('[Request interrupted by user]')]],
  [
    'what a Stop hook said',
    [prompt('go'), answer('Done.'), { ...prompt('Stop hook feedback:\n- no'), isMeta: true }],
  ],
  ['an error of the model', [prompt('go'), { ...answer('API Error: 500'), isApiErrorMessage: true }]],
  ['an empty message', [prompt('go'), answer('  ')]],
])('after %s there is no reply yet', async (_, rows) => {
  await writeFile(path, text(rows))
  expect(await reply()).toBeUndefined()
})

test('a summary of the conversation is no prompt', async () => {
  await writeFile(
    path,
    text([prompt('go'), answer('Done.'), { ...prompt('In short'), isCompactSummary: true }]),
  )
  expect(await reply()).toBe('Done.')
})

test('nothing before the bound is searched', async () => {
  const filler = Array.from({ length: 40 }, () => ({ type: 'system', content: 'x'.repeat(900) }))
  await writeFile(path, text([prompt('go'), answer('Done.'), ...filler]))
  expect(await reply(50, { maxBytes: 1_000 })).toBeUndefined()
  expect(await reply(50, { maxBytes: 4_000 })).toBe('Done.')
})

test('a transcript that is not there yet is waited for, also when it is replaced', async () => {
  const found = reply(2_000)
  setTimeout(() => void writeFile(path, text([prompt('go')])), 60)
  const other = join(projects, 'other.jsonl')
  setTimeout(
    () => void writeFile(other, text([prompt('go'), answer('Done.')])).then(() => rename(other, path)),
    120,
  )
  expect(await found).toBe('Done.')
})

test('waiting ends when nobody waits any more', async () => {
  await writeFile(path, text([prompt('go')]))
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 60)
  expect(await reply(60_000, { signal: controller.signal })).toBeUndefined()
  expect(await reply(60_000, { signal: AbortSignal.abort() })).toBeUndefined()
})

test('B56 only a regular file under an allowed directory is read', async () => {
  const secret = join(home, 'secret.jsonl')
  await writeFile(secret, text([prompt('go'), answer('SECRET')]))
  await symlink(secret, join(projects, 'link.jsonl'))
  await symlink(home, join(projects, 'directory-link'))
  await writeFile(`${projects}-else.jsonl`, text([prompt('go'), answer('SECRET')]))
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(projects, 'pipe')])
  const paths = [
    '/etc/passwd',
    '/dev/zero',
    secret,
    join(projects, 'link.jsonl'),
    join(projects, 'directory-link', 'secret.jsonl'),
    `${projects}/../secret.jsonl`,
    `${projects}-else.jsonl`,
    join(projects, 'pipe'),
    join(projects, 'place'),
    projects,
    'session.jsonl',
    `${path}\0.txt`,
    `/${'a'.repeat(10_000)}`,
    '',
    7,
    undefined,
  ]
  const startedAt = performance.now()
  for (const refused of paths)
    expect(await readReply(refused, { allowedRoots: [projects], timeoutMs: 10_000 })).toBeUndefined()
  // Each is refused at once, not waited for.
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test('B56 a link inside the directory is followed, and an allowed directory may itself be one', async () => {
  await writeFile(path, text([prompt('go'), answer('Done.')]))
  await symlink(path, join(projects, 'link.jsonl'))
  await symlink(projects, join(home, 'linked'))
  const allowedRoots = [join(home, 'missing'), join(home, 'linked')]
  expect(await readReply(join(projects, 'link.jsonl'), { allowedRoots, timeoutMs: 50 })).toBe('Done.')
  expect(await readReply(path, { allowedRoots: [], timeoutMs: 50 })).toBeUndefined()
})
