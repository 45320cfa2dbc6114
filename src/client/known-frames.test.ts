import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isRecord } from '../core/record.ts'
import { logFrameSchemas } from '../protocol/index.ts'
import { isKnown } from './known-frames.ts'

const { control: _control, ...schemas } = logFrameSchemas
type Fields = Readonly<Record<string, unknown>>

/** Values of a JSON schema: every word of every enumeration, every variant, every optional field there and not. */
function valuesOf(schema: z.core.JSONSchema.JSONSchema): unknown[] {
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) return variants.flatMap((variant) => valuesOf(asObject(variant)))
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum) return schema.enum
  switch (schema.type) {
    case 'string':
      return ['', 'some text']
    case 'number':
    case 'integer':
      return [0, 12]
    case 'boolean':
      return [true, false]
    case 'array':
      return [[], valuesOf(asObject(schema.items))]
    case 'object':
      return schema.properties ? objectsOf(schema.properties, schema.required ?? []) : [{}, { key: 'value' }]
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`)
  }
}

function objectsOf(properties: Readonly<Record<string, unknown>>, required: readonly string[]): Fields[] {
  const values = Object.entries(properties).map(
    ([name, schema]) => [name, valuesOf(asObject(schema))] as const,
  )
  const full = Object.fromEntries(values.map(([name, [first]]) => [name, first]))
  return [
    full,
    ...values.flatMap(([name, [, ...others]]) => others.map((value) => ({ ...full, [name]: value }))),
    ...Object.keys(full)
      .filter((name) => !required.includes(name))
      .map((name) => without(full, name)),
  ]
}

function asObject(schema: unknown): z.core.JSONSchema.JSONSchema {
  return z.looseObject({}).parse(schema)
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name))
}

/** The value with each of its parts, at any depth, gone or of every other type in turn. */
function brokenOnes(value: unknown): unknown[] {
  const replaced = [null, 7, 'no such word', true, false, {}, []]
  if (typeof value !== 'object' || value === null) return replaced
  if (Array.isArray(value)) {
    const broken = value.flatMap((item, index) => brokenOnes(item).map((other) => value.with(index, other)))
    return [...replaced, ...broken]
  }
  const fields: Fields = { ...value }
  const broken = Object.entries(fields).flatMap(([name, part]) => [
    without(fields, name),
    ...brokenOnes(part).map((other) => ({ ...fields, [name]: other })),
  ])
  return [...replaced, ...broken]
}

describe('isKnown says what the schema of the protocol says', () => {
  test.each(Object.entries(schemas))('%s', (_type, schema) => {
    const frames = valuesOf(z.toJSONSchema(schema)).filter(isRecord)
    expect(frames.length).toBeGreaterThan(3)
    expect(frames.filter((frame) => !isKnown(frame))).toEqual([])
    const broken = frames.flatMap(brokenOnes).filter(isRecord)
    const refused = broken.filter((frame) => !schema.safeParse(frame).success)
    expect(refused.length).toBeGreaterThan(20)
    expect(refused.filter(isKnown)).toEqual([])
    expect(broken.filter((frame) => !isKnown(frame)).length).toBe(refused.length)
  })

  test('a control is no known frame, whatever it calls itself', () => {
    for (const type of ['servo.hold', 'control', 'toString', '__proto__', 7, undefined])
      expect(isKnown({ type, seq: 1 })).toBe(false)
  })

  test('a newer bridge may add fields', () => {
    expect(isKnown({ type: 'permission_resolved', request_id: 'r', by: 'agent', more: 1 })).toBe(true)
  })
})
