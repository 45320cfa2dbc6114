import type { Rule } from '../fixtures/model/script.ts'
import type { ClaudeSession } from './claude.ts'
import type { Expected } from './expected.ts'
import type { PrivateHome } from './private-home.ts'

/** What a scenario decides the order of things with, where they would race. */
export interface Stage {
  /** Resolves at `open`: the model can wait for it. */
  opened: Promise<void>
  open(): void
  /** Waits until the named hook, or kind of event, has come so many times. */
  arrival(name: string, times?: number): Promise<void>
}

/** One thing a person does with an agent, from start to end of the session. */
export interface Scenario<Session = ClaudeSession> {
  /** Also the folder of its recorded hooks. */
  name: string
  /** Puts more into the home than every home has. */
  prepare?(home: PrivateHome): Promise<unknown>
  /** What the model says. */
  rules(home: PrivateHome, stage: Stage): readonly Rule[]
  /** What the person does; afterwards the session is left with the agent's own command. */
  drive(session: Session, stage: Stage): Promise<void>
  /** The hooks that must come, from the first of the session to its last. */
  hooks: Expected
}
