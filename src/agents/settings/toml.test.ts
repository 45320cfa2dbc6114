import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../test/requirements.ts'
import { BridgeError } from '../../core/errors.ts'
import { parseToml } from './toml.ts'
import { putTomlSettings, removeTomlTables, type TomlSetting } from './toml-edit.ts'

const path = '/config.toml'
const setting = (name: string, value = 'sha256:1'): TomlSetting => ({
  path: ['hooks', 'state', name],
  key: 'trusted_hash',
  value,
})
const wanted = [setting('/home/dev/hooks.json:stop:0:0'), setting('/it\'s "here"\\:stop:0:0', 'sha256:2')]
const isOurs = (name: readonly string[]) =>
  name.length === 3 && wanted.some((one) => JSON.stringify(one.path) === JSON.stringify(name))
const put = (text: string, settings = wanted) => putTomlSettings(path, text, settings)
const remove = (text: string) => removeTomlTables(path, text, isOurs)
const valuesIn = (text: string) =>
  Object.fromEntries(parseToml(path, text).entries.map((entry) => [entry.path.join(' '), entry.value]))

const config = `# mine
model="x"
notify = [
  "terminal-notifier", # keep
  "-title", "a ] b",
]
"quoted key" = 1
tui.theme="d"
text = '''
[tui]
notify = "no"
'''

[features]
multi_agent = true

[integrations.slack]
notify = ["/usr/bin/s"] # theirs
[tui.more]
notifications = true
`

describe('tables are added at the end' + verifies('B63'), () => {
  test.each([
    ['a configuration with everything in it', config],
    ['one with Windows line ends', config.replaceAll('\n', '\r\n')],
    ['one without a line break at its end', config.trimEnd()],
    ['nothing at all', ''],
    ['a comment', '# nothing yet\n'],
    ['an array that is not closed by its first line', 'notify = [\n[1], # ]\n]\n'],
    ['a table that is there already', '[hooks.state."other:stop:0:0"]\ntrusted_hash = "sha256:9"\n'],
    ['tables that are there already', '[hooks]\n[hooks.state]\n[[list.of]]\na = 1\n[[list.of]]\n'],
  ])('to %s', (_, text) => {
    const after = put(text)
    expect(after.startsWith(text)).toBe(true)
    expect(valuesIn(after)).toEqual({
      ...valuesIn(text),
      ...Object.fromEntries(wanted.map((one) => [[...one.path, one.key].join(' '), one.value])),
    })
    expect(put(after)).toBe(after)
    expect(after.includes('\r\n')).toBe(text.includes('\r\n'))
    expect(after.replaceAll('\r\n', '')).not.toContain('\r')
    expect(remove(after).trimEnd()).toBe(text.trimEnd())
    // Whatever else is added behind them stays when they go.
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    const more = `${eol}[more]${eol}a = 1 # b${eol}`
    expect(remove(after + more).trimStart()).toBe(
      `${text}${text === '' || text.endsWith('\n') ? '' : eol}${more}`.trimStart(),
    )
  })

  test('and are mended where they stand', () => {
    const [first = setting('')] = wanted
    const text = `[hooks.state."${first.path[2]}"]\nenabled = false\ntrusted_hash = "sha256:old" # why\n\n[z]\n`
    expect(put(text, [first])).toBe(text.replace('sha256:old', first.value))
    const bare = `[hooks.state."${first.path[2]}"] # here\nenabled = false\n`
    expect(put(bare, [first])).toBe(bare.replace('here\n', `here\ntrusted_hash = "${first.value}"\n`))
    const inline = `[hooks.state]\n"${first.path[2]}" = { enabled = true, trusted_hash = 'old' }\n"b" = { }\n`
    expect(put(inline, [first])).toBe(inline.replace("'old'", `"${first.value}"`))
    expect(remove(inline)).toBe('[hooks.state]\n"b" = { }\n')
  })

  test('unless one of their names stands for something else', () => {
    for (const [text, place] of [
      ['hooks = 1', '1:1'],
      ['a = 1\nhooks.state = {}', '2:1'],
      ['[hooks]\n state = { a = { trusted_hash = "1" } }', '2:2'],
      ['[[hooks.state]]\na = 1', '1:1'],
      [`[hooks.state]\n"${wanted[0]?.path[2]}" = { enabled = false }`, '2:1'],
    ] as const)
      expect(() => put(text)).toThrow(`${path}:${place} cannot be parsed`)
  })
})

describe('what is no TOML is refused with its place' + verifies('B63', 'B59'), () => {
  test.each([
    ['a = 1\na = 2', '2:1', 'the key "a" is there twice'],
    ['[a]\n[b]\n[a]', '3:1', 'the table "a" is there twice'],
    ['a.b = 1\n[a]', '2:1', 'the table "a" is there twice'],
    ['a = 1\n[a.b]', '2:1', 'so "a.b" cannot be a table'],
    ['a = [1]\n[[a]]', '2:1', 'is there already'],
    ['a = { b = 1, b = 2 }', '1:14', 'the key "b" is there twice'],
    ['a = ', '1:5', 'a value is missing'],
    ['a = tru', '1:5', 'a value that TOML does not know'],
    ['a = 01', '1:5', 'a value that TOML does not know'],
    ['a = 1 b = 2', '1:7', 'something follows the end of the line'],
    ['a = "x\ny"', '1:5', 'a text is not closed'],
    ['a = """x', '1:5', 'a text is not closed'],
    ['a = "\\q"', '1:6', 'an escape that TOML does not know'],
    ['a = "\\ud800"', '1:12', 'a character that does not exist'],
    ['a = "\u0001"', '1:6', 'a control character in a text'],
    ['a = [1, 2', '1:5', 'an array is not closed'],
    ['a = [1 2]', '1:8', 'a comma is missing'],
    ['a = { b = 1', '1:5', 'an inline table is not closed'],
    ['a\n', '1:2', 'a "=" is missing'],
    ['= 1', '1:1', 'a key is missing'],
    ['[a', '1:3', 'the header of the table is not closed'],
    ['[a]]', '1:4', 'something follows the end of the line'],
    ['a = 1 # \u0000', '1:9', 'a control character in a comment'],
    ['a = 1\rb = 2', '1:6', 'something follows the end of the line'],
    [`a = ${'['.repeat(100_000)}`, '', 'it is nested too deeply'],
  ])('%#', (text, place, problem) => {
    expect(() => put(text)).toThrow(
      expect.objectContaining({
        code: 'settings_unparseable',
        message: expect.stringContaining(`${path}:${place}`),
        data: expect.objectContaining({ problem: expect.stringContaining(problem) }),
      }),
    )
  })

  test.each([
    'a = 0xff_ff\nb = +1_000\nc = -0.5e-3\nd = inf\ne = 0b01\nf = nan',
    'a = 1979-05-27T07:32:00.5-07:00\nb = 1979-05-27 07:32:00\nc = 07:32:00 # d\nd = [1979-05-27]',
    'a = """\\\n   b "" c\\u00e9 \\"" """\nb = \'\'\'it\'s\'\'\'\'\nc = """"x"""',
    '"" = 1\na."b c".\'d\' = 2\na . e = 3\n[ x . "y" ]\n[x.y.z]\n[x]',
    '[fruit]\napple.color = 1\n[fruit.apple.taste]\nsweet = true',
    '[[a]]\n[a.b]\nc = 1\n[[a]]\n[a.b]\nc = 1',
    'a = { b = [ { c = 1 }, { c = 1 } ], d.e = {}, }',
  ])('and what is goes through: %#', (text) => {
    expect(put(text).startsWith(text)).toBe(true)
  })
})

// -- random files ---------------------------------------------------------------------------------------------

const eol = fc.constantFrom('\n', '\r\n')
const space = fc.constantFrom('', ' ', '\t', '  ')
const bare = fc.stringMatching(/^[\w-]{1,6}$/)
const text = fc.string({ maxLength: 8 }).map((value) => JSON.stringify(value).replaceAll('\u007F', ''))
const literal = fc.constantFrom("'a ] b'", "''", "'# no'", String.raw`'C:\x'`)
const long = fc.constantFrom('"""\n[tui]\n"""', "'''\n[hooks.state.x]\na = 1\n'''", '"""a""b\\\n  c"""')
const scalar = fc.oneof(
  text,
  literal,
  long,
  fc.constantFrom('1', '-2.5', 'true', 'false', 'inf', '1979-05-27 07:32:00Z', '0xBEEF', '1_000'),
)
const array = fc
  .tuple(fc.array(scalar, { maxLength: 3 }), fc.constantFrom('', '\n', ' # ], [\n'), fc.boolean())
  .map(
    ([items, gap, trailing]) =>
      `[${gap}${items.join(`,${gap}`)}${trailing && items.length > 0 ? ',' : ''}${gap}]`,
  )
const inline = fc
  .uniqueArray(fc.tuple(bare, scalar), { maxLength: 3, selector: ([name]) => name })
  .map((pairs) => `{ ${pairs.map(([name, value]) => `${name} = ${value}`).join(', ')} }`)
const value = fc.oneof(scalar, array, inline)
const key = fc.oneof(
  bare,
  text.filter((quoted) => quoted.length > 2),
)
const entries = fc
  .uniqueArray(fc.tuple(key, value, space, fc.constantFrom('', ' # c [x]', '\n# c', '\n')), {
    maxLength: 4,
    selector: ([name]) => (name.startsWith('"') ? JSON.parse(name) : name),
  })
  .map((list) => list.map(([name, what, gap, end]) => `${gap}${name}${gap}=${gap}${what}${end}`))
const file = fc
  .tuple(
    entries,
    fc.uniqueArray(fc.tuple(bare, entries, fc.boolean(), space), {
      maxLength: 4,
      selector: ([name]) => name,
    }),
    eol,
    fc.boolean(),
  )
  .map(([top, tables, end, closed]) => {
    // The names of tables differ from all keys before them.
    const lines = tables.flatMap(([name, list, isArray, gap]) => {
      const header = isArray ? `[[T-${name}.x]]` : `[${gap}T-${name}.x${gap}]`
      return [gap === '\t' ? '' : '# c', `${header} # d`, ...list]
    })
    const all = [...top, ...lines].join('\n') + (closed ? '\n' : '')
    return all.replaceAll('\n', end)
  })

test('whatever the file looks like, only our tables come and go' + verifies('B63'), () => {
  fc.assert(
    fc.property(file, (before) => {
      const after = put(before)
      expect(after.startsWith(before)).toBe(true)
      expect(put(after)).toBe(after)
      expect(valuesIn(after)).toMatchObject(valuesIn(before))
      const again = remove(after)
      const end = before === '' || before.endsWith('\n') ? '' : before.includes('\r\n') ? '\r\n' : '\n'
      expect(again).toBe(before + end)
    }),
    { numRuns: 1_000 },
  )
})

test('whatever stands in the file, it is edited or refused' + verifies('B63'), () => {
  const slip = fc.constantFrom('', '"', ']', '[', ',', '=', '\n', '\u0000', "'''", '{')
  const broken = fc.tuple(file, fc.nat(), slip).map(([content, at, what]) => {
    const index = at % (content.length + 1)
    return content.slice(0, index) + what + content.slice(index + 1)
  })
  fc.assert(
    fc.property(broken, (before) => {
      const after = refusalOr(() => put(before))
      if (after instanceof BridgeError) return
      expect(after.startsWith(before)).toBe(true)
      expect(remove(after).trimEnd()).toBe(before.trimEnd())
    }),
    { numRuns: 1_000 },
  )
})

/** The result, or the error that says what is wrong; any other error is a bug. */
function refusalOr<T>(run: () => T): T | BridgeError {
  try {
    return run()
  } catch (error) {
    if (error instanceof BridgeError) return error
    throw error
  }
}
