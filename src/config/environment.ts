import { join, resolve } from 'node:path'
import { readEnvFile } from './env-file.ts'

/** Variables as a process has them. */
type ProcessEnv = Readonly<Record<string, string | undefined>>

/** A variable and where it was set. */
interface Variable {
  readonly value: string
  /** Its name for one of the real environment, `file:line` for one of `.env`. */
  readonly source: string
  /** As an error names the place: `environment`, or `file:line`. */
  readonly place: string
  /** What a relative path in it is relative to. */
  readonly directory: string
}

/** The real environment with the `.env` file behind it. */
export interface Environment {
  get(name: string): Variable | undefined
}

/** What {@link readEnvironment} looks at. */
export interface EnvironmentOptions {
  readonly env: ProcessEnv
  readonly cwd: string
  /** The directory whose `.env` is read; the checkout this file belongs to when absent. */
  readonly packageRoot?: string | undefined
}

/**
 * Joins the environment with the `.env` of the checkout; a variable that is exported wins, also when it is empty
 * (seed agent-bridge-readme, "Run the bridge").
 *
 * @throws BridgeError `config_invalid` when the file cannot be read or parsed
 */
export function readEnvironment({ env, cwd, packageRoot = checkout }: EnvironmentOptions): Environment {
  const path = join(packageRoot, '.env')
  const file = readEnvFile(path)
  return {
    get(name) {
      const exported = env[name]
      if (exported !== undefined)
        return { value: exported, source: name, place: 'environment', directory: cwd }
      const written = file.get(name)
      if (written === undefined) return undefined
      const place = `${path}:${written.line}`
      return { value: written.value, source: place, place, directory: packageRoot }
    },
  }
}

/** `src/config` and `dist/config` both lie two steps below it. */
const checkout = resolve(import.meta.dirname, '../..')
