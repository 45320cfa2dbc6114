import { createScript } from '../fixtures/model/script.ts'
import { openModelServer, type RecordedRequest } from '../fixtures/model/server.ts'
import { sideRequests } from '../fixtures/model/side-requests.ts'
import { STEP_BOUND_MS } from './bounds.ts'
import { startClaude } from './claude.ts'
import type { PrivateHome } from './private-home.ts'
import type { Scenario, Stage } from './scenario.ts'
import { waitForArrival, type EventSource } from './source.ts'

export interface PlayOptions {
  program: string
  scenario: Scenario
  /** Settled, and wired to the source. */
  home: PrivateHome
  /** Where the scenario looks for what it waits for. */
  source: EventSource<unknown>
}

/**
 * Plays one scenario on the real Claude Code, from its start to the end of the program. Throws when a step does
 * not come about, when Claude complains about a hook, or when it asked the model server for something unknown.
 */
export async function playOnClaude({ program, scenario, home, source }: PlayOptions): Promise<void> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const arrival: Stage['arrival'] = (name, times = 1) => waitForArrival(source, name, times, STEP_BOUND_MS)
  const stage = { opened, open, arrival }
  await scenario.prepare?.(home)
  const script = createScript([...sideRequests, ...scenario.rules(home, stage)])
  await using model = await openModelServer({ script })
  await using session = await startClaude({ program, home, model })
  await scenario.drive(session, stage)
  refuseComplaints(session.terminal.text())
  await session.exit()
  refuseStrange(model.requests)
}

/** A hook that fails does not stop Claude; it is only told on the screen. */
function refuseComplaints(screen: string): void {
  if (/hook (error|failed)/i.test(screen)) throw new Error(`Claude complains about a hook:\n${screen}`)
}

function refuseStrange(requests: readonly RecordedRequest[]): void {
  const strange = requests.filter(({ endpoint }) => endpoint === 'other')
  if (strange.length === 0) return
  throw new Error(
    `Unknown model requests: ${strange.map(({ method, path }) => `${method} ${path}`).join(', ')}`,
  )
}
