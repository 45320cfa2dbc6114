import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** An agent as npm has it, at the version the tests were written against. */
export interface AgentPackage {
  /** Short name, used in paths. */
  agent: string
  packageName: string
  version: string
  /** Files that may be the program, relative to `node_modules`; the first that exists is. */
  programs: readonly string[]
  /** Packages that are installed beside it, each with its version. */
  beside?: readonly string[]
}

/**
 * Claude Code. Pinned: an install without a version under Node older than 22 silently picks an old release. npm 12
 * runs no install scripts, and the package needs none: the program is a native file in a platform package.
 */
export const claudePackage: AgentPackage = {
  agent: 'claude',
  packageName: '@anthropic-ai/claude-code',
  version: '2.1.332',
  programs: ['', '-musl'].map(
    (libc) => `@anthropic-ai/claude-code-${process.platform}-${process.arch}${libc}/claude`,
  ),
}

/** Codex. The program is a native file in a platform package, which npm has under the name of Codex itself. */
export const codexPackage: AgentPackage = {
  agent: 'codex',
  packageName: '@openai/codex',
  version: '0.171.0',
  programs: [codexTarget()].map(
    (target) => `@openai/codex-${process.platform}-${process.arch}/vendor/${target}/bin/codex`,
  ),
}

function codexTarget(): string {
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  return process.platform === 'darwin' ? `${machine}-apple-darwin` : `${machine}-unknown-linux-musl`
}

/**
 * OpenCode. The program is a native file in a platform package, in variants for old processors and for musl; npm
 * brings those that fit. Its plugins need `@opencode-ai/plugin`, which it would install at its first start.
 */
export const openCodePackage: AgentPackage = {
  agent: 'opencode',
  packageName: 'opencode-ai',
  version: '1.18.33',
  programs: ['', '-musl', '-baseline', '-baseline-musl'].map(
    (variant) => `opencode-${process.platform}-${process.arch}${variant}/bin/opencode`,
  ),
  beside: ['@opencode-ai/plugin@1.18.33'],
}

/** Gemini CLI: a bundle that runs on the Node it is given. */
export const geminiPackage: AgentPackage = {
  agent: 'gemini',
  packageName: '@google/gemini-cli',
  version: '0.61.0',
  programs: ['@google/gemini-cli/bundle/gemini.js'],
}

/** The same agent at another version. */
export function atVersion(agent: AgentPackage, version: string): AgentPackage {
  const beside = agent.beside?.map((wanted) => wanted.replace(agent.version, version))
  return { ...agent, version, ...(beside && { beside }) }
}

export interface InstalledAgent {
  /** The program, to be executed as it is. */
  program: string
  /** Where npm put it: holds `package.json`, `package-lock.json` and `node_modules`. */
  place: string
  version: string
  /** True when this call brought it; false when the cache had it. */
  fresh: boolean
  tookMs: number
}

/** Downloads of a few hundred megabytes: minutes on a slow line. */
const INSTALL_BOUND_MS = 600_000

/**
 * Brings an agent into the cache outside the clone, once. Installs beside the final place and renames, so that a
 * killed install leaves nothing that looks finished. Throws when npm fails or the program tells another version.
 */
export async function installAgent(agent: AgentPackage, env = process.env): Promise<InstalledAgent> {
  const begun = performance.now()
  const cache = agentsCache(env)
  const place = join(cache, `${agent.agent}-${agent.version}`)
  const fresh = !existsSync(place)
  if (fresh) await installInto(place, cache, agent, env)

  const programs = agent.programs.map((path) => join(place, 'node_modules', path))
  const program = programs.find((path) => existsSync(path))
  if (program === undefined) throw new Error(`${agent.packageName} brought none of ${programs.join(', ')}`)
  await verify(program, agent)
  return { program, place, version: agent.version, fresh, tookMs: Math.round(performance.now() - begun) }
}

/** Where agents are kept: `BRIDGE_AGENTS_CACHE`, else a folder of the user's cache. */
function agentsCache(env = process.env): string {
  const { BRIDGE_AGENTS_CACHE, XDG_CACHE_HOME } = env
  if (BRIDGE_AGENTS_CACHE) return BRIDGE_AGENTS_CACHE
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'agent-bridge-agents')
}

async function installInto(place: string, cache: string, agent: AgentPackage, env: NodeJS.ProcessEnv) {
  await mkdir(cache, { recursive: true })
  await sweep(cache)
  const work = await mkdtemp(join(cache, `.installing-${process.pid}-`))
  try {
    await writeFile(join(work, 'package.json'), '{ "private": true }\n')
    const wanted = [`${agent.packageName}@${agent.version}`, ...(agent.beside ?? [])]
    const flags = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund', '--workspaces=false']
    // A run by npm leaves its prefix in the environment, which would win over the working directory.
    await run('npm', ['install', ...flags, '--prefix', work, ...wanted], {
      cwd: work,
      env,
      timeout: INSTALL_BOUND_MS,
    })
    await rename(work, place)
  } catch (cause) {
    await rm(work, { recursive: true, force: true })
    // Another process may have finished the same install first; its result is as good.
    if (!existsSync(place)) throw new Error(`Could not install ${agent.packageName}`, { cause })
  }
}

/** Removes what installs left whose process is gone. */
async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const pid = /^\.installing-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(cache, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function verify(program: string, agent: AgentPackage): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'agent-version-'))
  try {
    // Some agents are Node programs.
    const path = `${dirname(process.execPath)}:/usr/bin:/bin`
    const env = { PATH: path, HOME: home, TMPDIR: home, DISABLE_AUTOUPDATER: '1' }
    const { stdout } = await run(program, ['--version'], { cwd: home, env, timeout: 60_000 })
    if (stdout.split(/\s/).includes(agent.version)) return
    throw new Error(`${program} is version ${JSON.stringify(stdout.trim())}, wanted ${agent.version}`)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { program, version, fresh, tookMs } = await installAgent(claudePackage)
  console.log(`claude ${version} ${fresh ? 'installed' : 'was cached'}, ${tookMs} ms: ${program}`)
}
