import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { difference } from './expected.ts'
import { lastRecordedVersion, readRecording, writeRecording } from './fixtures.ts'
import { createNeutralizer } from './neutral.ts'
import { openPrivateHome } from './private-home.ts'
import { membersOf, runningOf } from './processes.ts'
import { keys, openTerminal } from './pty.ts'
import { changesBetween, shapesOf } from './shapes.ts'

describe('a terminal', () => {
  test('shows what a program draws, takes keys and tells the end', async () => {
    await using home = await openPrivateHome()
    await using terminal = openTerminal({
      file: '/bin/sh',
      args: [
        '-c',
        String.raw`printf '\033]0;at work\007say: '; read -r line; printf "\033[2J\033[Hgot %s" "$line"; exit 7`,
      ],
      cwd: home.project,
      env: home.env,
    })
    await terminal.waitForScreen('say:', 5_000)
    expect(terminal.title()).toBe('at work')
    terminal.paste('two words')
    terminal.send(keys.enter)
    expect(await terminal.waitForExit(5_000)).toEqual({ code: 7, signal: 0 })
    expect(terminal.text()).toBe('got two words')
  })

  test('gives its program the private environment and nothing else', async () => {
    await using home = await openPrivateHome()
    await using terminal = openTerminal({
      file: '/usr/bin/env',
      cwd: home.project,
      env: { ...home.env, PATH: '/usr/bin:/bin' },
    })
    await terminal.waitForExit(5_000)
    const names = terminal.text().match(/^[A-Z_a-z]+(?==)/gm) ?? []
    // The PTY library adds the working directory, as a shell does.
    expect(names.toSorted()).toEqual(['HOME', 'LANG', 'PATH', 'PWD', 'TERM', 'TMPDIR'])
  })

  test('says what it shows when something did not appear', async () => {
    await using home = await openPrivateHome()
    await using terminal = openTerminal({ file: '/bin/cat', cwd: home.project, env: home.env })
    terminal.send('here I am\r')
    await terminal.waitForScreen('here I am', 5_000)
    await expect(terminal.waitForScreen('nowhere', 50)).rejects.toThrow(
      /"?nowhere"? within 50 ms[\s\S]*here I am/,
    )
  })

  test.skipIf(process.platform !== 'linux')(
    'ends what its program started, also in other sessions',
    async () => {
      await using home = await openPrivateHome()
      const terminal = openTerminal({
        file: '/bin/sh',
        args: ['-c', "trap '' HUP TERM; setsid sleep 1000 & sleep 1000 & echo both run; wait"],
        cwd: home.project,
        env: home.env,
      })
      await terminal.waitForScreen('both run', 5_000)
      const started = membersOf(terminal.pid)
      expect(started.length).toBeGreaterThan(2)
      await terminal.close()
      expect(runningOf(started)).toEqual([])
    },
  )
})

describe('a private home', () => {
  test('is gone afterwards, and what was recorded in it names it nowhere', async () => {
    const home = await openPrivateHome()
    const neutral = createNeutralizer(home)
    const id = '5b33317f-f08e-43cb-816b-266fdb782df6'
    expect(
      neutral({
        cwd: home.project,
        path: `${home.home}/.claude/projects/${home.project.replaceAll(/[^A-Za-z0-9]/g, '-')}/${id}.jsonl`,
        output: `${home.tmp}/claude-0/a38e8e2e549c11240.output at 2026-11-30T21:11:12.345Z`,
        duration_ms: 17,
        deep: [{ id, at: 1_796_068_356_914, durationMs: 3, lines: 3 }],
      }),
    ).toEqual({
      cwd: '/home/dev/project',
      path: '/home/dev/.claude/projects/-home-dev-project/00000000-0000-4000-8000-000000000001.jsonl',
      output: '/tmp/dev/claude-1000/a0000000000000001.output at 2026-01-01T00:00:00.000Z',
      duration_ms: 100,
      deep: [
        { id: '00000000-0000-4000-8000-000000000001', at: 1_767_225_600_000, durationMs: 100, lines: 3 },
      ],
    })
    expect(() => neutral(`${home.root}/other`)).toThrow(/is left/)
    await home[Symbol.asyncDispose]()
    await expect(readFile(join(home.project, 'notes.txt'))).rejects.toThrow(/ENOENT/)
  })
})

describe('expectations', () => {
  const expected = { inOrder: 'Start {Read Count} End', anywhere: 'Say Say' }

  test.each(['Start Read Count End Say Say', 'Say Start Count Say Read End'])('hold for %s', (names) => {
    expect(difference(names.split(' '), expected)).toBeUndefined()
  })

  test.each([
    'Start Read End Count Say Say',
    'Start Read Count End Say',
    'Start Read Count End Say Say Say',
    'Start Read Count End End Say Say',
    'Start Read Count Say Say',
    '',
  ])('do not hold for "%s"', (names) => {
    const came = names.split(' ').filter((name) => name !== '')
    expect(difference(came, expected)).toContain('expected: Start {Read Count} End; anywhere: Say Say')
  })
})

test('an expectation may leave open how often', () => {
  const expected = { inOrder: 'Start End', anywhere: 'Say+' }
  expect(difference(['Start', 'Say', 'End', 'Say'], expected)).toBeUndefined()
  expect(difference(['Start', 'End'], expected)).toContain('anywhere: Say+')
})

test('changes of shape are told by hook, field and type', () => {
  const before = shapesOf([
    { hook_event_name: 'Stop', tasks: [{ id: 'a' }], gone: 1 },
    { hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { path: '/a' } },
    { hook_event_name: 'Old' },
  ])
  const after = shapesOf([
    { hook_event_name: 'Stop', tasks: [{ id: 1, more: null }] },
    { hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { path: '/b' } },
    { hook_event_name: 'New' },
  ])
  expect(changesBetween(before, after)).toEqual([
    '+ New is new',
    '- Old is gone',
    '- Stop.gone (number)',
    '~ Stop.tasks[].id: string → number',
    '+ Stop.tasks[].more (null)',
  ])
  expect(changesBetween(after, after)).toEqual([])
})

test('a recording is written whole and read as it was', async () => {
  await using home = await openPrivateHome()
  const hooks = [{ session_id: 's', hook_event_name: 'Stop' }, { hook_event_name: 'SessionEnd' }]
  const recording = { version: '1.10.0', events: ['Stop'], scenarios: new Map([['hello', hooks]]) }
  const folder = join(home.root, 'payloads')
  expect(await lastRecordedVersion(folder)).toBeUndefined()
  await writeRecording(folder, { ...recording, version: '1.9.0' })
  await writeRecording(folder, { ...recording, scenarios: new Map([['gone', hooks]]) })
  await writeRecording(folder, recording)
  expect(await lastRecordedVersion(folder)).toBe('1.10.0')
  expect(await readRecording(folder, '1.10.0')).toEqual(recording)
})
