import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildForwarderCommand, findProgram, isForwarderCommand } from './command.ts'
import { quoteWord, splitWords } from './shell-words.ts'

const bin = join(import.meta.dirname, '../../../bin')

describe('shell words', () => {
  test.each([
    'plain/path',
    '',
    'a b',
    "it's",
    '$HOME `x` "q" \\',
    '# not a comment',
    'new\nline',
    '~/x',
    '*',
  ])('quotes %j so that a shell and we read it back', (word) => {
    expect(splitWords(`echo ${quoteWord(word)}`)).toEqual(['echo', word])
    expect(execFileSync('sh', ['-c', `printf %s ${quoteWord(word)}`]).toString()).toBe(word)
  })

  test('are split as a shell splits them', () => {
    expect(splitWords('a "b \\" $c" d\\ e;f||g # h i')).toEqual(['a', 'b " $c', 'd e', ';', 'f', '||', 'g'])
  })
})

describe('the command of a hook', () => {
  const shells = ['sh', 'bash', 'dash', 'zsh'].filter((name) => findProgram(name, process.env['PATH']))

  test.each(shells)('gives an answer of its own in %s where the forwarder has none', (shell) => {
    const directory = mkdtempSync(join(tmpdir(), "it's a dir "))
    try {
      const perlPath = join(directory, 'perl')
      const command = buildForwarderCommand({
        agent: 'cursor',
        forwarderDir: bin,
        perlPath,
        nodePath: '/usr/bin/node',
        emptyAnswer: '{}',
      })
      const answerOf = (script: string) => {
        writeFileSync(perlPath, `#!/bin/sh\n${script}\n`)
        chmodSync(perlPath, 0o755)
        return execFileSync(shell, ['-c', command], { input: 'body' }).toString()
      }
      // Both read what they are given, as the forwarder does; else it depends on who is faster.
      expect(answerOf('cat >/dev/null; exit 0')).toBe('{}\n')
      expect(answerOf('cat >/dev/null; exit 3')).toBe('{}\n')
      expect(answerOf('cat')).toBe('body\n')
      expect(isForwarderCommand(command, undefined, 'cursor')).toBe(true)
      expect(isForwarderCommand(command, undefined, 'claude')).toBe(false)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  test.each(shells)('runs in %s, with the home of the environment before its own', (shell) => {
    const directory = mkdtempSync(join(tmpdir(), "it's a dir "))
    try {
      const perlPath = join(directory, 'perl')
      writeFileSync(perlPath, '#!/bin/sh\nprintf "%s|" "$BRIDGE_HOME" "$LC_ALL" "$@"\n')
      chmodSync(perlPath, 0o755)
      writeFileSync(join(directory, 'hook.pl'), '')
      const command = buildForwarderCommand({
        agent: 'codex',
        hookType: 'Stop',
        forwarderDir: directory,
        perlPath,
        nodePath: '/node',
        customHome: '/my "home"',
      })
      const run = (env: Record<string, string>) =>
        execFileSync(shell, ['-c', command], { env: { ...env, SHLVL: '1' } }).toString()
      expect(run({})).toBe(`/my "home"|C|${directory}/hook.pl|codex|Stop|`)
      expect(run({ BRIDGE_HOME: '/other' })).toMatch(/^\/other\|/)
      rmSync(join(directory, 'hook.pl'))
      expect(run({})).toBe('')
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  test('does nothing, successfully, once its programs are gone', () => {
    const run = (options: { forwarderDir: string; perlPath?: string }) => {
      const command = buildForwarderCommand({ agent: 'claude', nodePath: '/gone/node', ...options })
      return execFileSync('sh', ['-c', command], { stdio: 'pipe' }).toString()
    }
    expect(run({ forwarderDir: '/gone', perlPath: '/usr/bin/perl' })).toBe('')
    // Without its interpreter the shell ends with 126 or 127, which no agent takes for a veto.
    expect(() => run({ forwarderDir: bin, perlPath: '/gone/perl' })).toThrow(
      expect.objectContaining({ status: 127 }),
    )
  })

  test('is recognised in every form', () => {
    const ours = [
      buildForwarderCommand({ agent: 'claude', forwarderDir: '/gone/bin', perlPath: '/p', nodePath: '/n' }),
      buildForwarderCommand({ agent: 'claude', forwarderDir: '/gone/bin', nodePath: '/n', customHome: '/h' }),
      `perl ${bin}/hook.pl claude`,
      'node "/usr/lib/node_modules/agent-bridge/bin/hook.js" claude PreToolUse',
      '/opt/agent-bridge-0.2.0/bin/hook.pl claude',
    ]
    expect(ours.filter((command) => !isForwarderCommand(command, undefined, 'claude'))).toEqual([])
    expect(isForwarderCommand('perl', [`${bin}/hook.pl`, 'claude'], 'claude')).toBe(true)
    expect(isForwarderCommand('/opt/agent-bridge/bin/hook.pl', ['claude'], 'claude')).toBe(true)
  })

  test('is not seen in commands that only look alike', () => {
    const directory = mkdtempSync(join(tmpdir(), 'other-'))
    mkdirSync(join(directory, 'bin'))
    writeFileSync(join(directory, 'bin/hook.js'), '// somebody else')
    const others = [
      'echo agent-bridge',
      'echo done # agent-bridge',
      `node ${directory}/bin/hook.js claude`,
      'node /gone/bin/hook.js claude',
      'cat /opt/agent-bridge/bin/hook.pl',
      'echo "perl /opt/agent-bridge/bin/hook.pl claude"',
      '/opt/agent-bridge/bin/hook.pl codex',
      '/opt/agent-bridge/bin/my-hook.pl claude',
    ]
    expect(others.filter((command) => isForwarderCommand(command, undefined, 'claude'))).toEqual([])
    rmSync(directory, { recursive: true })
  })
})
