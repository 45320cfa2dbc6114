import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../../test/requirements.ts'
import type { WireOptions } from '../wiring/agent-wiring.ts'
import { cursorHookTable } from './hook-table.ts'
import { unwireCursor, wireCursor } from './wire.ts'
import { cursorEventsFor, knownCursorEvents } from './wire-events.ts'
import { cursorWiring } from './wiring.ts'

describe('the events of a version of Cursor', () => {
  const oldest = ['beforeSubmitPrompt', 'stop']
  const middle = ['beforeSubmitPrompt', 'stop', 'afterAgentResponse', 'afterAgentThought']
  const newest = cursorHookTable.filter(({ becomes }) => becomes.length > 0).map(({ hook }) => hook)

  test.each([
    [[], oldest],
    [['1.7.44'], oldest],
    [['2.0.77'], oldest],
    [['2.1.0'], middle],
    [['2.6.13', '2026.08.31-4057e58'], middle],
    [['2025.11.03-abc'], oldest],
    [['2026.01.28-fd13201'], middle],
  ])('%j', (versions, events) => {
    expect(cursorEventsFor(versions).toSorted()).toEqual(events.toSorted())
  })

  test.each([[['3.18.25']], [['2026.09.10-4057e58']], [['3.0.0', '2026.05.01-1']]])('%j: all', (versions) => {
    expect(cursorEventsFor(versions).toSorted()).toEqual([...new Set(newest)].toSorted())
  })

  test('the table has a row for every one that is known', () => {
    expect(knownCursorEvents.toSorted()).toEqual(
      [...new Set(cursorHookTable.map(({ hook }) => hook))].toSorted(),
    )
  })
})

describe('wiring Cursor', () => {
  let home: string
  let path: string
  let options: WireOptions

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'wire-cursor-'))
    path = join(home, '.cursor', 'hooks.json')
    mkdirSync(join(home, '.cursor'))
    options = {
      homeDir: home,
      env: { PATH: `${join(home, 'programs')}:/usr/bin:/bin` },
      scope: 'user',
      bridgeHome: join(home, '.bridge'),
      nodePath: '/usr/bin/node',
      perlPath: '/usr/bin/perl',
      forwarderDir: resolve(import.meta.dirname, '../../../bin'),
    }
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  const read = () => JSON.parse(readFileSync(path, 'utf8'))

  function install(name: string, version: string): void {
    mkdirSync(join(home, 'programs'), { recursive: true })
    const program = join(home, 'programs', name)
    writeFileSync(program, `#!/bin/sh\necho ${version}\n`)
    chmodSync(program, 0o755)
  }

  test('takes what the first version had where none is found, without a key or a URL it refuses', async () => {
    const { notes, events } = await wireCursor(options)
    expect(events).toEqual(['beforeSubmitPrompt', 'stop'])
    expect(notes).toEqual([
      expect.stringMatching(/^only the 2 of 12 events are wired that its first version/),
    ])
    expect(read()).toEqual({
      version: 1,
      hooks: Object.fromEntries(events.map((event) => [event, [{ command: expect.any(String) }]])),
    })
    expect(readFileSync(path, 'utf8')).not.toMatch(/https?:|:\/\//)
    expect(cursorWiring.inspect(options)).toMatchObject({
      files: [{ path, events, missing: [], outdated: [], foreign: 0 }],
      disabledBy: [],
    })
    expect(await wireCursor(options)).toMatchObject({ changed: false })
    await unwireCursor(options)
    expect(existsSync(path)).toBe(false)
  })

  test('follows the version that is installed, up and down', async () => {
    install('cursor-agent', '2026.09.10-4057e58')
    expect(await wireCursor(options)).toMatchObject({
      events: expect.arrayContaining(['preToolUse']),
      notes: [],
    })
    install('cursor', '2.6.13')
    const { events, notes } = await wireCursor(options)
    expect(events).not.toContain('preToolUse')
    expect(Object.keys(read().hooks)).toEqual(events)
    expect(notes[0]).toMatch(
      /^only the 4 of 12 events are wired that Cursor 2026\S+ and 2\.6\.13 is known to have/,
    )
  })

  test(
    'a file of others keeps its hooks; a version that is missing comes and goes' + verifies('B62'),
    async () => {
      const theirs =
        '{\n  "hooks": {\n    "stop": [{ "command": "echo agent-bridge" }], // mine\n    "sotp": []\n  }\n}\n'
      writeFileSync(path, theirs)
      const { notes } = await wireCursor(options)
      expect(notes).toContain(
        `"sotp" in ${path} is no event of Cursor's, and may make it pass over the whole file`,
      )
      expect(cursorWiring.inspect(options)).toMatchObject({
        files: [{ foreign: 1 }],
        disabledBy: [{ path, setting: 'hooks.sotp' }],
      })
      expect(readFileSync(path, 'utf8')).toContain('"version": 1')
      writeFileSync(path, readFileSync(path, 'utf8').replace('mine', 'theirs'))
      await unwireCursor(options)
      expect(readFileSync(path, 'utf8')).toBe(theirs.replace('mine', 'theirs'))
    },
  )

  test('a project has a file of its own', async () => {
    const directory = join(home, 'work')
    const result = await wireCursor({ ...options, scope: 'project', directory })
    expect(result.path).toBe(join(directory, '.cursor', 'hooks.json'))
    await wireCursor(options)
    expect(cursorWiring.inspect({ ...options, directory }).twice).toHaveLength(1)
    await expect(wireCursor({ ...options, http: true })).rejects.toMatchObject({ code: 'usage' })
  })
})
