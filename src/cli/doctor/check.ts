/**
 * What a check came to. `unverified`: nothing here can tell; `skipped`: it does not apply, or something else has to
 * be mended first. Only a `problem` makes the command fail.
 */
export type CheckState = 'ok' | 'warning' | 'problem' | 'unverified' | 'skipped'

/** One thing that was looked at. */
export interface Check {
  /** Unique in a report, such as `home.directory` or `claude.wiring`. */
  readonly id: string
  /** What it belongs to: `machine`, `home`, `bridge`, `hooks`, or the name of an agent. */
  readonly subject: string
  readonly state: CheckState
  /** One line without a full stop, and never a secret. */
  readonly finding: string
  /** One line: the command that mends it, or what else to do. */
  readonly remedy?: string
}

/** Makes the checks of one subject. */
export interface CheckMaker {
  ok(id: string, finding: string): Check
  skipped(id: string, finding: string): Check
  unverified(id: string, finding: string, remedy?: string): Check
  warning(id: string, finding: string, remedy?: string): Check
  problem(id: string, finding: string, remedy?: string): Check
}

/** The checks of one subject, whose name comes before their ids. */
export function checksOf(subject: string): CheckMaker {
  const make = (state: CheckState) => (id: string, finding: string, remedy?: string) => ({
    id: `${subject}.${id}`,
    subject,
    state,
    finding,
    ...(remedy !== undefined && { remedy }),
  })
  return {
    ok: make('ok'),
    skipped: make('skipped'),
    unverified: make('unverified'),
    warning: make('warning'),
    problem: make('problem'),
  }
}
