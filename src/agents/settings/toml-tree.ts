import type { TomlKind } from './toml-values.ts'

/**
 * What a name stands for: a table by its own header, one that a longer header implies, one that dotted keys made,
 * an array of tables, or a value.
 */
interface Node {
  kind: 'header' | 'implied' | 'dotted' | 'tables' | TomlKind
  children: Map<string, Node>
}

type Fail = (problem: string) => never

/** Every table and key that was defined, to find what is defined twice: then programs refuse the file. */
export class TomlTree {
  readonly #root = newNode('header')
  #table = this.#root

  /** A header `[path]` or `[[path]]`: what follows is defined in it. */
  openTable(path: readonly string[], inArray: boolean, fail: Fail): void {
    const name = path.join('.')
    let node = this.#root
    for (const part of path.slice(0, -1)) {
      const next = childOf(node, part, 'implied')
      if (isValue(next)) fail(`"${part}" is a value, so "${name}" cannot be a table`)
      node = next.kind === 'tables' ? lastOf(next) : next
    }
    const last = path.at(-1) ?? ''
    const known = node.children.get(last)
    if (inArray) {
      if (known && known.kind !== 'tables') fail(`"${name}" is there already, and is no array of tables`)
      const array = childOf(node, last, 'tables')
      this.#table = newNode('header')
      array.children.set('', this.#table)
      return
    }
    if (known && known.kind !== 'implied') fail(`the table "${name}" is there twice`)
    this.#table = childOf(node, last, 'header')
    this.#table.kind = 'header'
  }

  /** A key in the table of the last header. */
  define(path: readonly string[], kind: TomlKind, fail: Fail): void {
    let node = this.#table
    for (const part of path.slice(0, -1)) {
      const next = childOf(node, part, 'dotted')
      if (next.kind !== 'dotted') fail(`"${part}" is defined elsewhere already`)
      node = next
    }
    const last = path.at(-1) ?? ''
    if (node.children.has(last)) fail(`the key "${path.join('.')}" is there twice`)
    node.children.set(last, newNode(kind))
  }
}

function newNode(kind: Node['kind']): Node {
  return { kind, children: new Map() }
}

function childOf(node: Node, name: string, kind: Node['kind']): Node {
  const known = node.children.get(name)
  if (known) return known
  const made = newNode(kind)
  node.children.set(name, made)
  return made
}

function isValue({ kind }: Node): boolean {
  return kind === 'scalar' || kind === 'array' || kind === 'inline'
}

/** The element that a header below an array of tables is about. */
function lastOf(array: Node): Node {
  return array.children.get('') ?? array
}
