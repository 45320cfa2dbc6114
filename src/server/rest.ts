import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isRecord } from '../core/record.ts'
import { operations, type OperationDeclaration } from '../protocol/index.ts'
import { toFastifyPath } from './http.ts'
import type { ServerParts } from './parts.ts'
import { jsonBody } from './request.ts'

/** Routes of all operations, derived from their declarations. */
export function addOperationRoutes(app: FastifyInstance, parts: ServerParts): void {
  for (const [name, declaration] of Object.entries<OperationDeclaration>(operations)) {
    const { rest, scope } = declaration
    app.route({
      method: rest.method,
      url: toFastifyPath(rest.path),
      config: { scope },
      handler: async (request, reply) => {
        const output = await parts.dispatch.call(name, inputOf(request, declaration, parts), request.identity)
        return reply.status(rest.status ?? 200).send(output)
      },
    })
  }
}

/** Path parameters win over what else is given, so that nobody reaches another thing than the address names. */
function inputOf(request: FastifyRequest, declaration: OperationDeclaration, parts: ServerParts): unknown {
  const given = declaration.rest.method === 'POST' ? jsonBody(request, parts) : request.query
  if (!isRecord(given)) return given
  const params = typeof request.params === 'object' ? request.params : {}
  return { ...given, ...params }
}
