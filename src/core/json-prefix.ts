import { isRecord } from './record.ts'

/** Deeper structures than this are not followed into. */
const maxDepth = 64

/**
 * Reads what is complete in the beginning of a JSON object that was cut off: every finished member, and of the
 * member in which it breaks off what was finished inside it. A text that breaks off keeps its beginning.
 *
 * @returns the object so far; undefined when the text does not begin as a JSON object
 */
export function parseJsonPrefix(text: string): Record<string, unknown> | undefined {
  const start = text.search(/\S/)
  if (text[start] !== '{') return undefined
  const reader = new PrefixReader(text, start)
  const value = reader.readValue(0)
  return isRecord(value) ? value : undefined
}

/** Ends the reading where the text ends or is not JSON any more. */
const broken = Symbol('broken')

class PrefixReader {
  readonly #text: string
  #at: number
  /** Set once the end of what can be read was met; everything open is then closed as it is. */
  #ended = false

  constructor(text: string, at: number) {
    this.#text = text
    this.#at = at
  }

  readValue(depth: number): unknown {
    this.#skipSpace()
    const char = this.#text[this.#at]
    if (depth > maxDepth) return this.#end()
    if (char === '{') return this.#readObject(depth)
    if (char === '[') return this.#readArray(depth)
    if (char === '"') return this.#readString(true)
    return this.#readLiteral()
  }

  #readObject(depth: number): Record<string, unknown> {
    const members: Record<string, unknown> = {}
    this.#at += 1
    for (;;) {
      this.#skipSpace()
      if (this.#take('}')) return members
      const key = this.#text[this.#at] === '"' ? this.#readString(false) : this.#end()
      this.#skipSpace()
      if (typeof key !== 'string' || !this.#take(':')) return this.#endWith(members)
      const value = this.readValue(depth + 1)
      if (value !== broken)
        Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true })
      this.#skipSpace()
      if (this.#ended || (!this.#take(',') && this.#text[this.#at] !== '}')) return this.#endWith(members)
    }
  }

  #readArray(depth: number): unknown[] {
    const items: unknown[] = []
    this.#at += 1
    for (;;) {
      this.#skipSpace()
      if (this.#take(']')) return items
      const value = this.readValue(depth + 1)
      if (value !== broken) items.push(value)
      this.#skipSpace()
      if (this.#ended || (!this.#take(',') && this.#text[this.#at] !== ']')) return this.#endWith(items)
    }
  }

  #readString(keepPartial: boolean): unknown {
    const begin = this.#at
    for (let at = begin + 1; at < this.#text.length; at += 1) {
      if (this.#text[at] === '\\') at += 1
      else if (this.#text[at] === '"') {
        this.#at = at + 1
        return this.#parse(this.#text.slice(begin, at + 1))
      }
    }
    this.#ended = true
    this.#at = this.#text.length
    // A cut may fall inside an escape; the longest escape is six characters.
    const partial = this.#text.slice(begin).replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')
    return keepPartial ? this.#parse(`${partial}"`) : broken
  }

  #readLiteral(): unknown {
    const literal = /[-+.\w]*/y
    literal.lastIndex = this.#at
    const text = literal.exec(this.#text)?.[0] ?? ''
    this.#at += text.length
    // A number that reaches the end of the text may have been cut.
    if (text === '' || this.#at >= this.#text.length) return this.#end()
    return this.#parse(text)
  }

  #parse(json: string): unknown {
    try {
      return JSON.parse(json)
    } catch {
      // Not JSON any more: what was read so far is what there is.
      return this.#end()
    }
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at += 1
    return true
  }

  #skipSpace(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? '.')) this.#at += 1
  }

  #end(): typeof broken {
    this.#ended = true
    return broken
  }

  #endWith<T>(value: T): T {
    this.#ended = true
    return value
  }
}
