import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildForwarderCommand, findProgram } from '../../src/agents/forwarder/command.ts'
import type { TestBridge } from './bridge.ts'
import { addCodexHooks } from './codex.ts'
import { addGeminiHooks } from './gemini.ts'
import { addOpenCodeForwarder } from './opencode-plugins.ts'
import type { PrivateHome } from './private-home.ts'

/** Wires an agent to the bridge, by `bridge wire` where that knows the agent, else by hand. */
export async function wireAgent(
  agent: string,
  home: PrivateHome,
  events: readonly string[],
  bridge: TestBridge,
): Promise<void> {
  const command = buildForwarderCommand({
    agent,
    forwarderDir: dirname(fileURLToPath(new URL('../../bin/hook.js', import.meta.url))),
    nodePath: process.execPath,
    perlPath: findProgram('perl', process.env['PATH'], ['/usr/bin', '/bin']),
  })
  if (agent === 'codex') await addCodexHooks(home, command)
  else if (agent === 'gemini') await addGeminiHooks(home, events, command)
  else if (agent === 'opencode') await addOpenCodeForwarder(home)
  else await bridge.command('wire', agent)
}
