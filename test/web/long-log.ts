import type { ActivityKind, AgentEvent } from '../../src/protocol/index.ts'
import type { ClassifiedEvent, TestBridge } from './bridge.ts'

/** One session may not post more than this at once (the bound of a source gone wild). */
const eventsPerSession = 2_500
const eventsPerPost = 1_000

const tools: readonly { kind: ActivityKind; tool: string; summary: string }[] = [
  { kind: 'file.read', tool: 'Read', summary: 'total.ts' },
  { kind: 'search.code', tool: 'Grep', summary: 'toFixed\\(2\\)' },
  { kind: 'file.write', tool: 'Edit', summary: 'total.ts' },
  { kind: 'shell.exec', tool: 'Bash', summary: 'npm test -- --reporter=dot cart checkout totals' },
  { kind: 'web.fetch', tool: 'WebFetch', summary: 'docs.example.org' },
]

/** Fills the log with turns of several sessions: prompts, some twenty tools each, failures and replies. */
export async function fillLog(bridge: TestBridge, count: number): Promise<void> {
  const events: ClassifiedEvent[] = []
  for (let session = 0; events.length < count; session += 1) {
    const sessionId = `long-${session}`
    const until = Math.min(count, events.length + eventsPerSession)
    for (let turn = 0; events.length < until; turn += 1) {
      for (const event of turnEvents(turn)) {
        events.push({ session_id: sessionId, turn_id: `${sessionId}-${turn}`, event })
      }
    }
  }
  for (let start = 0; start < count; start += eventsPerPost) {
    await bridge.events(events.slice(start, Math.min(count, start + eventsPerPost)))
  }
}

function* turnEvents(turn: number): Generator<AgentEvent> {
  const prompt = `Turn ${turn}: find out why the checkout total is off by one cent, and mend it`
  yield { kind: 'turn.started', prompt }
  yield { kind: 'message.user', text: prompt }
  for (let step = 0; step < 20; step += 1) {
    const tool = tools[(turn + step) % tools.length]
    if (!tool) continue
    const activity = { id: `${turn}-${step}`, ...tool }
    yield { kind: 'activity.started', activity }
    yield step % 9 === 8
      ? { kind: 'activity.failed', activity, error_message: 'exit code 1\n2 of 61 tests failed' }
      : { kind: 'activity.finished', activity, duration_ms: 40 + step * 13 }
  }
  const reply = `Turn ${turn} is done.\n\nThe total rounds half up now, as the invoice does:\n- cart\n- checkout`
  yield { kind: 'turn.ended', cause: 'completed', last_assistant_text: reply }
}
