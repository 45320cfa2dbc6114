import type { OpenableRow, Row } from '../model/rows.ts'
import type { Step } from '../model/steps.ts'
import { formatDay } from '../model/times.ts'
import { now } from '../state/signal-clock.ts'
import { Icon } from './icon.tsx'
import { Openable } from './openable.tsx'
import { StateMark } from './state-mark.tsx'
import { StepDetails } from './step-details.tsx'
import { StepEnd, StepLine } from './step-line.tsx'
import { iconOf } from './step-words.ts'
import { Time } from './time.tsx'
import { MessageRow, TurnRow } from './turn-rows.tsx'
import { Untrusted } from './untrusted.tsx'
import { Who, type RowContext } from './who.tsx'

/** One row of the timeline. */
export function TimelineRow({ row, context }: { row: Exclude<Row, { type: 'edge' }>; context: RowContext }) {
  switch (row.type) {
    case 'day':
      return (
        <div class="row is-day" role="listitem" data-key={row.key}>
          {formatDay(row.ts, now.value)}
        </div>
      )
    case 'turn':
      return <TurnRow row={row} context={context} />
    case 'prompt':
    case 'reply':
      return <MessageRow row={row} context={context} />
    default:
      return <StepRow row={row} context={context} />
  }
}

function StepRow({ row, context }: { row: Extract<OpenableRow, { type: 'step' }>; context: RowContext }) {
  const { step, item, depth, isOpen } = row
  const isRunning = item.type === 'turn' ? item.outcome === 'running' : true
  const error = step.body.type === 'activity' && step.body.outcome === 'failed' ? step.body.error : undefined
  return (
    <Openable row={row} context={context} class={`is-step at-${depth} ${toneOf(step, isRunning)}`}>
      <div class="row-line">
        <Time ts={step.ts} seconds={depth > 0} />
        <Who item={item} context={context} isShown={depth === 0} />
        <span class="what">
          {isOpenRequest(step) ? <StateMark state="asks" /> : <Icon name={iconOf(step)} />}
          <span class="text">
            <StepLine step={step} />
          </span>
        </span>
        <span class="end">
          <StepEnd step={step} isRunning={isRunning} />
        </span>
      </div>
      {error !== undefined && !isOpen && (
        <div class="row-error">
          <Untrusted text={error} />
        </div>
      )}
      {isOpen && <StepDetails item={item} step={step} />}
    </Openable>
  )
}

function isOpenRequest({ body }: Step): boolean {
  return body.type === 'request' && !body.answer
}

function toneOf({ body }: Step, isRunning: boolean): string {
  if (body.type === 'gap' || (body.type === 'activity' && body.outcome === 'failed')) return 'is-problem'
  if (body.type === 'request') return body.answer ? 'is-answered' : 'is-asking'
  if (body.type === 'question' && isRunning) return 'is-question'
  if (body.type === 'activity' && body.outcome === 'running') return 'is-running'
  if (body.type === 'text' || body.type === 'inbound' || body.type === 'notification') return 'is-message'
  return 'is-quiet'
}
