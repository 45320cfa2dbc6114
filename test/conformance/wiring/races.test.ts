import {
  closeSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { editSettingsFile } from '../../../src/agents/settings/settings-file.ts'
import { unwireClaude, wireClaude } from '../../../src/agents/claude/wire.ts'
import { verifies } from '../../requirements.ts'
import { startInstaller, UserHome } from './installer.ts'

const settingsWith = (counter: number) =>
  `{\n  // theirs\n  "permissions": { "counter": ${counter}, "padding": "${'x'.repeat(2_000)}" }\n}\n`
/** For what starts many processes on a machine that may be busy with others. */
const slowMs = 90_000
const counterIn = (text: string) => Number(/"counter": (\d+)/.exec(text)?.[1])

/** Calls `look` again and again until `done` settles. */
async function during(done: Promise<unknown>, look: () => void, everyMs = 0): Promise<void> {
  const over = new AbortController()
  const watched = done.finally(() => over.abort())
  while (!over.signal.aborted) {
    look()
    await delay(everyMs)
  }
  await watched
}

describe('another program and the installer at one file', { timeout: slowMs }, () => {
  test('(b) what it writes between our look and our rename is never lost' + verifies('B64'), async () => {
    using home = new UserHome()
    home.write(settingsWith(1))
    let calls = 0
    const edit = {
      path: home.settings,
      bridgeHome: home.options.bridgeHome,
      change: (text = '') => {
        calls += 1
        // The other program comes in here three times, the worst moment there is.
        if (calls <= 3) replaceAtomically(home.settings, settingsWith(calls + 1))
        return { text: text.replace('{', '{ "ours": true,'), had: false, has: true, created: [] }
      },
    }
    expect(await editSettingsFile(edit)).toMatchObject({ changed: true })
    expect(calls).toBe(4)
    expect(readFileSync(home.settings, 'utf8')).toBe(settingsWith(4).replace('{', '{ "ours": true,'))
  })

  test('(b) and when it never stops we give up, with nothing changed' + verifies('B64'), async () => {
    using home = new UserHome()
    home.write(settingsWith(0))
    let calls = 0
    const busy = editSettingsFile({
      path: home.settings,
      bridgeHome: home.options.bridgeHome,
      change: (text) => {
        replaceAtomically(home.settings, settingsWith((calls += 1)))
        return { text: `${text} `, had: false, has: true, created: [] }
      },
    })
    await expect(busy).rejects.toMatchObject({ code: 'settings_busy' })
    expect(readFileSync(home.settings, 'utf8')).toBe(settingsWith(calls))
    expect(readdirSync(join(home.path, '.claude'))).toEqual(['settings.json'])
  })

  test('(b) its steps all arrive while we come and go' + verifies('B64'), async () => {
    using home = new UserHome()
    home.write(settingsWith(0))
    let counter = 0
    const installer = startInstaller(home.options, { rounds: 12 })
    await during(
      installer.done,
      () => {
        // Reads, changes its own key, replaces the file in one step; it must find what it wrote last.
        const text = readFileSync(home.settings, 'utf8')
        expect(counterIn(text)).toBe(counter)
        counter += 1
        replaceAtomically(home.settings, text.replace(/"counter": \d+/, `"counter": ${counter}`))
      },
      25,
    )
    expect(counterIn(readFileSync(home.settings, 'utf8'))).toBe(counter)
    expect(counter).toBeGreaterThan(3)
  })

  test(
    '(a) a half-written file is not mended, and not taken for an empty one' + verifies('B64'),
    async () => {
      using home = new UserHome()
      const whole = settingsWith(7)
      home.write(whole)
      const writer = async () => {
        // Empties the file and writes it anew in two halves.
        const file = openSync(home.settings, 'w')
        writeSync(file, whole.slice(0, 30))
        await delay(150)
        writeSync(file, whole.slice(30))
        closeSync(file)
      }
      const writing = writer()
      const { changed } = await wireClaude(home.options)
      await writing
      expect(changed).toBe(true)
      await unwireClaude(home.options)
      expect(readFileSync(home.settings, 'utf8')).toBe(whole)

      const emptied = openSync(home.settings, 'w')
      const wiring = wireClaude(home.options)
      await delay(150)
      writeSync(emptied, whole)
      closeSync(emptied)
      await wiring
      expect(readFileSync(home.settings, 'utf8')).toContain('"counter": 7')
    },
  )

  test('(f) a file that is deleted meanwhile is made anew' + verifies('B64'), async () => {
    using home = new UserHome()
    home.write(settingsWith(1))
    let calls = 0
    const seen: (string | undefined)[] = []
    await editSettingsFile({
      path: home.settings,
      bridgeHome: home.options.bridgeHome,
      change: (text) => {
        seen.push(text)
        if ((calls += 1) === 1) rmSync(home.settings)
        return { text: '{"ours":true}', had: false, has: true, created: [] }
      },
    })
    expect(seen).toEqual([settingsWith(1), undefined])
    expect(readFileSync(home.settings, 'utf8')).toBe('{"ours":true}')
  })

  test('(f) a file that is made meanwhile is not overwritten' + verifies('B64'), async () => {
    using home = new UserHome()
    home.write(settingsWith(1), join(home.path, '.claude', 'other'))
    const seen: (string | undefined)[] = []
    await editSettingsFile({
      path: home.settings,
      bridgeHome: home.options.bridgeHome,
      change: (text) => {
        seen.push(text)
        if (text === undefined) home.write(settingsWith(2))
        return { text: `${text ?? ''} `, had: false, has: true, created: [] }
      },
    })
    expect(seen).toEqual([undefined, settingsWith(2)])
    expect(readFileSync(home.settings, 'utf8')).toBe(`${settingsWith(2)} `)
  })

  test('(g) a reader never finds half a file' + verifies('B64'), async () => {
    using home = new UserHome()
    home.write(settingsWith(3))
    const installer = startInstaller(home.options, { rounds: 20 })
    let reads = 0
    await during(installer.done, () => {
      const text = readFileSync(home.settings, 'utf8')
      expect(text.endsWith('}\n')).toBe(true)
      JSON.parse(text.replace('// theirs', ''))
      reads += 1
    })
    expect(reads).toBeGreaterThan(20)
    expect(await installer.done).toEqual({ code: 0, errors: [] })
    expect(readFileSync(home.settings, 'utf8')).toBe(settingsWith(3))
  })
})

describe('several installers', { timeout: slowMs }, () => {
  test('(c) take turns' + verifies('B64'), async () => {
    using home = new UserHome()
    home.write(settingsWith(5))
    const installers = Array.from({ length: 3 }, () => startInstaller(home.options, { rounds: 15 }))
    const runs = await Promise.all(installers.map(({ done }) => done))
    expect(runs.map(({ code, errors }) => [code, ...errors])).toEqual([[0], [0], [0]])
    expect(readFileSync(home.settings, 'utf8')).toBe(settingsWith(5))
    expect(readdirSync(join(home.path, '.claude'))).toEqual(['settings.json'])
    expect(readdirSync(join(home.path, '.bridge', 'backups')).length).toBeLessThanOrEqual(7)
  })

  test(
    '(d) killed at any moment leave the old file or the new one, and no other' + verifies('B64'),
    async () => {
      using home = new UserHome()
      home.write(settingsWith(6))
      await wireClaude(home.options)
      const wired = readFileSync(home.settings, 'utf8')
      await unwireClaude(home.options)
      for (let round = 0; round < 12; round += 1) {
        const { child, done } = startInstaller(home.options, { rounds: 1_000 })
        // They need a while to start; then each round is a few milliseconds.
        await delay(140 + round * 17)
        child.kill('SIGKILL')
        await done
        expect([settingsWith(6), wired]).toContain(readFileSync(home.settings, 'utf8'))
        expect(readdirSync(join(home.path, '.claude')).length).toBeLessThanOrEqual(2)
      }
      await wireClaude(home.options)
      expect(readFileSync(home.settings, 'utf8')).toBe(wired)
      await unwireClaude(home.options)
      expect(readFileSync(home.settings, 'utf8')).toBe(settingsWith(6))
      expect(readdirSync(join(home.path, '.claude'))).toEqual(['settings.json'])
      expect(readdirSync(join(home.path, '.bridge', 'backups')).length).toBeLessThanOrEqual(7)
    },
  )
})

/** As careful programs write: aside, then renamed. */
function replaceAtomically(path: string, content: string): void {
  writeFileSync(`${path}.theirs`, content)
  renameSync(`${path}.theirs`, path)
}
