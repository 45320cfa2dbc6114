import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A home for one run of an agent: nothing of the person at this machine is in it. */
export interface PrivateHome extends AsyncDisposable {
  /** Holds everything below; removed at the end. */
  root: string
  home: string
  project: string
  tmp: string
  /** The whole environment of programs that live here, and nothing else. */
  env: Record<string, string>
}

/** Opens a private home with a small project in it. The caller's environment is not passed on. */
export async function openPrivateHome(): Promise<PrivateHome> {
  // Agents report real paths, and on macOS the temporary directory is behind a symlink.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'bridge-agent-')))
  const home = join(root, 'home')
  const project = join(home, 'project')
  const tmp = join(root, 'tmp')
  await mkdir(project, { recursive: true })
  await mkdir(tmp)
  await writeFile(join(project, 'notes.txt'), 'milk\nbread\n')
  await writeFile(join(project, 'plan.txt'), 'buy milk\nbake bread\neat\n')
  return {
    root,
    home,
    project,
    tmp,
    env: {
      // The directory of this Node comes first: hooks that are Node programs run on the one that runs the tests.
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      TMPDIR: tmp,
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}
