import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import { activityKindOf } from './activity-kind.ts'
import { clip } from './fields.ts'
import { inputKeyOf, textKeyOf } from './input-key.ts'
import { summaryOf } from './summary.ts'
import { toolOutputOf } from './tool-output.ts'

test.each([
  ['Read', 'file.read'],
  ['MultiEdit', 'file.write'],
  ['Bash', 'shell.exec'],
  ['KillShell', 'shell.background'],
  ['Grep', 'search.code'],
  ['Glob', 'search.files'],
  ['WebFetch', 'web.fetch'],
  ['WebSearch', 'web.search'],
  ['mcp__memory__create', 'mcp.call'],
  ['TodoWrite', 'todo.write'],
  ['TaskUpdate', 'todo.write'],
  ['Task', 'subagent.spawn'],
  ['Agent', 'subagent.spawn'],
  ['NotebookEdit', 'notebook.edit'],
  ['ExitPlanMode', 'plan.exit'],
  ['read', 'tool.unknown'],
  ['toString', 'tool.unknown'],
  ['', 'tool.unknown'],
])('claude’s tool %s is %s' + verifies('A:activity.kind'), (tool, kind) => {
  expect(activityKindOf('claude', tool)).toBe(kind)
})

test('each agent has a table of its own, and mcp tools are told by their prefix', () => {
  expect(activityKindOf('simulator', 'Delete')).toBe('file.delete')
  expect(activityKindOf('claude', 'Delete')).toBe('tool.unknown')
  expect(activityKindOf('nobody', 'Read')).toBe('tool.unknown')
  expect(activityKindOf('nobody', 'mcp__x__y')).toBe('mcp.call')
})

test.each<[tool: string, input: unknown, summary: string]>([
  ['Read', { file_path: '/a/b/notes.txt' }, 'notes.txt'],
  ['Edit', { file_path: 'C:\\a\\notes.txt\\' }, 'notes.txt'],
  ['NotebookEdit', { notebook_path: '/a/plot.ipynb' }, 'plot.ipynb'],
  ['read', { filePath: '/a/notes.txt' }, 'notes.txt'],
  ['Bash', { command: 'npm test\n  --bail' }, 'npm test --bail'],
  ['shell', { command: ['ls', '-l', 7] }, 'ls -l'],
  ['run_terminal_cmd', { cmd: 'ls' }, 'ls'],
  ['BashOutput', { shell_id: 's1' }, 's1'],
  ['KillShell', { bash_id: 'b1' }, 'b1'],
  ['TaskStop', { taskId: 't1' }, 't1'],
  ['Grep', { pattern: 'a.b' }, 'a.b'],
  ['SemanticSearch', { query: 'where' }, 'where'],
  ['WebFetch', { url: 'https://example.com:8443/a?b' }, 'example.com:8443'],
  ['WebFetch', { url: 'no url' }, 'no url'],
  ['WebSearch', { query: 'q' }, 'q'],
  ['Agent', { description: 'Look', prompt: 'look at it' }, 'Look'],
  ['Task', { subagent_type: 'Explore', description: 'Look' }, 'Explore'],
  ['TodoWrite', { todos: [{}, {}] }, '2 items'],
  ['TodoWrite', { todos: 'none' }, ''],
  ['TaskCreate', { subject: 'Mend' }, 'Mend'],
  ['TaskUpdate', { taskId: '1', status: 'completed' }, '#1 completed'],
  ['TaskUpdate', { taskId: '1' }, '#1'],
  ['apply_patch', { path: 'src/a.ts' }, 'a.ts'],
  ['apply_patch', { input: '*** Begin Patch\n*** Update File: src/a.ts\n' }, 'a.ts'],
  ['ImageGeneration', { prompt: 'a cat' }, 'a cat'],
  ['AskUserQuestion', { questions: [{ question: 'Which?' }] }, 'Which?'],
  ['mcp__memory__create', { name: 'x' }, 'memory__create'],
  ['ExitPlanMode', { plan: 'long' }, ''],
  ['constructor', {}, ''],
  ['Bash', 'ls', ''],
  ['Bash', null, ''],
  ['Bash', { command: 7 }, ''],
])('%s %j is summed up as %j' + verifies('A:activity.summary'), (tool, input, summary) => {
  expect(summaryOf(tool, input)).toBe(summary)
})

test('a summary has at most 80 characters and cuts none in half' + verifies('A:activity.summary'), () => {
  expect(summaryOf('Bash', { command: 'x'.repeat(81) })).toBe(`${'x'.repeat(79)}…`)
  expect(summaryOf('Bash', { command: 'x'.repeat(80) })).toBe('x'.repeat(80))
  expect(summaryOf('Bash', { command: `${'x'.repeat(78)}😀yy` })).toBe(`${'x'.repeat(78)}…`)
})

test('clipping keeps the bound and whole characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 20 }), (text, maxLength) => {
      const clipped = clip(text, maxLength)
      expect(clipped.length).toBeLessThanOrEqual(maxLength)
      expect(clipped.isWellFormed()).toBe(true)
      const kept = text.length <= maxLength ? text : clipped.slice(0, -1)
      expect(text.startsWith(kept)).toBe(true)
      expect(clipped).toBe(text.length <= maxLength ? text : `${kept}…`)
    }),
  )
})

test('inputs are equal whatever the order of their fields', () => {
  expect(inputKeyOf({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(inputKeyOf({ b: [{ d: 3, c: 2 }], a: 1 }))
  expect(inputKeyOf({ a: 1 })).not.toBe(inputKeyOf({ a: '1' }))
  expect(inputKeyOf([1, 2])).not.toBe(inputKeyOf([2, 1]))
  expect(inputKeyOf(undefined)).toBe('')
  expect(textKeyOf('a\n b\t')).toBe(textKeyOf(' a b'))
})

test.each<[response: unknown, preview: string | undefined, bytes: number | undefined]>([
  ['done', 'done', 4],
  [{ stdout: 'ö', stderr: 'no' }, 'ö\nno', 5],
  [{ stdout: '', stderr: 'no' }, 'no', 2],
  [{ stdout: '', stderr: '' }, undefined, undefined],
  [{ type: 'text', file: { content: 'line' } }, 'line', 4],
  [[{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }], 'a\nb', 3],
  [{ content: [{ type: 'text', text: 'a' }] }, 'a', 1],
  [{ answers: { 'Which?': 'A' } }, 'Which? A', 8],
  [{ structuredPatch: [] }, undefined, undefined],
  [null, undefined, undefined],
  [7, undefined, undefined],
])('of the response %j the preview is %j', (response, preview, bytes) => {
  expect(toolOutputOf(response)).toEqual({
    ...(preview !== undefined && { outputPreview: preview }),
    ...(bytes !== undefined && { contentLength: bytes }),
  })
})

test('a preview has at most 500 characters, the length counts all', () => {
  const output = toolOutputOf('ö'.repeat(2_000))
  expect(output.outputPreview).toHaveLength(500)
  expect(output.contentLength).toBe(4_000)
})
