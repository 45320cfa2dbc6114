import { isRecord } from '../core/record.ts'

/**
 * Checks of what came over the wire, for a client that loads no schemas. The table of a type's fields must name
 * each of them, so a field that is new in the protocol cannot be forgotten here.
 */
export type Guard<T> = (value: unknown) => value is T

/** A guard for every field of `T`, also for those that may be absent. */
export type FieldGuards<T> = { readonly [K in keyof T]-?: Guard<T[K]> }

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

export function isTrue(value: unknown): value is true {
  return value === true
}

export function oneOf<const W extends string>(...words: readonly W[]): Guard<W> {
  return (value): value is W => words.some((word) => word === value)
}

export function optional<T>(guard: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || guard(value)
}

export function listOf<T>(guard: Guard<T>): Guard<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(guard)
}

export function recordOf<T>(guard: Guard<T>): Guard<Record<string, T>> {
  return (value): value is Record<string, T> => isRecord(value) && Object.values(value).every(guard)
}

export function shape<T>(fields: FieldGuards<T>): Guard<T> {
  return (value): value is T => isRecord(value) && hasFields(value, fields)
}

/** Whether every field is as its guard wants it; fields that have none are fine. */
export function hasFields(
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, Guard<unknown>>>,
): boolean {
  return Object.entries(fields).every(([name, guard]) => guard(value[name]))
}
