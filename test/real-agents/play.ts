import { createScript } from '../fixtures/model/script.ts'
import { openModelServer, type ModelServer, type RecordedRequest } from '../fixtures/model/server.ts'
import { sideRequests } from '../fixtures/model/side-requests.ts'
import { STEP_BOUND_MS } from './bounds.ts'
import { startClaude, type ClaudeSession } from './claude.ts'
import type { PrivateHome } from './private-home.ts'
import type { Scenario, Stage } from './scenario.ts'
import { waitForArrival, type EventSource } from './source.ts'

export interface PlayOptions<Session = ClaudeSession> {
  scenario: Scenario<Session>
  /** Settled, and wired to the source. */
  home: PrivateHome
  /** Where the scenario looks for what it waits for. */
  source: EventSource<unknown>
  /** Bound of one wait for an arrival. */
  boundMs?: number
  /** Resolves when the program may be left: with some agents what was not told by then is lost. */
  mayLeave?: () => Promise<void>
}

/** Plays one scenario on the real Claude Code. */
export async function playOnClaude({
  program,
  ...options
}: PlayOptions & { program: string }): Promise<void> {
  await play(options, (model) => startClaude({ program, home: options.home, model }))
}

/**
 * Plays one scenario on a real agent, from its start to the end of the program. Throws when a step does not come
 * about, or when the agent asked the model server for something it does not know.
 */
export async function play<Session extends AsyncDisposable & { exit(): Promise<void> }>(
  { scenario, home, source, boundMs = STEP_BOUND_MS, mayLeave }: PlayOptions<Session>,
  start: (model: ModelServer) => Promise<Session>,
): Promise<void> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const arrival: Stage['arrival'] = (name, times = 1) => waitForArrival(source, name, times, boundMs)
  const stage = { opened, open, arrival }
  await scenario.prepare?.(home)
  const script = createScript([...sideRequests, ...scenario.rules(home, stage)])
  await using model = await openModelServer({ script })
  await using session = await start(model)
  await scenario.drive(session, stage)
  await mayLeave?.()
  await session.exit()
  refuseStrange(model.requests)
}

function refuseStrange(requests: readonly RecordedRequest[]): void {
  const strange = requests.filter(({ endpoint }) => endpoint === 'other')
  if (strange.length === 0) return
  throw new Error(
    `Unknown model requests: ${strange.map(({ method, path }) => `${method} ${path}`).join(', ')}`,
  )
}
