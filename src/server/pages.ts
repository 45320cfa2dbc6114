import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { BridgeError } from '../core/errors.ts'
import { docsStyle, renderDocsPage } from './docs-page.ts'
import { addRoute } from './http.ts'
import { buildOpenApi } from './openapi.ts'

/** What is served as it is: the dashboard, and the examples seed agent-bridge-readme's smoke test opens. */
const packageRoot = resolve(import.meta.dirname, '../..')
const folders = [
  { root: join(packageRoot, 'dist/web'), prefix: '/' },
  { root: join(packageRoot, 'examples'), prefix: '/examples/' },
]

/** The dashboard, the examples, and the description of the API. None of them needs a token: they hold no secret. */
export async function addPages(app: FastifyInstance): Promise<void> {
  addRoute(app, 'openapi', () => buildOpenApi())
  addRoute(app, 'docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(renderDocsPage()))
  app.get('/docs.css', { config: { scope: null } }, (_request, reply) =>
    reply.type('text/css').send(docsStyle),
  )
  await app.register(fastifyStatic, { root: packageRoot, serve: false, cacheControl: false })
  for (const { root, prefix } of folders) {
    for (const file of filesIn(root)) addFile(app, root, prefix, file)
  }
}

/** One route per file that exists now: no address can name anything else (bug case B56). */
function addFile(app: FastifyInstance, root: string, prefix: string, file: string): void {
  // The names of built assets change with their content, so they never go stale.
  const cacheControl = file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  const paths = file === 'index.html' ? [prefix, `${prefix}${file}`] : [`${prefix}${file}`]
  for (const path of paths) {
    app.get(path, { config: { scope: null } }, (_request, reply) => {
      if (!isWithoutLinks(root, file)) throw new BridgeError('not_found')
      return reply.header('cache-control', cacheControl).sendFile(file, root)
    })
  }
}

/** The regular files of a folder, as paths with `/`; what is reached by links is left out: they may lead anywhere. */
function filesIn(root: string): string[] {
  if (!existsSync(root)) return []
  return (
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      // Node follows links to folders when it lists them.
      .filter((file) => isWithoutLinks(root, file))
  )
}

/** Whether a file of a folder is that file itself, and not something elsewhere. */
function isWithoutLinks(root: string, file: string): boolean {
  try {
    return realpathSync(join(root, file)) === join(realpathSync(root), file)
  } catch {
    // It was taken away since, so there is nothing to serve.
    return false
  }
}
