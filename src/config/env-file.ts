import { readFileSync } from 'node:fs'
import { BridgeError } from '../core/errors.ts'
import { errorCode, fileProblem } from './file-problem.ts'

/** The variables of a `.env` file, each with its line (from 1). */
export type EnvFile = ReadonlyMap<string, { readonly value: string; readonly line: number }>

/**
 * Reads a `.env` file (seed agent-bridge-readme, "Run the bridge"); a missing file is an empty one. Nothing is
 * put into `process.env`: the token in it would reach every child.
 *
 * @throws BridgeError `config_invalid`
 */
export function readEnvFile(path: string): EnvFile {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return new Map()
    throw new BridgeError(
      'config_invalid',
      { source: path, field: '.env', problem: `cannot be read: ${fileProblem(error)}` },
      { cause: error },
    )
  }
  return parseEnvFile(text, path)
}

/**
 * Parses lines of `NAME=value`, also behind `export`. Quotes around a value are dropped: in single quotes
 * everything is literal, in double quotes `\n`, `\t`, `\"` and `\\` are read. `#` begins a comment at the start
 * of a line, or after a blank behind a value. Of two lines with one name the later counts.
 *
 * @param path the name of the file, for messages
 * @throws BridgeError `config_invalid` at a line that is none of these
 */
export function parseEnvFile(text: string, path: string): EnvFile {
  const variables = new Map<string, { value: string; line: number }>()
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (const [index, content] of lines.entries()) {
    const line = index + 1
    if (/^\s*(#|$)/.test(content)) continue
    const assignment = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(content)
    const name = assignment?.[1]
    const value = assignment?.[2] === undefined ? undefined : parseValue(assignment[2])
    if (name === undefined || value === undefined) {
      throw new BridgeError('config_invalid', {
        source: `${path}:${line}`,
        field: name ?? 'this line',
        problem:
          name === undefined
            ? 'must be NAME=value, or a comment that begins with #'
            : 'has a quote that is not closed, or text behind the closing one',
      })
    }
    variables.set(name, { value, line })
  }
  return variables
}

function parseValue(raw: string): string | undefined {
  const quote = raw[0]
  if (quote === "'") return /^'([^']*)'\s*(?:#.*)?$/.exec(raw)?.[1]
  if (quote === '"') {
    const inner = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(raw)?.[1]
    return inner?.replace(/\\(.)/g, (whole, char: string) => escapes[char] ?? whole)
  }
  return raw.replace(/(^|\s+)#.*$/, '')
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\' }
