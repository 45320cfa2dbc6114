import { installAgent, type AgentPackage, type InstalledAgent } from './install.ts'

/**
 * The installed agent, or undefined where it cannot be had: its tests are then skipped, and this says so loudly.
 * With `BRIDGE_TEST_REQUIRE=all` nothing is skipped: the reason is thrown.
 */
export async function agentOrSkip(
  agent: AgentPackage,
  env: NodeJS.ProcessEnv = process.env,
): Promise<InstalledAgent | undefined> {
  const name = `${agent.agent} ${agent.version}`
  try {
    const installed = await installAgent(agent, env)
    console.log(`${name} ${installed.fresh ? 'installed' : 'was cached'}, ${installed.tookMs} ms`)
    return installed
  } catch (cause) {
    if (env['BRIDGE_TEST_REQUIRE'] === 'all') throw cause
    console.warn(`\n*** SKIPPED: no test ran on ${name}, it could not be installed ***\n`, cause)
    return undefined
  }
}
