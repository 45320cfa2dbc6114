import { existsSync, realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
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
  for (const { root, prefix } of folders) {
    if (existsSync(root)) await addFolder(app, root, prefix)
  }
}

async function addFolder(app: FastifyInstance, root: string, prefix: string): Promise<void> {
  const realRoot = realpathSync(root)
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, scope: null }
    })
    await scope.register(fastifyStatic, {
      root: realRoot,
      prefix,
      // One route per file that exists now: no address can name anything else (bug case B56).
      wildcard: false,
      decorateReply: false,
      dotfiles: 'ignore',
      index: 'index.html',
      allowedPath: (path) => isInside(realRoot, join(realRoot, path)),
      setHeaders: (response, path) => {
        response.header(
          'cache-control',
          path.includes(`${sep}assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
  })
}

/** A link that points out of the folder is not served, even if somebody puts one there. */
function isInside(root: string, path: string): boolean {
  try {
    const real = realpathSync(path)
    return real === root || real.startsWith(root + sep)
  } catch {
    // It does not exist, so there is nothing to serve.
    return false
  }
}
