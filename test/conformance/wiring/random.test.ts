import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wantedClaudeHooks } from '../../../src/agents/claude/wire.ts'
import { createClaudeHookMatcher } from '../../../src/agents/claude/wire-hooks.ts'
import { buildCodexHooks } from '../../../src/agents/codex/wire-hooks.ts'
import { buildCursorHooks, createCursorForm } from '../../../src/agents/cursor/wire.ts'
import { cursorEventsFor } from '../../../src/agents/cursor/wire-events.ts'
import { buildGeminiHooks } from '../../../src/agents/harness/wire-gemini.ts'
import {
  addHooks,
  findHooks,
  removeHooks,
  type HooksEdit,
  type HookEntry,
  type HooksForm,
} from '../../../src/agents/settings/hooks.ts'
import { createForwarderMatcher } from '../../../src/agents/settings/inspect.ts'
import { agentWirings } from '../../../src/agents/wiring/wirings.ts'
import { BridgeError } from '../../../src/core/errors.ts'
import { verifies } from '../../requirements.ts'
import { UserHome } from './installer.ts'
import { damaged, randomSettings } from './random-settings.ts'

const options = {
  homeDir: '/home/dev',
  env: {},
  scope: 'user',
  bridgeHome: '/home/dev/.bridge',
  nodePath: '/usr/bin/node',
  perlPath: '/usr/bin/perl',
  forwarderDir: resolve(import.meta.dirname, '../../../bin'),
} as const

const formOf = (agent: string): HooksForm => ({ isOurs: createForwarderMatcher(agent) })
const all = cursorEventsFor(['9999.0.0'])
const agents: readonly (readonly [string, string, HooksForm, ReadonlyMap<string, HookEntry>])[] = [
  ['claude', '.claude/settings.json', { isOurs: createClaudeHookMatcher() }, wantedClaudeHooks(options)],
  ['codex', '.codex/hooks.json', formOf('codex'), buildCodexHooks(options)],
  ['cursor', '.cursor/hooks.json', createCursorForm(), buildCursorHooks(options, all)],
  ['gemini', '.gemini/settings.json', formOf('gemini'), buildGeminiHooks(options)],
]

/** What cannot be known again once an empty container was filled: the space before its end. */
const withoutEmptySpace = (text: string) => text.replaceAll(/\s+(?=[}\]])/g, '')

describe.each(agents)('whatever the settings of %s look like', (agent, file, form, events) => {
  const [first = '', second = ''] = [...events.keys()]
  const { flat = false } = form
  const settings = randomSettings({ events: [first, second, 'Foreign'], flat })

  test(
    '1,000 of them come out as they went in' + verifies('B59', 'B62'),
    () => {
      fc.assert(
        fc.property(settings, (text) => {
          const wired = addHooks(file, text, { ...form, events })
          const found = findHooks(file, wired.text, form)
          expect(found.map(({ event }) => event).toSorted()).toEqual([...events.keys()].toSorted())
          expect(addHooks(file, wired.text, { ...form, events }).text).toBe(wired.text)
          const unwired = removeHooks(file, wired.text, form, wired.created).text
          expect(withoutEmptySpace(unwired)).toBe(withoutEmptySpace(text))
        }),
        { numRuns: 1_000 },
      )
    },
    120_000,
  )

  test(
    'and broken ones are refused, or edited as whole ones' + verifies('B59'),
    () => {
      fc.assert(
        fc.property(damaged(settings), (text) => {
          const wired = editOrRefusal(() => addHooks(file, text, { ...form, events }))
          if (wired instanceof BridgeError) return
          const unwired = removeHooks(file, wired.text, form, wired.created).text
          expect(withoutEmptySpace(unwired).trim()).toBe(withoutEmptySpace(text.trim() || '{}').trim())
        }),
        { numRuns: 1_000 },
      )
    },
    120_000,
  )

  test(
    'the installer brings them back to the byte' + verifies('B59', 'B62'),
    async () => {
      using home = new UserHome()
      const path = join(home.path, file)
      for (const text of fc.sample(settings, 15)) {
        home.write(text, path)
        expect(await agentWirings[agent]?.wire(home.options)).toMatchObject({ path, changed: true })
        expect(await agentWirings[agent]?.wire(home.options)).toMatchObject({ changed: false })
        await agentWirings[agent]?.unwire(home.options)
        expect(readFileSync(path, 'utf8')).toBe(text)
      }
    },
    60_000,
  )
})

/** What the edit makes of a file, or why it was refused; any other error is a bug. */
function editOrRefusal(edit: () => HooksEdit): HooksEdit | BridgeError {
  try {
    return edit()
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'settings_unparseable') return error
    throw error
  }
}
