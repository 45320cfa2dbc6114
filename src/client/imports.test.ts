import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Imports the client in a process of its own, and prints the address of every module that this loads. */
const script = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  await import(${JSON.stringify(new URL('index.ts', import.meta.url).href)})
  console.log(JSON.stringify(loaded))
`

test('importing the client loads the protocol without its schemas, and no package', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const files: unknown = JSON.parse(stdout)
  expect(files).toContainEqual(expect.stringContaining('/src/protocol/rest-bindings.ts'))
  expect(files).not.toContainEqual(expect.stringMatching(/node_modules|\/protocol\/(?:index|frames)\.ts$/))
})
