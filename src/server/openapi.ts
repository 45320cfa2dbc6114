import { z } from 'zod'
import { errorTable } from '../core/errors.ts'
import { version } from '../core/version.ts'
import {
  agentEventEnvelopeSchema,
  operations,
  routes,
  type OperationDeclaration,
  type RouteDeclaration,
} from '../protocol/index.ts'

type Json = Record<string, unknown>

/** The description of the whole HTTP surface as OpenAPI 3.1, made from the declarations. */
export function buildOpenApi(): Json {
  const paths: Record<string, Json> = {}
  const add = (path: string, method: string, operation: Json) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const [name, declaration] of Object.entries<OperationDeclaration>(operations)) {
    add(declaration.rest.path, declaration.rest.method, describeOperation(name, declaration))
  }
  for (const [name, declaration] of Object.entries<RouteDeclaration>(routes)) {
    add(declaration.path, declaration.method, describeRoute(name, declaration))
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Bridge',
      version,
      description: 'One self-hosted daemon between coding agents and everyone who needs to reach them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:8787' }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a.localeCompare(b))),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        header: { type: 'apiKey', in: 'header', name: 'X-Bridge-Token' },
      },
      schemas: { AgentEventEnvelope: schemaOf(agentEventEnvelopeSchema, 'output'), Error: errorSchema },
    },
  }
}

const errorSchema: Json = {
  type: 'object',
  required: ['error', 'message'],
  properties: {
    error: { type: 'string', enum: Object.keys(errorTable) },
    message: { type: 'string' },
    details: { type: 'object' },
  },
}

function describeOperation(name: string, declaration: OperationDeclaration): Json {
  const { rest, summary, scope, input, output } = declaration
  const inPath = parameterNames(rest.path)
  const schema = schemaOf(input, 'input')
  const required = isStringList(schema['required']) ? schema['required'] : []
  const fields = Object.entries(isObject(schema['properties']) ? schema['properties'] : {})
  const others = fields.filter(([field]) => !inPath.includes(field))
  return {
    operationId: name,
    summary,
    ...securityOf(scope),
    parameters: [
      ...fields
        .filter(([field]) => inPath.includes(field))
        .map(([field, fieldSchema]) => ({ name: field, in: 'path', required: true, schema: fieldSchema })),
      ...(rest.method === 'POST' ? [] : others).map(([field, fieldSchema]) => ({
        name: field,
        in: 'query',
        required: required.includes(field),
        schema: fieldSchema,
      })),
    ],
    ...(rest.method === 'POST' &&
      others.length > 0 && {
        requestBody: jsonContent({
          type: 'object',
          properties: Object.fromEntries(others),
          required: required.filter((field) => !inPath.includes(field)),
          additionalProperties: false,
        }),
      }),
    responses: {
      [rest.status ?? 200]: { description: 'Done.', ...jsonContent(schemaOf(output, 'output')) },
      default: errorResponse,
    },
  }
}

function describeRoute(name: string, { path, method, summary, scope }: RouteDeclaration): Json {
  return {
    operationId: name,
    summary,
    ...securityOf(scope),
    parameters: parameterNames(path).map((parameter) => ({
      name: parameter,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(method === 'POST' && { requestBody: jsonContent({ type: 'object' }) }),
    responses: { '2XX': { description: 'Done.' }, default: errorResponse },
  }
}

const errorResponse = {
  description: 'What went wrong; see docs/errors.md.',
  ...jsonContent({ $ref: '#/components/schemas/Error' }),
}

function jsonContent(schema: Json): Json {
  return { content: { 'application/json': { schema } } }
}

function securityOf(scope: string | null): Json {
  if (scope === null) return { security: [] }
  return { description: `Needs the scope \`${scope}\`.`, security: [{ bearer: [] }, { header: [] }] }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  })
  return rest
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
