import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errorTable } from '../../src/core/errors.ts'
import {
  operations,
  routes,
  type OperationDeclaration,
  type RouteDeclaration,
} from '../../src/protocol/index.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { asFrame, type Frame } from '../fixtures/frames.ts'

let bridge: TestDaemon
let document: Frame
beforeAll(async () => {
  bridge = await openTestDaemon()
  document = asFrame((await bridge.call('/openapi.json', { token: null })).json)
})
afterAll(() => bridge.close())

const declared = [
  ...Object.entries<OperationDeclaration>(operations).map(([name, { rest, scope, summary }]) => ({
    name,
    method: rest.method,
    path: rest.path,
    scope,
    summary,
  })),
  ...Object.entries<RouteDeclaration>(routes).map(([name, route]) => ({ name, ...route })),
]

/** Every object in the document, with the way to it. */
function* walk(value: unknown, way = '#'): Generator<[string, Frame]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [way, asFrame(value)]
  for (const [key, child] of Object.entries(value)) yield* walk(child, `${way}/${key}`)
}

/** What a local `$ref` points to. */
function resolveRef(ref: string): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>(
      (value, key) => asFrame(value)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    )
}

const operationOf = (method: string, path: string) =>
  asFrame(asFrame(asFrame(document['paths'])[path])[method.toLowerCase()])

describe('GET /openapi.json', () => {
  test('is OpenAPI 3.1: a title, a version, paths, and nothing that points nowhere', () => {
    expect(document['openapi']).toMatch(/^3\.1\.\d+$/)
    expect(document['info']).toMatchObject({ title: expect.any(String), version: expect.any(String) })
    let references = 0
    for (const [way, { $ref: ref }] of walk(document)) {
      if (typeof ref !== 'string') continue
      references += 1
      expect([way, ref, typeof resolveRef(ref)]).toEqual([way, expect.stringMatching(/^#\//), 'object'])
    }
    expect(references).toBeGreaterThan(0)
  })

  test.each(declared)(
    '$method $path is described with its scope',
    ({ name, method, path, scope, summary }) => {
      const operation = operationOf(method, path)
      expect(operation).toMatchObject({ operationId: name, summary, responses: expect.any(Object) })
      expect(operation['security']).toEqual(scope === null ? [] : [{ bearer: [] }, { header: [] }])
      expect(operation['description']).toBe(scope === null ? undefined : `Needs the scope \`${scope}\`.`)
      const parameters = (Array.isArray(operation['parameters']) ? operation['parameters'] : []).map(asFrame)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      expect(parameters.filter((each) => each['in'] === 'path').map((each) => each['name'])).toEqual(inPath)
      for (const parameter of parameters) {
        expect(parameter).toMatchObject({ name: expect.any(String), schema: expect.any(Object) })
        expect(['path true', 'query true', 'query false']).toContain(
          `${String(parameter['in'])} ${String(parameter['required'])}`,
        )
      }
      const names = parameters.map((each) => `${String(each['in'])} ${String(each['name'])}`)
      expect(new Set(names).size).toBe(names.length)
      for (const [status, response] of Object.entries(asFrame(operation['responses']))) {
        expect(status).toMatch(/^(?:\d{3}|[1-5]XX|default)$/)
        expect(asFrame(response)['description']).toEqual(expect.any(String))
      }
    },
  )

  test('describes nothing else, and every operation under a name of its own', () => {
    const described = Object.entries(asFrame(document['paths'])).flatMap(([path, item]) =>
      Object.keys(asFrame(item)).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).sort())
    const ids = [...walk(document)].flatMap(([, { operationId }]) =>
      operationId === undefined ? [] : [operationId],
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('security schemes are those that open a route, and errors are those of the table', () => {
    const { securitySchemes, schemas } = asFrame(document['components'])
    expect(securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      header: { type: 'apiKey', in: 'header', name: 'X-Bridge-Token' },
    })
    expect(asFrame(asFrame(asFrame(asFrame(schemas)['Error'])['properties'])['error'])['enum']).toEqual(
      Object.keys(errorTable),
    )
  })

  test('its schemas are JSON Schema that answers really fit', async () => {
    await bridge.post('UserPromptSubmit', { session_id: 's', prompt: 'x', cwd: '/work' })
    await bridge.post('PermissionRequest', {
      session_id: 's',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    })
    const calls = ['/status', '/sessions', '/api/history', '/api/requests', '/api/tokens', '/api/audit']
    for (const path of calls) {
      const { content } = asFrame(asFrame(operationOf('GET', path)['responses'])['200'])
      const schema = z.fromJSONSchema(asFrame(asFrame(asFrame(content)['application/json'])['schema']))
      const answer = await bridge.call(path)
      expect([path, schema.safeParse(answer.json).error]).toEqual([path, undefined])
    }
    const { AgentEventEnvelope: envelope } = asFrame(asFrame(document['components'])['schemas'])
    await using socket = await bridge.ws()
    await bridge.post('Stop', { session_id: 's' })
    expect(
      z.fromJSONSchema(asFrame(envelope)).safeParse(await socket.frames.nextOf('agent_event')).success,
    ).toBe(true)
  })
})

test('the page of the API lists every route, without script or style from elsewhere', async () => {
  const answer = await bridge.call('/docs', { token: null })
  expect(answer.headers['content-type']).toMatch(/^text\/html/)
  for (const { method, path } of declared)
    expect(answer.text).toContain(`<code>${method}</code></td><td><code>${path}</code>`)
  expect(answer.text).not.toMatch(/<script|https?:\/\/|style="/)
  const style = await bridge.call('/docs.css', { token: null })
  expect([style.status, style.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/css/)])
})
