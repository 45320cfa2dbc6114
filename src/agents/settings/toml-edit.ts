import { applyTextEdits, unparseable, type TextEdit } from './json.ts'
import { parseToml, type Toml } from './toml.ts'

/** One table of ours with one text in it: `[path]` and `key = "value"`. */
export interface TomlSetting {
  readonly path: readonly string[]
  readonly key: string
  readonly value: string
}

/**
 * Gives each table its text: where the key stands already its value is replaced, where only the table is there the
 * key is added to it, and what is missing comes as tables at the end. Everything else stays to the byte.
 *
 * @throws BridgeError `settings_unparseable`, also where one of the tables would have to be written in another form
 */
export function putTomlSettings(path: string, text: string, settings: readonly TomlSetting[]): string {
  const toml = parseToml(path, text)
  const edits: TextEdit[] = []
  const missing: TomlSetting[] = []
  for (const setting of settings) {
    const value = quote(setting.value)
    const entry = toml.entries.find((one) => isSame(one.path, [...setting.path, setting.key]))
    const table = toml.tables.find((one) => isSame(one.path, setting.path))
    if (entry) {
      if (entry.value !== setting.value)
        edits.push({ offset: entry.valueStart, length: entry.end - entry.valueStart, content: value })
    } else if (table) {
      const content = `${startOfLine(toml, table.headerEnd)}${quoteKey(setting.key)} = ${value}${toml.eol}`
      edits.push({ offset: table.headerEnd, length: 0, content })
    } else {
      refuseOtherForms(toml, setting.path)
      missing.push(setting)
    }
  }
  const tables = missing.map(({ path: name, key, value }) => {
    const lines = [`[${name.map(quoteKey).join('.')}]`, `${quoteKey(key)} = ${quote(value)}`, '']
    return lines.join(toml.eol)
  })
  if (tables.length > 0) {
    const content = `${startOfLine(toml, text.length)}${text === '' ? '' : toml.eol}${tables.join(toml.eol)}`
    edits.push({ offset: text.length, length: 0, content })
  }
  const after = applyTextEdits(text, edits)
  // A last look before anything is written.
  parseToml(path, after)
  return after
}

/** Removes tables and keys with everything in them, and the empty line before each table. */
export function removeTomlTables(
  path: string,
  text: string,
  isGone: (table: readonly string[]) => boolean,
): string {
  const toml = parseToml(path, text)
  const isOurs = (name: readonly string[]) => name.some((_, index) => isGone(name.slice(0, index + 1)))
  const tables = toml.tables.filter((table) => !table.inArray && isOurs(table.path))
  const spans = [
    ...tables.map(({ start, end }) => ({ start: start - lengthOfBreakBefore(text, start), end })),
    // The same written as a key, dotted or with an inline table, in some table around it.
    ...toml.entries
      .filter(({ path: name, start }) => isOurs(name) && !tables.some((table) => isIn(table, start)))
      .flatMap(({ start, lineEnd }) => {
        return lineEnd === undefined ? [] : [{ start: text.lastIndexOf('\n', start - 1) + 1, end: lineEnd }]
      }),
  ]
  const edits = spans.map(({ start, end }) => ({ offset: start, length: end - start, content: '' }))
  return applyTextEdits(text, edits)
}

function isIn({ start, end }: { start: number; end: number }, offset: number): boolean {
  return offset >= start && offset < end
}

/** A table can be added by a header unless a name on its way is a value, an inline table or an array. */
function refuseOtherForms(toml: Toml, path: readonly string[]): void {
  for (let length = 1; length <= path.length; length += 1) {
    const name = path.slice(0, length)
    const found = toml.entries.find((entry) => isSame(entry.path, name))
    const dotted = toml.entries.find((entry) => {
      return length === path.length && entry.path.length > length && isSame(entry.path.slice(0, length), name)
    })
    const array = toml.tables.find((table) => table.inArray && isSame(table.path, name))
    const at = found?.start ?? dotted?.start ?? array?.start
    if (at !== undefined)
      throw unparseable(toml, at, `"${name.join('.')}" must be written as a table, [${name.join('.')}]`)
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index])
}

function startOfLine({ text, eol }: Toml, at: number): string {
  return at === 0 || text[at - 1] === '\n' ? '' : eol
}

/** The empty line before a table goes with it. */
function lengthOfBreakBefore(text: string, start: number): number {
  return /(?:^|\n)(\r?\n)$/.exec(text.slice(Math.max(0, start - 4), start))?.[1]?.length ?? 0
}

function quoteKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : quote(key)
}

/** A basic string: JSON escapes what TOML wants escaped, but for the delete character. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007f`)
}
