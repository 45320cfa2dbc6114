import { join } from 'node:path'
import { BridgeError } from '../../core/errors.ts'
import { buildForwarderCommand, type ForwarderCommand } from '../forwarder/command.ts'
import type { WireOptions, WiringOptions } from './agent-wiring.ts'

/** The command that an agent's hooks run. */
export function forwarderCommandOf(
  agent: string,
  options: WiringOptions,
  more: Pick<ForwarderCommand, 'emptyAnswer'> = {},
): string {
  const { homeDir, bridgeHome, forwarderDir, nodePath, perlPath } = options
  return buildForwarderCommand({
    agent,
    forwarderDir,
    nodePath,
    perlPath,
    customHome: bridgeHome === join(homeDir, '.bridge') ? undefined : bridgeHome,
    ...more,
  })
}

/** @throws BridgeError `usage` when hooks are to be posted by an agent that only runs commands */
export function refuseHttp(title: string, { http }: WireOptions): void {
  if (http)
    throw new BridgeError('usage', { problem: `${title} cannot post its hooks itself: leave out --http` })
}

/** @throws BridgeError `usage` */
export function projectOf({ directory }: WiringOptions): string {
  if (directory === undefined) throw new BridgeError('usage', { problem: 'a project needs its directory' })
  return directory
}

/** What is said of settings that git may give to others. */
export function sharedNotes({ scope }: WireOptions, path: string): string[] {
  return scope === 'project' ? [`${path} names places of this machine: keep it out of git`] : []
}
