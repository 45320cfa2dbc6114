import type { AgentEventKind } from '../protocol/index.ts'

/** What becomes of one hook event of an agent. */
export interface HookRow {
  /** The agent's name of the hook; a last `*` stands for all that begin so. */
  readonly hook: string
  /** What makes it this row of several; absent: the ordinary case. */
  readonly when?: string
  /** The kinds that come out, in order; none: nothing goes out. */
  readonly becomes: readonly AgentEventKind[]
  /** Why, in one sentence. */
  readonly why: string
}

/** Something an agent does that none of its hooks tells. */
export interface HookGap {
  readonly what: string
  /** What of the hooks shows in its place. */
  readonly seen: string
  /** What tells it instead. */
  readonly evidence: string
}

/** The table as Markdown, for `docs/events.md`. */
export function renderHookTable(rows: readonly HookRow[]): string {
  const lines = rows.map(({ hook, when, becomes, why }) => {
    const kinds = becomes.length > 0 ? becomes.map((kind) => `\`${kind}\``).join(', ') : 'nothing'
    return `| \`${hook}\`${when === undefined ? '' : ` ${when}`} | ${kinds} | ${why} |`
  })
  return ['| hook | becomes | why |', '| --- | --- | --- |', ...lines].join('\n')
}

/** What the hooks do not tell as Markdown, for `docs/events.md`. */
export function renderHookGaps(gaps: readonly HookGap[]): string {
  const lines = gaps.map(({ what, seen, evidence }) => `| ${what} | ${seen} | ${evidence} |`)
  return [
    '| what no hook tells | what shows | the evidence that tells it |',
    '| --- | --- | --- |',
    ...lines,
  ].join('\n')
}
