/** Something that TOML does not allow. */
export class TomlError extends Error {
  readonly at: number

  constructor(problem: string, at: number) {
    super(problem)
    this.at = at
  }
}

/** A value, where it is a text or a truth value. */
export type TomlScalar = string | boolean | undefined

export type TomlKind = 'scalar' | 'array' | 'inline'

/** An entry of an inline table; its path begins at that. */
export interface InlineEntry {
  readonly path: readonly string[]
  readonly start: number
  readonly valueStart: number
  readonly end: number
  readonly value: TomlScalar
}

const bareKey = /[A-Za-z0-9_-]+/y
const space = /[ \t]*/y
const comment = /#[^\r\n]*/y
const lineBreak = /\r?\n/y
const word = /[^\s,#[\]{}"'=]+(?: \d\d:\d\d[^\s,#[\]{}"'=]*)?/y
const escapes = /\\(?:[btnfre"\\]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/y
const plain: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001B' }
const number =
  /^(?:[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?|0x[\da-fA-F](?:_?[\da-fA-F])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*|[+-]?(?:inf|nan))$/
const date =
  /^(?:\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/

/** A text and how far it was read. */
export class TomlText {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  peek(): string {
    return this.text[this.at] ?? ''
  }

  fail(problem: string, at = this.at): never {
    throw new TomlError(problem, at)
  }

  /** Goes on behind `token` when it stands here. */
  take(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return false
    this.at += token.length
    return true
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    this.at += found?.length ?? 0
    return found
  }

  skipSpace(): void {
    this.match(space)
  }

  expect(token: string, problem: string): void {
    this.skipSpace()
    if (!this.take(token)) this.fail(problem)
  }

  /** Space, comments and line breaks. */
  skipBlank(): void {
    do {
      this.skipSpace()
      this.#skipComment()
    } while (this.match(lineBreak) !== undefined)
  }

  /** What may stand behind a header or a value. */
  endLine(): void {
    this.skipSpace()
    this.#skipComment()
    if (this.match(lineBreak) === undefined && !this.isAtEnd)
      this.fail('something follows the end of the line')
  }

  #skipComment(): void {
    const start = this.at
    const found = this.match(comment) ?? ''
    for (const [index, char] of found.split('').entries())
      if (isControl(char)) this.fail('a control character in a comment', start + index)
  }

  lineStart(at: number): number {
    return this.text.lastIndexOf('\n', at - 1) + 1
  }

  /** A key, in its parts; space around it and around its dots is skipped. */
  readKey(): string[] {
    const parts: string[] = []
    do {
      this.skipSpace()
      const quote = this.peek()
      const part = quote === '"' || quote === "'" ? this.readLine(quote) : this.match(bareKey)
      parts.push(part ?? this.fail('a key is missing'))
      this.skipSpace()
    } while (this.take('.'))
    return parts
  }

  /** A text in quotes on one line. */
  readLine(quote: '"' | "'"): string {
    const start = this.at
    this.at += 1
    let value = ''
    for (;;) {
      const char = this.peek()
      if (char === '' || char === '\n' || char === '\r') this.fail('a text is not closed', start)
      if (this.take(quote)) return value
      value += this.#readCharacter(quote)
    }
  }

  /** A text in three quotes; a line break right behind them is not part of it. */
  readLines(quote: '"' | "'"): string {
    const start = this.at
    const end = quote.repeat(3)
    this.at += 3
    this.match(lineBreak)
    let value = ''
    for (;;) {
      if (this.isAtEnd) this.fail('a text is not closed', start)
      if (this.take(end)) {
        // Up to two quotes may stand before the three that close it.
        for (let more = 0; more < 2 && this.take(quote); more += 1) value += quote
        return value
      }
      const line = this.match(lineBreak)
      if (line !== undefined) value += line
      else if (quote === '"' && /^\\[ \t]*\r?\n/.test(this.text.slice(this.at, this.at + 1_000))) {
        this.at += 1
        while (this.match(/[ \t\r\n]+/y) !== undefined);
      } else value += this.#readCharacter(quote)
    }
  }

  #readCharacter(quote: string): string {
    const char = this.peek()
    if (quote === '"' && char === '\\') {
      const escape = this.match(escapes) ?? this.fail('an escape that TOML does not know')
      const name = escape[1] ?? ''
      if (escape.length === 2) return plain[name] ?? name
      const code = Number.parseInt(escape.slice(2), 16)
      if (code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff)) this.fail('a character that does not exist')
      return String.fromCodePoint(code)
    }
    if (isControl(char)) this.fail('a control character in a text')
    this.at += 1
    return char
  }
}

/** The tab is the only control character that TOML allows in a line. */
function isControl(char: string): boolean {
  const code = char.charCodeAt(0)
  return (code < 0x20 && char !== '\t') || code === 0x7f
}

/** Reads a value; `onEntry` is told of the entries of inline tables in it, but not of those in arrays. */
export function readTomlValue(
  text: TomlText,
  onEntry: (entry: InlineEntry) => void,
): { readonly kind: TomlKind; readonly value: TomlScalar } {
  const start = text.at
  const char = text.peek()
  if (char === '"' || char === "'") {
    const long = text.text.startsWith(char.repeat(3), text.at)
    return { kind: 'scalar', value: long ? text.readLines(char) : text.readLine(char) }
  }
  if (char === '[') {
    readArray(text)
    return { kind: 'array', value: undefined }
  }
  if (char === '{') {
    readInlineTable(text, onEntry)
    return { kind: 'inline', value: undefined }
  }
  const found = text.match(word)?.trimEnd()
  if (found === undefined) return text.fail('a value is missing')
  if (found === 'true' || found === 'false') return { kind: 'scalar', value: found === 'true' }
  if (number.test(found) || date.test(found)) return { kind: 'scalar', value: undefined }
  return text.fail('a value that TOML does not know', start)
}

function readArray(text: TomlText): void {
  const start = text.at
  text.at += 1
  for (;;) {
    text.skipBlank()
    if (text.take(']')) return
    if (text.isAtEnd) text.fail('an array is not closed', start)
    readTomlValue(text, () => {})
    text.skipBlank()
    if (text.take(',')) continue
    if (text.isAtEnd) text.fail('an array is not closed', start)
    if (text.peek() !== ']') text.fail('a comma is missing')
  }
}

function readInlineTable(text: TomlText, onEntry: (entry: InlineEntry) => void): void {
  const opened = text.at
  const keys: string[][] = []
  text.at += 1
  for (;;) {
    text.skipBlank()
    if (text.take('}')) return
    if (text.isAtEnd) text.fail('an inline table is not closed', opened)
    const start = text.at
    const path = text.readKey()
    // One key must not be there twice, nor be both a value and a table.
    if (keys.some((other) => isWithin(other, path) || isWithin(path, other)))
      text.fail(`the key "${path.join('.')}" is there twice`, start)
    keys.push(path)
    text.expect('=', 'a "=" is missing')
    text.skipSpace()
    const valueStart = text.at
    const { value } = readTomlValue(text, (entry) => onEntry({ ...entry, path: [...path, ...entry.path] }))
    onEntry({ path, start, valueStart, end: text.at, value })
    text.skipBlank()
    if (text.take(',')) continue
    if (text.isAtEnd) text.fail('an inline table is not closed', opened)
    if (text.peek() !== '}') text.fail('a comma is missing')
  }
}

function isWithin(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((part, index) => part === inner[index])
}
