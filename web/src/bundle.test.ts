import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'

/** The packages whose code is in the built page. */
async function bundledPackages(): Promise<Set<string>> {
  const configFile = join(import.meta.dirname, '..', 'vite.config.ts')
  const built = await build({ configFile, logLevel: 'silent', build: { write: false } })
  if (!('output' in built)) throw new Error('the page is not one build')
  return new Set(
    built.output
      .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      .flatMap((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(id)?.[1] ?? []),
  )
}

test('a phone loads the page without the schemas of the protocol, and no package but what draws it', async () => {
  expect([...(await bundledPackages())].sort()).toEqual(['@preact/signals', '@preact/signals-core', 'preact'])
})
