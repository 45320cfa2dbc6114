import { accessSync, constants, mkdirSync, statSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BridgeError } from '../core/errors.ts'
import { readEnvironment, type Environment, type EnvironmentOptions } from './environment.ts'
import { errorCode, fileProblem } from './file-problem.ts'

/** What decides where the home is. */
export interface HomeOptions extends EnvironmentOptions {
  /** The value of `--state`: a file, whose directory is the home. */
  readonly state?: string | undefined
  /** The user's home directory. */
  readonly homeDir: string
}

/**
 * The home of the bridge (design, "Home"): the directory of `--state PATH`, else `BRIDGE_HOME` (also of the `.env`
 * file), else `~/.bridge`. Loads nothing heavy, so that quick commands can use it.
 *
 * @throws BridgeError `config_invalid` when `--state` is empty or `.env` unusable
 */
export function resolveHome(options: HomeOptions): string {
  return findHome(options, readEnvironment(options)).home
}

/** As {@link resolveHome}, with where it was said: a flag, a variable, `file:line`, or undefined for the default. */
export function findHome(
  { state, cwd, homeDir }: Pick<HomeOptions, 'state' | 'cwd' | 'homeDir'>,
  environment: Environment,
): { home: string; source: string | undefined } {
  if (state === '') {
    const problem = 'is empty; name a file whose directory is the home'
    throw new BridgeError('config_invalid', { source: 'command line', field: '--state', problem })
  }
  if (state !== undefined)
    return { home: dirname(resolve(cwd, expandTilde(state, homeDir))), source: '--state' }
  const variable = environment.get('BRIDGE_HOME')
  if (variable?.value) {
    const { value, source, directory } = variable
    return { home: resolve(directory, expandTilde(value, homeDir)), source }
  }
  return { home: join(homeDir, '.bridge'), source: undefined }
}

/** `~` and `~/…` as a shell reads them; a `.env` file and YAML do not. */
export function expandTilde(path: string, homeDir: string): string {
  return path === '~' || path.startsWith('~/') ? join(homeDir, path.slice(1)) : path
}

/**
 * Creates the home with mode 0700 if it is missing, and refuses one that is not private to this user.
 *
 * @throws BridgeError `home_not_private` when others can read or enter it, `home_unusable` when it cannot be
 * created or written, or belongs to somebody else
 */
export function prepareHome(path: string): void {
  const stats = createAndStat(path)
  const uid = process.getuid?.()
  if (uid !== undefined && stats.uid !== uid) {
    // Also for root: files it leaves in a user's home would lock that user out.
    throw new BridgeError('home_unusable', {
      path,
      problem: `it belongs to the user with the id ${stats.uid}, and this program runs as ${uid}`,
    })
  }
  if ((stats.mode & 0o077) !== 0) throw new BridgeError('home_not_private', { path })
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusable(path, error)
  }
}

function createAndStat(path: string): Stats {
  let stats: Stats
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    stats = statSync(path)
  } catch (error) {
    throw unusable(path, error)
  }
  return stats
}

function unusable(path: string, cause: unknown): BridgeError {
  const problem = errorCode(cause) === 'EEXIST' ? 'it is a file, not a directory' : fileProblem(cause)
  return new BridgeError('home_unusable', { path, problem }, { cause })
}
