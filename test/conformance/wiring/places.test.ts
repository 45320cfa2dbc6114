import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unwireClaude, wireClaude } from '../../../src/agents/claude/wire.ts'
import { findProgram } from '../../../src/agents/forwarder/command.ts'
import { verifies } from '../../requirements.ts'
import { startInstaller, UserHome } from './installer.ts'

const content = '{\n  "model": "x"\n}\n'
const isRoot = process.getuid?.() === 0
/** An ordinary user, called nobody on most machines. */
const nobody = 65_534

describe('links', () => {
  test(
    'two of them, relative, stay links, and the file behind them is edited' + verifies('B61'),
    async () => {
      using home = new UserHome()
      const real = join(home.path, 'dot', 'settings.json')
      home.write(content, real)
      mkdirSync(join(home.path, '.claude'))
      symlinkSync('../middle.json', home.settings)
      symlinkSync('dot/settings.json', join(home.path, 'middle.json'))
      chmodSync(real, 0o640)

      await wireClaude(home.options)
      expect(readlinkSync(home.settings)).toBe('../middle.json')
      expect(readlinkSync(join(home.path, 'middle.json'))).toBe('dot/settings.json')
      expect(readFileSync(real, 'utf8')).toContain('hook.pl')
      expect(statSync(real).mode & 0o777).toBe(0o640)
      await unwireClaude(home.options)
      expect(readFileSync(real, 'utf8')).toBe(content)
      expect(lstatSync(home.settings).isSymbolicLink()).toBe(true)
      expect(readdirSync(join(home.path, 'dot'))).toEqual(['settings.json'])
    },
  )

  test('into a directory that is itself a link' + verifies('B61'), async () => {
    using home = new UserHome()
    home.write(content, join(home.path, 'real', 'settings.json'))
    symlinkSync('real', join(home.path, '.claude'))
    await wireClaude(home.options)
    expect(readlinkSync(join(home.path, '.claude'))).toBe('real')
    expect(readFileSync(home.settings, 'utf8')).toContain('hook.pl')
    await unwireClaude(home.options)
    expect(readFileSync(home.settings, 'utf8')).toBe(content)
  })

  test(
    'to where there is nothing yet: the file is made there, and taken away again' + verifies('B61'),
    async () => {
      using home = new UserHome()
      const real = join(home.path, 'dot.json')
      mkdirSync(join(home.path, '.claude'))
      symlinkSync(real, home.settings)
      await wireClaude(home.options)
      expect(readFileSync(real, 'utf8')).toContain('hook.pl')
      expect(readlinkSync(home.settings)).toBe(real)
      await unwireClaude(home.options)
      expect(existsSync(real)).toBe(false)
      expect(readlinkSync(home.settings)).toBe(real)
    },
  )

  test.each([
    ['in a circle', (home: UserHome) => symlinkSync('settings.json', home.settings), /run in a circle/],
    [
      'into nowhere',
      (home: UserHome) => symlinkSync('/nowhere/at/all.json', home.settings),
      /directory does not exist/,
    ],
    ['to a directory', (home: UserHome) => symlinkSync('..', home.settings), /it is a directory/],
    ['to a device', (home: UserHome) => symlinkSync('/dev/zero', home.settings), /it is not a file/],
  ])('%s are refused' + verifies('B61'), async (_, make, message) => {
    using home = new UserHome()
    mkdirSync(join(home.path, '.claude'))
    make(home)
    const target = readlinkSync(home.settings)
    await expect(wireClaude(home.options)).rejects.toMatchObject({
      code: 'settings_unwritable',
      message: expect.stringMatching(message),
    })
    expect(readlinkSync(home.settings)).toBe(target)
    expect(readdirSync(join(home.path, '.claude'))).toEqual(['settings.json'])
  })

  test.skipIf(!existsSync('/dev/shm'))('to another file system' + verifies('B61'), async () => {
    using home = new UserHome()
    const other = mkdtempSync('/dev/shm/wire-')
    try {
      home.write(content, join(other, 'settings.json'))
      mkdirSync(join(home.path, '.claude'))
      symlinkSync(join(other, 'settings.json'), home.settings)
      await wireClaude(home.options)
      expect(readFileSync(join(other, 'settings.json'), 'utf8')).toContain('hook.pl')
      expect(readdirSync(other)).toEqual(['settings.json'])
      expect(lstatSync(home.settings).isSymbolicLink()).toBe(true)
    } finally {
      rmSync(other, { recursive: true })
    }
  })

  test('a second name of the file is spoken of' + verifies('B61'), async () => {
    using home = new UserHome()
    home.write(content)
    linkSync(home.settings, join(home.path, 'same.json'))
    const { notes } = await wireClaude(home.options)
    expect(notes).toEqual(['the file had another name (a hard link), which keeps the old content'])
    expect(readFileSync(join(home.path, 'same.json'), 'utf8')).toBe(content)
  })
})

describe('permissions', () => {
  test.each([0o600, 0o444, 0o664])('mode %o stays' + verifies('B61'), async (mode) => {
    using home = new UserHome()
    home.write(content)
    chmodSync(home.settings, mode)
    await wireClaude(home.options)
    expect(statSync(home.settings).mode & 0o7777).toBe(mode)
    await unwireClaude(home.options)
    expect(statSync(home.settings).mode & 0o7777).toBe(mode)
  })

  test.skipIf(!isRoot)('the owner stays' + verifies('B61'), async () => {
    using home = new UserHome()
    home.write(content)
    chownSync(home.settings, nobody, nobody)
    await wireClaude(home.options)
    const { uid, gid } = statSync(home.settings)
    expect([uid, gid]).toEqual([nobody, nobody])
  })

  /** What an ordinary user may not do, and what is said about it. */
  const obstacles: readonly (readonly [string, (home: UserHome) => void, RegExp])[] = [
    [
      'a directory that may not be written',
      (home) => chmodSync(join(home.path, '.claude'), 0o555),
      /permission denied/,
    ],
    ['a file that may not be read', (home) => chmodSync(home.settings, 0o000), /permission denied/],
    [
      'a file of somebody else in a directory of ours',
      (home) => {
        chownSync(home.settings, 0, 0)
        chmodSync(home.settings, 0o644)
      },
      /belongs to another user/,
    ],
    [
      'a directory of somebody else',
      (home) => chownSync(join(home.path, '.claude'), 0, 0),
      /permission denied/,
    ],
  ]

  test.skipIf(!isRoot).each(obstacles)(
    '%s: refused, and nothing changes' + verifies('B61'),
    async (_, make, message) => {
      using home = new UserHome()
      home.write(content)
      for (const path of [home.path, join(home.path, '.claude'), home.settings])
        chownSync(path, nobody, nobody)
      make(home)
      const before = statSync(home.settings, { bigint: true })
      const { code, errors } = await startInstaller(home.options, { uid: nobody }).done
      expect(code).toBe(1)
      expect(errors).toEqual([expect.stringMatching(/^settings_unwritable: /)])
      expect(errors[0]).toMatch(message)
      const after = statSync(home.settings, { bigint: true })
      expect([after.ino, after.mtimeNs, after.mode, after.uid]).toEqual([
        before.ino,
        before.mtimeNs,
        before.mode,
        before.uid,
      ])
      expect(readFileSync(home.settings, 'utf8')).toBe(content)
      expect(readdirSync(join(home.path, '.claude'))).toEqual(['settings.json'])
    },
  )

  test('HOME that is not set is said' + verifies('B61'), async () => {
    using home = new UserHome()
    await expect(wireClaude({ ...home.options, homeDir: '' })).rejects.toMatchObject({ code: 'usage' })
  })
})

/** Whether this machine lets us mount file systems that only one command sees. */
const unshare = findProgram('unshare', process.env['PATH']) ?? ''
const canMount = unshare !== '' && spawnSync(unshare, ['-m', 'true']).status === 0

describe.skipIf(!canMount)('file systems', () => {
  /** Runs an installer where `prepare` has set up `$D`, a small file system of its own with the settings. */
  function runMounted(home: UserHome, prepare: string): { stdout: string; after: string } {
    const directory = join(home.path, '.claude')
    mkdirSync(directory)
    const runner = join(import.meta.dirname, 'run-wire.ts')
    const script = `set -e
      mount -t tmpfs -o size=64k tmpfs "$D"
      printf '%s' '${content}' > "$D/settings.json"
      ${prepare}
      "$NODE" "$RUNNER" 0 "$OPTIONS" || true
      echo; ls -A "$D"; cat "$D/settings.json"`
    const { stdout, stderr } = spawnSync(unshare, ['-m', 'sh', '-c', script], {
      env: {
        PATH: process.env['PATH'],
        D: directory,
        NODE: process.execPath,
        RUNNER: runner,
        OPTIONS: JSON.stringify(home.options),
      },
      encoding: 'utf8',
    })
    const [first = stderr, ...rest] = stdout.split('\n\n')
    return { stdout: first, after: rest.join('\n\n') }
  }

  test('that are read-only' + verifies('B61'), () => {
    using home = new UserHome()
    const { stdout, after } = runMounted(home, 'mount -o remount,ro "$D"')
    expect(stdout).toMatch(/settings_unwritable: .*the file system is read-only/)
    expect(after).toBe(`settings.json\n${content}`)
  })

  test('that are full' + verifies('B64'), () => {
    using home = new UserHome()
    const { stdout, after } = runMounted(home, 'head -c 100000 /dev/zero > "$D/fill" 2>/dev/null || true')
    expect(stdout).toMatch(/settings_unwritable: .*the disk is full/)
    expect(after).toBe(`fill\nsettings.json\n${content}`)
  })
})
