import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')
const built = join(root, 'dist/web')
const sources = ['web', 'src/client', 'src/protocol', 'src/core'].map((folder) => join(root, folder))

/**
 * Builds the page where the daemon serves it from, unless what is there is newer than its sources. The finished
 * build takes the place of the old one in one step, since other tests may be serving it.
 */
export async function ensureBuilt(): Promise<void> {
  const builtAt = existsSync(join(built, 'index.html')) ? statSync(join(built, 'index.html')).mtimeMs : 0
  if (builtAt > Math.max(...sources.map(newestIn))) return
  const outDir = join(root, 'dist', `.web-${process.pid}`)
  await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'error', build: { outDir } })
  if (existsSync(built)) renameSync(built, `${outDir}-old`)
  renameSync(outDir, built)
  rmSync(`${outDir}-old`, { recursive: true, force: true })
}

function newestIn(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
  return Math.max(0, ...times)
}
