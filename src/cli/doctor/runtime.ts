import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import type { DoctorContext } from './context.ts'

const make = checksOf('machine')

/** Which Node runs this, by the launcher's own rule. */
export async function checkRuntime({ packageRoot, homeDir }: DoctorContext): Promise<Check> {
  const { node, uv } = process.versions
  const where = `Node ${node} with libuv ${uv} (${shortPath(process.execPath, homeDir)})`
  const launcher: unknown = await import(pathToFileURL(join(packageRoot, 'bin/launch.js')).href)
  if (acceptsThisNode(launcher)) return make.ok('node', where)
  return make.problem(
    'node',
    `${where} is not one that the bridge runs on`,
    `Install Node 24.18 or newer, or run "npm ci" in ${shortPath(packageRoot, homeDir)}, which brings one`,
  )
}

function acceptsThisNode(launcher: unknown): boolean {
  if (typeof launcher !== 'object' || launcher === null || !('isNewEnough' in launcher)) return false
  const { isNewEnough } = launcher
  return typeof isNewEnough === 'function' && isNewEnough(process.versions) === true
}
