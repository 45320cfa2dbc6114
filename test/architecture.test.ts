import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const layers = readLayers(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))
/** Folders that may import less than what stands above them. */
const narrow: Readonly<Record<string, readonly string[]>> = {
  client: ['core', 'protocol'],
  tui: ['core', 'protocol', 'client', 'screen'],
  web: ['protocol', 'client', 'screen', 'core'],
}

function readLayers(text: string): string[] {
  const table = text.slice(text.indexOf('## Layers'))
  return [...table.matchAll(/^\| `(\w+)` \|/gm)].flatMap(([, name]) => (name === undefined ? [] : [name]))
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

function importsOf(text: string): string[] {
  const pattern = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'(\.{1,2}\/[^']+)'/gm
  return [...text.matchAll(pattern)].flatMap(([, path]) => (path === undefined ? [] : [path]))
}

/** The folder of `src/` (or `web`) that a file belongs to. */
function layerOf(path: string): string {
  const parts = relative(root, path).split('/')
  return parts[0] === 'src' ? (parts[1] ?? '') : (parts[0] ?? '')
}

/** What is wrong with one import; undefined when it is fine. */
export function judge(from: string, to: string, order: readonly string[]): string | undefined {
  if (from === to) return undefined
  const allowed = narrow[from]
  if (allowed) return allowed.includes(to) ? undefined : `${from} may import only ${allowed.join(', ')}`
  if (!order.includes(to)) return `${to} is no layer`
  return order.indexOf(to) < order.indexOf(from) ? undefined : `${to} stands below ${from}`
}

describe('import direction', () => {
  test('the table of docs/architecture.md names every folder of src', () => {
    const folders = readdirSync(join(root, 'src'))
    expect(layers.length).toBeGreaterThan(15)
    expect(folders.filter((folder) => !layers.includes(folder))).toEqual([])
  })

  test('every import goes up', () => {
    const problems = [...sourceFiles('src'), ...sourceFiles('web')].flatMap((file) =>
      importsOf(readFileSync(file, 'utf8')).flatMap((path) => {
        const problem = judge(layerOf(file), layerOf(resolve(file, '..', path)), layers)
        return problem === undefined ? [] : [`${relative(root, file)} imports ${path}: ${problem}`]
      }),
    )
    expect(problems).toEqual([])
  })

  test('a wrong import would be found', () => {
    expect(judge('store', 'server', layers)).toBe('server stands below store')
    expect(judge('client', 'store', layers)).toBe('client may import only core, protocol')
    expect(judge('server', 'store', layers)).toBeUndefined()
    expect(importsOf("import { a } from '../server/x.ts'\nconst b = import('./y.ts')\n")).toEqual([
      '../server/x.ts',
      './y.ts',
    ])
  })
})
