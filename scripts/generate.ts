/**
 * Writes the documents that come from the code: `node scripts/generate.ts`. With `--check` nothing is written; a
 * document that is not what the code says is named, and the exit code is 1.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildOpenApi } from '../src/server/openapi.ts'
import { claudeFiles } from './claude-files.ts'
import { renderCliDoc } from './cli-doc.ts'
import { renderErrorsDoc } from './errors-doc.ts'
import { renderEventsDoc } from './events-doc.ts'

const documents: Readonly<Record<string, () => string>> = {
  ...claudeFiles,
  'docs/cli.md': renderCliDoc,
  'docs/errors.md': renderErrorsDoc,
  'docs/events.md': renderEventsDoc,
  'docs/openapi.json': () => `${JSON.stringify(buildOpenApi(), undefined, 2)}\n`,
}

const check = process.argv.includes('--check')
for (const [name, render] of Object.entries(documents)) {
  const path = resolve(import.meta.dirname, '..', name)
  const wanted = render()
  if (read(path) === wanted) continue
  if (check) {
    console.error(`${name} is not what the code says. Run "npm run generate" and commit it.`)
    process.exitCode = 1
  } else {
    writeFileSync(path, wanted)
    console.log(`wrote ${name}`)
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // A document that is missing is one that is out of date.
    return undefined
  }
}
