import { describe, expect, test } from 'vitest'
import { say } from '../fixtures/model/script.ts'
import { agentOrSkip } from './available.ts'
import { STEP_BOUND_MS } from './bounds.ts'
import { openBridge } from './bridge.ts'
import { openClaudeHome } from './claude.ts'
import { problemsOf } from './event-checks.ts'
import { claudePackage } from './install.ts'
import { playOnClaude } from './play.ts'
import { keys } from './pty.ts'

const claude = await agentOrSkip(claudePackage)

describe.skipIf(!claude)(`claude ${claudePackage.version}`, () => {
  test('an interrupt that fires no hook ends the turn by what Claude Code says of itself', async () => {
    if (!claude) throw new Error('there is no Claude Code')
    await using home = await openClaudeHome()
    await using bridge = await openBridge(home)
    await bridge.command('wire', 'claude')
    await playOnClaude({
      program: claude.program,
      home,
      source: bridge,
      // The design's bound is 30 s; two looks five seconds apart take about ten.
      boundMs: 30_000,
      scenario: {
        name: 'interrupt-unseen',
        rules: () => [
          {
            when: /tell a story/,
            answer: say('Once upon a time there was a robot.', { breakOff: { afterChunks: 2, how: 'hang' } }),
          },
        ],
        async drive(session, stage) {
          session.submit('tell a story')
          await session.terminal.waitForScreen(/↓ \d+ tokens/, STEP_BOUND_MS)
          session.terminal.send(keys.escape)
          await session.waitForAnswer('Interrupted')
          await stage.arrival('turn.ended')
        },
        hooks: { inOrder: '' },
      },
    })
    const events = bridge.collect()
    expect(problemsOf(events)).toEqual([])
    const ended = events.filter(({ event }) => event.kind === 'turn.ended')
    expect(ended.map(({ event }) => event)).toMatchObject([{ cause: 'aborted' }])
  })
})
