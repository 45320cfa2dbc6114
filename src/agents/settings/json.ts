import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { BridgeError } from '../../core/errors.ts'

export type { Node } from 'jsonc-parser'

/** JSON with comments and trailing commas, as people keep settings in, and how it is laid out. */
export interface JsonText {
  readonly path: string
  readonly text: string
  readonly root: Node
  /** The end of its lines. */
  readonly eol: string
  /** One level of its indentation. */
  readonly indent: string
  /** It is a single line. */
  readonly compact: boolean
}

/** Replaces `length` characters at `offset`. */
export interface TextEdit {
  readonly offset: number
  readonly length: number
  readonly content: string
}

/** What is added to an object (with its key) or to an array. */
export interface NewChild {
  readonly key?: string
  readonly value: unknown
}

const problems: Readonly<Record<string, string>> = {
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'something follows the end',
  InvalidSymbol: 'a word or sign that JSON does not know',
  PropertyNameExpected: 'a key in double quotes is missing',
  UnexpectedEndOfString: 'a text is not closed',
  UnexpectedEndOfComment: 'a comment is not closed',
  ValueExpected: 'a value is missing',
}

/**
 * Parses settings; `path` is for messages.
 *
 * @throws BridgeError `settings_unparseable` with line and column
 */
export function parseJsonText(path: string, text: string): JsonText {
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw unparseable({ path, text }, 0, 'it is nested too deeply')
  }
  const [first] = errors
  if (first) {
    const name = printParseErrorCode(first.error)
    throw unparseable({ path, text }, first.offset, problems[name] ?? name)
  }
  if (!root) throw unparseable({ path, text }, 0, 'a value is missing')
  return { path, text, root, ...layoutOf(text, root) }
}

/** The error for a place in a text; `offset` counts characters from its beginning. */
export function unparseable(
  { path, text }: Pick<JsonText, 'path' | 'text'>,
  offset: number,
  problem: string,
): BridgeError {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/)
  return new BridgeError('settings_unparseable', {
    path,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    problem,
  })
}

/** The property node of a key. @throws BridgeError `settings_unparseable` when the object has the key twice */
export function propertyOf(json: JsonText, object: Node, key: string): Node | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === key)
  const [property, second] = found
  if (second) throw unparseable(json, second.offset, `the key "${key}" is there twice`)
  return property
}

export function valueOf(property: Node | undefined): Node | undefined {
  return property?.children?.[1]
}

/** What a node says, in ordinary objects (the parser's have no prototype, which deep comparison minds). */
export function contentOf(node: Node): unknown {
  return structuredClone(getNodeValue(node))
}

/** A text with edits applied; they must not overlap. Edits at one place are applied in the order given. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.offset - b.offset)) {
    if (edit.offset < at) throw new Error('edits of a settings file overlap')
    result += text.slice(at, edit.offset) + edit.content
    at = edit.offset + edit.length
  }
  return result + text.slice(at)
}

/** Adds children at the end of an object or array, laid out as its other children are. */
export function appendChildren(json: JsonText, container: Node, added: readonly NewChild[]): TextEdit[] {
  if (added.length === 0) return []
  const { text, eol, compact } = json
  const close = container.offset + container.length - 1
  const last = container.children?.at(-1)
  const anchor = last ? endOf(last) : container.offset + 1
  const trailingComma = last && readGap(text, anchor, close).comma
  const at = afterComments(text, trailingComma === undefined ? anchor : trailingComma + 1, close)
  const outer = lineIndent(text, container.offset)
  const inner = ownLineIndent(text, container.children?.[0]) ?? outer + json.indent
  const lines = added.map(({ key, value }) => {
    const name = key === undefined ? '' : `${JSON.stringify(key)}:${compact ? '' : ' '}`
    return `${compact ? '' : eol + inner}${name}${renderJson(json, value, inner)}`
  })
  const needsLine = !compact && !last && !/[\r\n]/.test(text.slice(at, close))
  const content = lines.join(',') + (trailingComma === undefined ? '' : ',') + (needsLine ? eol + outer : '')
  const comma = last && trailingComma === undefined ? [{ offset: anchor, length: 0, content: ',' }] : []
  return [...comma, { offset: at, length: 0, content }]
}

/**
 * Removes children of an object or array with their commas; comments stay. What {@link appendChildren} added to
 * a container that was not empty is gone without a trace.
 */
export function removeChildren(json: JsonText, container: Node, removed: ReadonlySet<Node>): TextEdit[] {
  const { text } = json
  const children = container.children ?? []
  const close = container.offset + container.length - 1
  const gaps = children.map((child, index) =>
    readGap(text, endOf(child), children[index + 1]?.offset ?? close),
  )
  /** A child goes with the space before it and with its comma, where that follows at once. */
  const cuts = children.map((child, index) => {
    const previous = children[index - 1]
    const before = readGap(text, previous ? endOf(previous) : container.offset + 1, child.offset)
    return { before, end: endOf(child) + (gaps[index]?.comma === endOf(child) ? 1 : 0) }
  })
  /** What will stand behind the cut of a child, and behind the cuts that follow it at once. */
  const restAfter = (index: number): string => {
    const { end = 0 } = cuts[index] ?? {}
    const next = children[index + 1]
    const goesOn = next && removed.has(next) && cuts[index + 1]?.before.end === end
    return goesOn ? restAfter(index + 1) : (text[end] ?? '')
  }
  const edits: TextEdit[] = []
  for (const [index, { before, end }] of cuts.entries()) {
    const child = children[index]
    if (!child || !removed.has(child)) continue
    // A line comment before it must not swallow what comes after it.
    const start = before.endsInLineComment && !/[\r\n]/.test(restAfter(index)) ? child.offset : before.end
    edits.push({ offset: start, length: end - start, content: '' })
    const comma = gaps[index]?.comma
    if (comma !== undefined && comma >= end) edits.push({ offset: comma, length: 1, content: '' })
  }
  const lastKept = children.findLastIndex((child) => !removed.has(child))
  const dangling = lastKept < children.length - 1 && gaps.at(-1)?.comma === undefined && gaps[lastKept]?.comma
  return typeof dangling === 'number' ? [...edits, { offset: dangling, length: 1, content: '' }] : edits
}

/** A value as JSON in the layout of the text, whose first line stands at `indent`. */
export function renderJson(
  json: Pick<JsonText, 'eol' | 'indent' | 'compact'>,
  value: unknown,
  indent: string,
): string {
  if (json.compact) return JSON.stringify(value)
  return JSON.stringify(value, null, json.indent).replaceAll('\n', json.eol + indent)
}

/** The indentation of the line that `offset` is in. */
export function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

function ownLineIndent(text: string, node: Node | undefined): string | undefined {
  if (!node) return undefined
  const indent = lineIndent(text, node.offset)
  const start = node.offset - indent.length
  return start > 0 && text[start - 1] === '\n' ? indent : undefined
}

function endOf(node: Node): number {
  return node.offset + node.length
}

interface Gap {
  readonly comma: number | undefined
  /** The end of the last comma or comment in it. */
  readonly end: number
  readonly endsInLineComment: boolean
}

/** What stands between two values: space, comments, at most one comma. */
function readGap(text: string, from: number, to: number): Gap {
  let comma: number | undefined
  let end = from
  let endsInLineComment = false
  for (const match of text.slice(from, to).matchAll(/,|\/\/[^\r\n]*|\/\*[^]*?\*\//g)) {
    const [token] = match
    end = from + match.index + token.length
    endsInLineComment = token.startsWith('//')
    if (token === ',') comma = from + match.index
  }
  return { comma, end, endsInLineComment }
}

/** Where the comments end that stand behind `from` on its line. */
function afterComments(text: string, from: number, limit: number): number {
  const rest = /^(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(text.slice(from, limit))?.[0] ?? ''
  return from + rest.length
}

function layoutOf(text: string, root: Node): Pick<JsonText, 'eol' | 'indent' | 'compact'> {
  const outer = lineIndent(text, root.offset)
  const inner = ownLineIndent(text, root.children?.[0])
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0]
  return {
    eol: lineEnd ?? '\n',
    indent: inner?.startsWith(outer) ? inner.slice(outer.length) || '  ' : inner || '  ',
    compact: !/[\r\n]/.test(text.trim()) && (root.children?.length ?? 0) > 0,
  }
}
