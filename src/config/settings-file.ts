import { readFileSync, statSync } from 'node:fs'
import { LineCounter, isMap, isScalar, parseDocument, type Document } from 'yaml'
import { BridgeError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import { fileProblem } from './file-problem.ts'

/** No configuration comes near it; what is larger is some other file. */
const maxBytes = 1_000_000

/** What `bridged.yaml` says. */
export interface SettingsFile {
  readonly values: Readonly<Record<string, unknown>>
  /** The line (from 1) of the setting at `path`, or of the closest one around it. */
  lineOf(path: readonly PropertyKey[]): number
}

/**
 * Reads a YAML file; a missing or empty one has no settings. Settings without a value count as not written,
 * so that a group whose lines are all commented out is fine.
 *
 * @throws BridgeError `config_invalid`
 */
export function readSettingsFile(path: string): SettingsFile {
  const lines = new LineCounter()
  const source = read(path)
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, stringKeys: true })
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem !== undefined) {
    const line = lines.linePos(problem.pos[0]).line
    throw invalid(`${path}:${line}`, problem.message, problem)
  }
  const values = withoutEmpty(toValues(document, path))
  if (values !== undefined && !isRecord(values)) {
    throw invalid(`${path}:1`, 'must consist of lines "name: value"')
  }
  return { values: values ?? {}, lineOf: (at) => lines.linePos(offsetOf(document, at)).line || 1 }
}

function read(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return ''
    // A pipe would hold the start up for ever.
    if (!stats.isFile()) throw invalid(path, 'is not a file')
    if (stats.size > maxBytes) throw invalid(path, `is larger than ${maxBytes} bytes`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof BridgeError) throw error
    throw invalid(path, `cannot be read: ${fileProblem(error)}`, error)
  }
}

function toValues(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    // An alias without anchor, or aliases that multiply beyond measure.
    throw invalid(path, error instanceof Error ? error.message : String(error), error)
  }
}

function withoutEmpty(value: unknown): unknown {
  if (value === null) return undefined
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, child]) => [key, withoutEmpty(child)] as const)
  return Object.fromEntries(entries.filter(([, child]) => child !== undefined))
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true)
    const key = path[length - 1]
    const pair = isMap(parent)
      ? parent.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined
    const node = isScalar(pair?.key) ? pair.key : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

function isNode(value: unknown): value is { range?: readonly number[] & { 0: number } } {
  return typeof value === 'object' && value !== null && 'range' in value && Array.isArray(value.range)
}

function invalid(source: string, problem: string, cause?: unknown): BridgeError {
  return new BridgeError('config_invalid', { source, field: 'bridged.yaml', problem }, { cause })
}
