import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BridgeError } from '../../core/errors.ts'
import { randomSettings } from '../../../test/conformance/wiring/random-settings.ts'
import { verifies } from '../../../test/requirements.ts'
import { addHooks, findHooks, removeHooks, type HookEntry, type WantedHooks } from './hooks.ts'

const ours = (command: string): HookEntry => ({ type: 'command', command: `ours ${command}`, timeout: 60 })
const isOurs: WantedHooks['isOurs'] = ({ command }) =>
  typeof command === 'string' && command.startsWith('ours ')
const wantedWith = (command: string, events = ['Start', 'Stop', 'PreToolUse']): WantedHooks => ({
  events: new Map(events.map((event) => [event, ours(command)])),
  isOurs,
})
const wanted = wantedWith('v1')
const add = (text: string, hooks = wanted) => addHooks('/settings.json', text, hooks)
const remove = (text: string, created?: readonly string[]) =>
  removeHooks('/settings.json', text, isOurs, created).text

describe('hooks are added to', () => {
  test('nothing as a file in the usual layout', () => {
    const { text, created } = add('', wantedWith('v1', ['Stop']))
    expect(text).toBe(`${JSON.stringify({ hooks: { Stop: [{ hooks: [ours('v1')] }] } }, null, 2)}\n`)
    expect(created).toEqual(['', 'hooks', 'hooks.Stop'])
  })

  test('settings in their own indentation and line ends', () => {
    const text = '{\r\n\t"model": "x", // mine\r\n\t"hooks": {\r\n\t\t"Stop": []\r\n\t}\r\n}\r\n'
    const added = add(text, wantedWith('v1', ['Stop', 'Start']))
    expect(added.text).toBe(
      [
        '{',
        '\t"model": "x", // mine',
        '\t"hooks": {',
        '\t\t"Stop": [',
        '\t\t\t{',
        '\t\t\t\t"hooks": [',
        '\t\t\t\t\t{',
        '\t\t\t\t\t\t"type": "command",',
        '\t\t\t\t\t\t"command": "ours v1",',
        '\t\t\t\t\t\t"timeout": 60',
        '\t\t\t\t\t}',
        '\t\t\t\t]',
        '\t\t\t}',
        '\t\t],',
        '\t\t"Start": [',
        '\t\t\t{',
        '\t\t\t\t"hooks": [',
        '\t\t\t\t\t{',
        '\t\t\t\t\t\t"type": "command",',
        '\t\t\t\t\t\t"command": "ours v1",',
        '\t\t\t\t\t\t"timeout": 60',
        '\t\t\t\t\t}',
        '\t\t\t\t]',
        '\t\t\t}',
        '\t\t]',
        '\t}',
        '}',
        '',
      ].join('\r\n'),
    )
    expect(remove(added.text, added.created)).toBe(text.replace('[]', '[\r\n\t\t]'))
  })

  test('a single line as more of it', () => {
    const text = '{"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo"}]}]}}'
    const added = add(text, wantedWith('v1', ['Stop']))
    expect(added.text).toBe(text.replace('}]}]', `}]},${JSON.stringify({ hooks: [ours('v1')] })}]`))
    expect(remove(added.text, added.created)).toBe(text)
  })

  test('settings with a comment behind the last value, which stays with it', () => {
    const text = '{\n  "model": "x" // the good one\n  // the end\n}\n'
    const added = add(text, wantedWith('v1', ['Stop']))
    expect(added.text).toMatch(/^\{\n {2}"model": "x", \/\/ the good one\n {2}"hooks": \{/)
    expect(added.text).toMatch(/\n {2}\}\n {2}\/\/ the end\n\}\n$/)
    expect(remove(added.text, added.created)).toBe(text)
  })

  test('settings where ours were moved, converted, doubled or dropped' + verifies('B62'), () => {
    const text = JSON.stringify(
      {
        hooks: {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: [
                { type: 'command', command: 'theirs' },
                { ...ours('v0'), statusMessage: 'hi' },
              ],
            },
            { hooks: [ours('v1')] },
          ],
          Stop: [{ hooks: [{ type: 'command', command: 'ours x', args: ['y'], timeout: 5 }] }],
          Old: [{ hooks: [ours('v0')] }],
        },
      },
      null,
      4,
    )
    const { text: after, notes } = add(text)
    expect(JSON.parse(after)).toEqual({
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              { type: 'command', command: 'theirs' },
              { ...ours('v1'), statusMessage: 'hi' },
            ],
          },
        ],
        Stop: [{ hooks: [ours('v1')] }],
        Start: [{ hooks: [ours('v1')] }],
      },
    })
    expect(notes).toEqual(['the hook of PreToolUse stands under the matcher "Bash" and runs only for it'])
    expect(add(after).text).toBe(after)
  })
})

describe('hooks are removed', () => {
  test('with the containers that were made for them, and no others' + verifies('B62'), () => {
    const text = '{\n  "hooks": {\n    "Stop": [],\n    "Other": []\n  }\n}\n'
    const added = add(text)
    expect(JSON.parse(remove(added.text, added.created))).toEqual({ hooks: { Stop: [], Other: [] } })
    expect(JSON.parse(remove(added.text))).toEqual({ hooks: { Other: [] } })
  })

  test('from a group of somebody else, which stays' + verifies('B62'), () => {
    const text = `{"hooks":{"Stop":[{"matcher":"x","hooks":[${JSON.stringify(ours('v1'))}]}]}}`
    expect(remove(text, [])).toBe('{"hooks":{"Stop":[{"matcher":"x","hooks":[]}]}}')
  })

  test('without a comment swallowing what follows', () => {
    const text = `{"hooks": {"Stop": [{"hooks": [ // first\n ${JSON.stringify(ours('v1'))}, {"command": "theirs"}]}]}}`
    expect(remove(text)).toBe('{"hooks": {"Stop": [{"hooks": [ // first\n  {"command": "theirs"}]}]}}')
    const group = `[{"hooks":[${JSON.stringify(ours('v1'))}]}]`
    expect(remove(`{"hooks":{"Other":[], // keep\n"Stop":${group},\n"Start":${group}}}`)).toBe(
      '{"hooks":{"Other":[] // keep\n}}',
    )
  })
})

describe('a file that cannot be edited safely is refused with its place' + verifies('B59'), () => {
  test.each([
    ['{"a":1', 1, 7, 'a closing brace is missing'],
    ['{\n  "a": tru\n}', 2, 8, 'a word or sign that JSON does not know'],
    ['[]', 1, 1, 'the settings must be an object'],
    ['"text"', 1, 1, 'the settings must be an object'],
    ['{\n\n "hooks": []}', 3, 11, '"hooks" must be an object'],
    ['{"hooks": null}', 1, 11, '"hooks" must be an object'],
    ['{"hooks": {\r\n"Stop": {}}}', 2, 9, '"hooks.Stop" must be an array'],
    ['{"hooks": {},\n "hooks": {}}', 2, 2, 'the key "hooks" is there twice'],
    ['{"model": 1,\n "model": 2}', 2, 2, 'the key "model" is there twice'],
    ['{"hooks": {"Stop": [], "Stop": []}}', 1, 24, 'the key "Stop" is there twice'],
    ['{} {}', 1, 4, 'something follows the end'],
    ['['.repeat(200_000), 1, 1, 'it is nested too deeply'],
  ])('%#', (text, line, column, problem) => {
    expect(() => add(text)).toThrow(
      expect.objectContaining({
        code: 'settings_unparseable',
        data: { path: '/settings.json', line, column, problem },
      }),
    )
  })
})

const settings = randomSettings({ events: ['Stop', 'PreToolUse', 'Foreign', 'Start'] })

/** What cannot be known again once an empty container was filled: the space before its end. */
const withoutEmptySpace = (text: string) => text.replaceAll(/\s+(?=[}\]])/g, '')

test('whatever the settings look like, only our hooks come and go' + verifies('B59', 'B62'), () => {
  fc.assert(
    fc.property(settings, (text) => {
      const first = add(text)
      expect(isSubsequence(text, first.text)).toBe(true)
      const events = findHooks('', first.text, isOurs).map(({ event }) => event)
      expect(events.toSorted()).toEqual(['PreToolUse', 'Start', 'Stop'])
      expect(add(first.text).text).toBe(first.text)

      const moved = add(first.text, wantedWith('v2', ['Stop', 'Start', 'New']))
      const found = findHooks('', moved.text, isOurs)
      expect(found.map(({ event }) => event).toSorted()).toEqual(['New', 'Start', 'Stop'])
      expect(found.map(({ entry }) => entry)).toEqual(Array(3).fill(ours('v2')))

      const removed = remove(first.text, first.created)
      expect(withoutEmptySpace(removed)).toBe(withoutEmptySpace(text))
      expect(findHooks('', remove(moved.text), isOurs)).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('whatever stands in the file, it is edited or refused' + verifies('B59'), () => {
  const damaged = fc
    .tuple(settings, fc.nat(), fc.constantFrom('', '"', '}', '{', ',', '\u0000', '/*'))
    .map(([text, at, what]) => {
      const index = at % (text.length + 1)
      return text.slice(0, index) + what + text.slice(index + 1)
    })
  fc.assert(
    fc.property(damaged, (text) => {
      const edit = refusalOr(() => add(text))
      const removed = edit instanceof BridgeError ? text : remove(edit.text, edit.created)
      expect(withoutEmptySpace(removed).trim()).toBe(
        withoutEmptySpace(edit instanceof BridgeError ? text : text.trim() || '{}').trim(),
      )
    }),
    { numRuns: 300 },
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

function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const char of whole) if (char === part[at]) at += 1
  return at >= part.length
}
