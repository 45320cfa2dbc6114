import { unparseable } from './json.ts'
import { readTomlValue, TomlError, TomlText, type TomlScalar } from './toml-values.ts'
import { TomlTree } from './toml-tree.ts'

/** A key with its value, and where both stand; those inside inline tables have one of their own. */
export interface TomlEntry {
  /** From the root: the table's key and its own. */
  readonly path: readonly string[]
  /** Where the key begins, and where the value begins and ends. */
  readonly start: number
  readonly valueStart: number
  readonly end: number
  /** Where its line ends, with its comment and line break. Undefined inside an inline table. */
  readonly lineEnd: number | undefined
  /** The value, where it is a text or a truth value. */
  readonly value: TomlScalar
}

/** A table with a header of its own. */
export interface TomlTable {
  readonly path: readonly string[]
  /** The table is an element of an array of tables. */
  readonly inArray: boolean
  /** Where the line of its header begins, and where it ends with its line break. */
  readonly start: number
  readonly headerEnd: number
  /** Where the line of its last entry ends; the end of the header when it has none. */
  readonly end: number
}

/** What stands where in a TOML file; as much as is needed to add and remove tables. */
export interface Toml {
  readonly path: string
  readonly text: string
  /** The end of its lines. */
  readonly eol: string
  readonly tables: readonly TomlTable[]
  readonly entries: readonly TomlEntry[]
}

/**
 * Reads TOML 1.0, and of 1.1 what came for inline tables and escapes. Numbers and dates are told from other words but
 * not judged.
 *
 * @throws BridgeError `settings_unparseable` with line and column
 */
export function parseToml(path: string, text: string): Toml {
  const reader = new TomlText(text)
  const tree = new TomlTree()
  const tables: TomlTable[] = []
  const entries: TomlEntry[] = []
  let prefix: readonly string[] = []
  try {
    for (;;) {
      reader.skipBlank()
      if (reader.isAtEnd) break
      const start = reader.at
      if (reader.peek() === '[') {
        const inArray = reader.take('[[')
        if (!inArray) reader.take('[')
        prefix = reader.readKey()
        reader.expect(inArray ? ']]' : ']', 'the header of the table is not closed')
        tree.openTable(prefix, inArray, (problem) => reader.fail(problem, start))
        reader.endLine()
        const lineStart = reader.lineStart(start)
        tables.push({ path: prefix, inArray, start: lineStart, headerEnd: reader.at, end: reader.at })
        continue
      }
      const key = reader.readKey()
      reader.expect('=', 'a "=" is missing')
      reader.skipSpace()
      const valueStart = reader.at
      const full = [...prefix, ...key]
      const inside: TomlEntry[] = []
      const { kind, value } = readTomlValue(reader, (entry) => {
        inside.push({ ...entry, path: [...full, ...entry.path], lineEnd: undefined })
      })
      const end = reader.at
      tree.define(key, kind, (problem) => reader.fail(problem, start))
      reader.endLine()
      entries.push({ path: full, start, valueStart, end, lineEnd: reader.at, value }, ...inside)
      const table = tables.pop()
      if (table) tables.push({ ...table, end: reader.at })
    }
  } catch (error) {
    if (error instanceof TomlError) throw unparseable({ path, text }, error.at, error.message)
    if (error instanceof RangeError) throw unparseable({ path, text }, reader.at, 'it is nested too deeply')
    throw error
  }
  return { path, text, eol: /\r\n/.test(text) ? '\r\n' : '\n', tables, entries }
}
