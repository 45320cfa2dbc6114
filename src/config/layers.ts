import { resolve } from 'node:path'
import { z } from 'zod'
import { BridgeError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import { closest } from './did-you-mean.ts'
import type { Environment } from './environment.ts'
import { expandTilde } from './home.ts'
import { readSettingsFile, type SettingsFile } from './settings-file.ts'
import { tokenProblem } from './token-problem.ts'
import {
  flagBindings,
  settingsSchema,
  variables,
  type Binding,
  type ConfigFlags,
  type Settings,
} from './settings.ts'

/** Where a value came from: a flag, a variable, `file:line`, or {@link defaultSource}. */
export type Sources = Readonly<Record<string, string>>

/** The source of what nobody set. */
export const defaultSource = 'default'

/** A value that stands above the file. */
interface Override {
  readonly path: readonly [string, ...string[]]
  readonly value: unknown
  /** As `bridge config check` shows it. */
  readonly source: string
  /** As an error names the place, and the flag or variable in it. */
  readonly place: string
  readonly field: string
}

/** What flags and variables set, the strongest last. A variable that is empty sets nothing. */
export function collectOverrides(
  flags: ConfigFlags,
  environment: Environment,
  directories: { readonly cwd: string; readonly homeDir: string },
): Override[] {
  const overrides: Override[] = []
  for (const [field, { path, form }] of Object.entries(variables)) {
    const found = environment.get(field)
    if (!found?.value) continue
    const value = readAs(form, found.value, found.directory, directories.homeDir)
    overrides.push({ path, value, field, source: found.source, place: found.place })
  }
  for (const { name, flag, path, form } of flagBindings) {
    const given = flags[name]
    if (given === undefined) continue
    const value = readAs(form, String(given), directories.cwd, directories.homeDir)
    overrides.push({ path, value, field: flag, source: flag, place: 'command line' })
  }
  return overrides
}

function readAs(form: Binding['form'], text: string, directory: string, homeDir: string): unknown {
  if (form === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  return form === 'path' && text !== '' ? resolve(directory, expandTilde(text, homeDir)) : text
}

/**
 * The master token of the environment. Never taken from flags or the configuration file.
 *
 * @throws BridgeError `config_invalid` when it is empty or cannot travel in a header
 */
export function tokenFrom(environment: Environment): { value: string; source: string } | undefined {
  const found = environment.get('BRIDGE_TOKEN')
  if (found === undefined) return undefined
  const problem = tokenProblem(found.value)
  if (problem === undefined) return { value: found.value, source: found.source }
  throw new BridgeError('config_invalid', { source: found.place, field: 'BRIDGE_TOKEN', problem })
}

/**
 * Joins the file with what stands above it. The file is checked on its own first, so that an error in it is
 * found also where a variable hides it.
 *
 * @throws BridgeError `config_invalid`
 */
export function readSettings(
  path: string,
  overrides: readonly Override[],
): { settings: Settings; sources: Sources } {
  const file = readSettingsFile(path)
  const alone = settingsSchema.safeParse(file.values)
  if (!alone.success) throw fileError(alone.error, file, path)

  const sources: Record<string, string> = {}
  for (const leaf of leaves(file.values)) sources[leaf.join('.')] = `${path}:${file.lineOf(leaf)}`
  let values = file.values
  for (const override of overrides) {
    values = withValue(values, override.path, override.value)
    sources[override.path.join('.')] = override.source
  }
  const joined = settingsSchema.safeParse(values)
  if (!joined.success) throw overrideError(joined.error, overrides)
  const settings = joined.data

  if (settings.firebase.database_url !== undefined && settings.firebase.agent_id === undefined) {
    throw new BridgeError('config_invalid', {
      source: sources['firebase.database_url'],
      field: 'firebase.agent_id',
      problem: 'is missing; a database URL needs it. Set BRIDGE_AGENT_ID, or remove the URL',
    })
  }
  return { settings, sources }
}

function fileError(error: z.ZodError, file: SettingsFile, path: string): BridgeError {
  const problems = error.issues.map((issue) => {
    const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : []
    const at = unknown === undefined ? issue.path : [...issue.path, unknown]
    const problem = unknown === undefined ? issue.message : unknownProblem(issue.path, unknown)
    return { line: file.lineOf(at), field: at.join('.') || 'bridged.yaml', problem }
  })
  const [first] = problems.sort((a, b) => a.line - b.line)
  if (first === undefined) throw error
  const { line, field, problem } = first
  return new BridgeError('config_invalid', { source: `${path}:${line}`, field, problem })
}

function overrideError(error: z.ZodError, overrides: readonly Override[]): BridgeError {
  for (const issue of error.issues) {
    const culprit = overrides.findLast((override) =>
      override.path.every((segment, index) => issue.path[index] === segment),
    )
    if (culprit === undefined) continue
    return new BridgeError('config_invalid', {
      source: culprit.place,
      field: culprit.field,
      problem: issue.message,
    })
  }
  throw error
}

function unknownProblem(parent: readonly PropertyKey[], key: string): string {
  if (parent.length === 0 && key === 'token') {
    return 'does not belong here; put it into BRIDGE_TOKEN or the file "token" in the home'
  }
  if (parent.length === 0 && key === 'home') return 'does not belong here; use BRIDGE_HOME or --state'
  const known = knownKeys(parent)
  const meant = closest(key, known)
  return meant === undefined
    ? `is not a setting; known here: ${known.join(', ')}`
    : `is not a setting; did you mean "${meant}"?`
}

function knownKeys(parent: readonly PropertyKey[]): string[] {
  let schema: unknown = settingsSchema
  for (const segment of [...parent, undefined]) {
    while (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) schema = schema.unwrap()
    if (!(schema instanceof z.ZodObject)) return []
    if (segment === undefined) return Object.keys(schema.shape)
    schema = schema.shape[String(segment)]
  }
  return []
}

function* leaves(values: Readonly<Record<string, unknown>>, path: string[] = []): Generator<string[]> {
  for (const [key, value] of Object.entries(values)) {
    if (isRecord(value)) yield* leaves(value, [...path, key])
    else yield [...path, key]
  }
}

function withValue(
  values: Readonly<Record<string, unknown>>,
  [key, next, ...rest]: readonly [string, ...string[]],
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (next === undefined) return { ...values, [key]: value }
  const child = values[key]
  return { ...values, [key]: withValue(isRecord(child) ? child : {}, [next, ...rest], value) }
}
