import fc from 'fast-check'

const space = fc.constantFrom('', ' ', '\n', '\n  ', '\t', '\r\n    ', ' /* c */ ', ' // } c " ,\n', '/*\n*/')
const scalar = fc.oneof(
  fc.constantFrom(
    '1e400',
    '9007199254740993',
    '-0.10',
    'true',
    'null',
    '"http://a//b"',
    '"/* no */"',
    '"\\u007d"',
  ),
  fc.string().map((text) => JSON.stringify(text)),
)
const key = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('matcher', 'model', 'permissions'))

/** A container as text, with space and comments everywhere and perhaps a trailing comma. */
function container(
  open: string,
  close: string,
  items: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<string> {
  return fc
    .tuple(items, fc.array(space, { minLength: 12, maxLength: 12 }), fc.boolean())
    .map(([parts, spaces, trailing]) => {
      const at = (index: number) => spaces[index % spaces.length] ?? ''
      const inner = parts.map((part, index) => `${at(index)}${part}${at(index + 5)}`).join(',')
      return `${open}${inner}${trailing && parts.length > 0 ? `,${at(3)}` : ''}${at(7)}${close}`
    })
}

const property = (name: string, value: fc.Arbitrary<string>) =>
  fc.tuple(value, space, space).map(([text, a, b]) => `${JSON.stringify(name)}${a}:${b}${text}`)

function object(
  properties: fc.Arbitrary<readonly (readonly [string, fc.Arbitrary<string>])[]>,
): fc.Arbitrary<string> {
  const items = properties.chain((list) => {
    const unique = [...new Map(list)]
    return fc.tuple(...unique.map(([name, value]) => property(name, value))).map((parts) => [...parts])
  })
  return container('{', '}', items)
}

const { anything } = fc.letrec<{ anything: string }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalar,
    container('[', ']', fc.array(tie('anything'), { maxLength: 3 })),
    object(
      fc.array(
        key.map((name) => [name, tie('anything')] as const),
        { maxLength: 3 },
      ),
    ),
  ),
}))

const foreignHook = object(
  fc.constantFrom(
    [
      ['type', fc.constant('"command"')],
      ['command', fc.constantFrom('"echo ours v1"', '"x // y"')],
    ] as const,
    [
      ['type', fc.constant('"http"')],
      ['url', fc.constant('"http://x/y"')],
    ] as const,
  ),
)
const group = object(
  fc.tuple(fc.boolean(), fc.boolean()).map(([matcher, order]) => {
    const hooks = ['hooks', container('[', ']', fc.array(foreignHook, { maxLength: 2 }))] as const
    const list = matcher ? [['matcher', fc.constant('"Bash"')] as const, hooks] : [hooks]
    return order ? list : list.toReversed()
  }),
)
export interface RandomSettings {
  /** The events that may have hooks of others. */
  readonly events: readonly string[]
  /** Hooks stand right below their event, in no groups. */
  readonly flat?: boolean
}

/** Settings files as people have them: comments, orders, layouts and hooks of others. */
export function randomSettings({ events, flat = false }: RandomSettings): fc.Arbitrary<string> {
  const hook = flat ? foreignHook : group
  const hooks = object(
    fc
      .subarray([...events])
      .map((names) =>
        names.map((event) => [event, container('[', ']', fc.array(hook, { maxLength: 2 }))] as const),
      ),
  )
  return object(
    fc
      .tuple(fc.array(key, { maxLength: 3 }), fc.boolean(), fc.array(key, { maxLength: 2 }))
      .map(([before, withHooks, after]) => [
        ...before.filter((name) => name !== 'hooks').map((name) => [name, anything] as const),
        ...(withHooks ? [['hooks', hooks] as const] : []),
        ...after.filter((name) => name !== 'hooks').map((name) => [name, anything] as const),
      ]),
  ).chain((text) => fc.tuple(space, space).map(([before, after]) => before + text + after))
}

/** The same with a slip in it: most are broken. */
export function damaged(settings: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(settings, fc.nat(), fc.constantFrom('', '"', '}', '{', ',', '\u0000', '/*'))
    .map(([text, at, what]) => {
      const index = at % (text.length + 1)
      return text.slice(0, index) + what + text.slice(index + 1)
    })
}
