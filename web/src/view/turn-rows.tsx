import type { OpenableRow } from '../model/rows.ts'
import type { Step, Turn } from '../model/steps.ts'
import { walkSteps } from '../model/steps.ts'
import { formatDuration, formatExact } from '../model/times.ts'
import { Icon, type IconName } from './icon.tsx'
import { Openable } from './openable.tsx'
import { StateMark } from './state-mark.tsx'
import { Elapsed, StepLine } from './step-line.tsx'
import { countOf, iconOf, outcomeWords, turnCauses } from './step-words.ts'
import { Time } from './time.tsx'
import { Untrusted } from './untrusted.tsx'
import { Who, type RowContext } from './who.tsx'

/** The work of a turn in one line: how much, what now, how long. */
export function TurnRow({
  row,
  context,
}: {
  row: Extract<OpenableRow, { type: 'turn' }>
  context: RowContext
}) {
  const { item, counts } = row
  const isRunning = item.outcome === 'running'
  const ended = outcomeWords(item)
  const isBad = item.outcome === 'error' || item.outcome === 'aborted'
  return (
    <Openable row={row} context={context} class={`is-turn${isBad ? ' is-problem' : ''}`}>
      <div class="row-line">
        <Time ts={item.ts} />
        <Who item={item} context={context} isShown />
        <span class="what">
          {isRunning ? <StateMark state="working" /> : isBad ? <StateMark state="failed" /> : <Chevron />}
          <span class="text">
            {(counts.total > 0 || ended === undefined) && (
              <span class="count">{counts.total > 0 ? countOf(counts.total, 'step') : startWords(item)}</span>
            )}
            {ended !== undefined && <span class="ended">{ended}</span>}
            {item.error !== undefined && !row.isOpen && <Untrusted text={item.error} />}
            {isRunning && counts.running && (
              <span class="now">
                <StepLine step={counts.running} />
              </span>
            )}
            {!isRunning && item.error === undefined && <Kinds steps={item.steps} />}
          </span>
        </span>
        <span class="end">
          {counts.failed > 0 && <span class="failures">{countOf(counts.failed, 'failure')}</span>}
          {isRunning ? (
            <Elapsed since={item.ts} />
          ) : (
            item.durationMs !== undefined && formatDuration(item.durationMs)
          )}
        </span>
      </div>
      {row.isOpen && item.error !== undefined && (
        <div class="details">
          <pre class="block is-problem">
            <Untrusted text={item.error} show="whole" />
          </pre>
        </div>
      )}
    </Openable>
  )
}

function Chevron() {
  return (
    <svg class="icon chevron" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d="M6 3.5 10.5 8 6 12.5" />
    </svg>
  )
}

function startWords(turn: Turn): string {
  if (!turn.begun) return 'its beginning is not loaded'
  if (turn.outcome === 'running') return 'thinks'
  return turn.cause === undefined || turn.cause === 'prompt' ? 'no steps' : turnCauses[turn.cause]
}

/** More kinds than this say no more than the number of steps does. */
const maxKinds = 5

/** What sort of work it was: the drawings of the commonest kinds of tools with their numbers. */
function Kinds({ steps }: { steps: readonly Step[] }) {
  const counts = new Map<IconName, number>()
  for (const step of walkSteps(steps)) {
    if (step.body.type === 'activity') counts.set(iconOf(step), (counts.get(iconOf(step)) ?? 0) + 1)
  }
  const commonest = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, maxKinds)
  return (
    <span class="kinds" aria-hidden="true">
      {commonest.map(([name, count]) => (
        <span class="kind">
          <Icon name={name} />
          {count}
        </span>
      ))}
    </span>
  )
}

type Message = Extract<OpenableRow, { type: 'prompt' | 'reply' }>

/** What a person asked for, or what the agent said in the end. */
export function MessageRow({ row, context }: { row: Message; context: RowContext }) {
  const { item, isOpen, type } = row
  const isPrompt = type === 'prompt'
  const text = isPrompt ? item.prompt : item.reply?.text
  const ts = isPrompt ? item.ts : (item.reply?.ts ?? item.ts)
  return (
    <Openable row={row} context={context} class={isPrompt ? 'is-prompt' : 'is-reply'}>
      <div class="row-line">
        <Time ts={ts} />
        {isPrompt ? <span class="who">you</span> : <Who item={item} context={context} isShown />}
        <span class={isOpen ? 'said' : 'said is-clamped'}>
          <Untrusted text={text ?? ''} show={isOpen ? 'whole' : 'start'} />
        </span>
        <span class="end" />
      </div>
      {isOpen && <p class="row-note">{formatExact(ts)}</p>}
    </Openable>
  )
}
