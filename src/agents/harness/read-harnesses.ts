import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { BridgeError } from '../../core/errors.ts'
import { builtInAgents } from '../../protocol/index.ts'
import type { Adapter } from '../adapter.ts'
import geminiFile from './gemini.json' with { type: 'json' }
import { createHarnessAdapter } from './parse.ts'
import { harnessFileSchema, type HarnessDescription } from './schema.ts'

/** An agent that is described by data. */
export interface Harness {
  readonly agent: string
  readonly description: HarnessDescription
  readonly adapter: Adapter
}

/** The harnesses that come with the bridge. */
export const builtInHarnesses: readonly Harness[] = parseHarnesses(geminiFile, 'gemini.json')

/**
 * The harnesses a user registers in a file (`harness.json` in the bridge's home); none where there is no file. One
 * with the name of a harness that comes with the bridge takes its place.
 *
 * @throws BridgeError `config_invalid`, naming the field that is wrong
 */
export function readHarnesses(path: string): readonly Harness[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw invalid(path, 'file', error instanceof Error ? error.message : String(error), error)
  }
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw invalid(path, 'file', 'it is not valid JSON', error)
  }
  return parseHarnesses(value, path)
}

/** @throws BridgeError `config_invalid` */
function parseHarnesses(value: unknown, source: string): readonly Harness[] {
  const parsed = harnessFileSchema.safeParse(value)
  if (!parsed.success) {
    const issue = deepestOf(parsed.error.issues)
    throw invalid(source, issue.path.join('.') || 'file', issue.message)
  }
  return Object.entries(parsed.data).map(([agent, description]) => {
    if (builtInAgents.some((name) => name === agent))
      throw invalid(source, agent, 'the bridge reads the hooks of this agent itself')
    return { agent, description, adapter: createHarnessAdapter(agent, description) }
  })
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Where a value may be one of several things, the one it nearly is says best what is wrong with it. */
function deepestOf(issues: readonly z.core.$ZodIssue[], at: readonly PropertyKey[] = []): Issue {
  const found = issues.map((issue): Issue => {
    const here = { path: [...at, ...issue.path], message: issue.message }
    if (issue.code === 'unrecognized_keys')
      return { ...here, path: [...here.path, ...issue.keys.slice(0, 1)] }
    if (issue.code === 'invalid_key') return { ...here, message: issue.issues[0]?.message ?? here.message }
    if (issue.code !== 'invalid_union') return here
    const inside = issue.errors.map((errors) => deepestOf(errors, here.path))
    return inside.sort((a, b) => b.path.length - a.path.length)[0] ?? here
  })
  return found[0] ?? { path: at, message: 'it is not valid' }
}

function invalid(source: string, field: string, problem: string, cause?: unknown): BridgeError {
  return new BridgeError('config_invalid', { source, field, problem }, { cause })
}
