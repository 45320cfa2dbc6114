import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { quoteWord, splitWords } from './shell-words.ts'

/** What the command of a hook is made of. */
export interface ForwarderCommand {
  /** The agent whose hooks it posts, such as `claude`. */
  readonly agent: string
  /** For agents whose hooks do not name themselves. */
  readonly hookType?: string
  /** The directory of `hook.pl` and `hook.js`; absolute. */
  readonly forwarderDir: string
  /** The Perl that runs `hook.pl`. Absent: `nodePath` runs `hook.js`, at ten times the cost. */
  readonly perlPath?: string | undefined
  readonly nodePath: string
  /** The bridge's home, only where it is not `~/.bridge`. The environment of the agent still wins over it. */
  readonly customHome?: string | undefined
  /** What the agent wants to read when the bridge has nothing to say; absent: nothing. */
  readonly emptyAnswer?: string
}

/**
 * Ends the command, as a comment: whose it is, for people and for {@link isForwarderCommand} when the files it
 * names are gone.
 */
const mark = '# agent-bridge'

/** Stands in the first lines of both forwarders. */
const signature = /agent-bridge forwarder/

/**
 * No helper threads: the forwarder has no use for them, and Node 24.22.3 was once seen to wait for one of them for
 * ever while it exited (main thread and V8Worker both in a futex, nothing left to do).
 */
export const nodeFlag = '--v8-pool-size=0'

/**
 * The shell command that hands a hook to the bridge, as it stands in an agent's settings. When the forwarder is no
 * longer there it does nothing: Perl and Node would complain, and Perl's exit code for it, 2, blocks the agent.
 * `LC_ALL=C` saves Perl a warning on machines that lack the user's locale, and a tenth of its start.
 */
export function buildForwarderCommand(options: ForwarderCommand): string {
  const { agent, hookType, forwarderDir, perlPath, nodePath, customHome, emptyAnswer } = options
  const script = quoteWord(join(forwarderDir, perlPath === undefined ? 'hook.js' : 'hook.pl'))
  const home = customHome === undefined ? '' : `BRIDGE_HOME=\${BRIDGE_HOME:-${quoteWord(customHome)}} `
  const program =
    perlPath === undefined
      ? `exec ${quoteWord(nodePath)} ${nodeFlag}`
      : `LC_ALL=C exec ${quoteWord(perlPath)}`
  const words = [script, agent, ...(hookType === undefined ? [] : [hookType])]
  const run = `test ! -r ${script} || ${home}${program} ${words.join(' ')}`
  if (emptyAnswer === undefined) return `${run} ${mark}`
  return `a=$(${run}); test -n "$a" || a=${quoteWord(emptyAnswer)}; printf '%s\\n' "$a" ${mark}`
}

/**
 * Whether a command, in shell form or with `args` in its own, runs a forwarder for `agent`: it runs a `hook.pl` or `hook.js` with the agent as its argument,
 * and the file says that it is ours, or stands in a directory that does, or the command carries our mark. A
 * command that only mentions us is not ours.
 */
export function isForwarderCommand(
  command: string,
  args: readonly string[] | undefined,
  agent: string,
): boolean {
  const words = args === undefined ? splitWords(command) : [command, ...args]
  return words.some((word, index) => {
    if (!/^hook\.(?:pl|js)$/.test(basename(word)) || words[index + 1] !== agent) return false
    return command.trimEnd().endsWith(mark) || isOurPath(word) || isOurFile(word)
  })
}

function isOurPath(path: string): boolean {
  return dirname(path)
    .split('/')
    .some((part) => /^@?agent-bridge\b/.test(part))
}

function isOurFile(path: string): boolean {
  try {
    return statSync(path).isFile() && signature.test(readFileSync(path, 'utf8').slice(0, 500))
  } catch {
    // Gone, or not ours to read: only the name is left to judge by.
    return false
  }
}

/**
 * Where a program is, looked for as a shell does, with directories that come first; undefined when it is nowhere.
 * For Perl the system's own comes first: version managers put slow shims before it.
 */
export function findProgram(
  name: string,
  path: string | undefined,
  first: readonly string[] = [],
): string | undefined {
  for (const directory of [...first, ...(path ?? '').split(delimiter)]) {
    if (!directory.startsWith('/')) continue
    const candidate = join(directory, name)
    try {
      accessSync(candidate, constants.X_OK)
      return candidate
    } catch {
      // Not here.
    }
  }
  return undefined
}
