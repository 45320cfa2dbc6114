import type { ComponentChildren } from 'preact'
import type { Step, StepBody } from '../model/steps.ts'
import { formatDuration, formatElapsed } from '../model/times.ts'
import { now } from '../state/signal-clock.ts'
import { answerWords, countOf, failureWords, sessionCauses, turnCauses } from './step-words.ts'
import { Untrusted } from './untrusted.tsx'

/** What a step was, in one line. */
export function StepLine({ step }: { step: Step }) {
  const { body } = step
  switch (body.type) {
    case 'activity':
      return <ToolLine tool={body.activity.tool} summary={body.activity.summary} />
    case 'request':
      return (
        <>
          <span class="verb">asks</span>
          <ToolLine
            tool={body.activity?.tool ?? ''}
            summary={body.activity?.summary || (body.description ?? 'for a permission')}
          />
        </>
      )
    case 'question':
      return (
        <>
          <span class="verb">asks</span>
          <Untrusted text={body.text} />
        </>
      )
    case 'todo':
      return <TodoLine body={body} />
    case 'subagent':
      return (
        <>
          <span class="tool">
            <Untrusted text={body.kind ?? 'Subagent'} />
          </span>
          {body.task !== undefined && <Untrusted text={body.task} />}
        </>
      )
    case 'notification':
      return <Untrusted text={body.text ?? 'A notification'} />
    case 'thinking':
    case 'text':
      return <Untrusted text={body.text} />
    case 'inbound':
      return (
        <>
          <span class="verb">message</span>
          <Untrusted text={body.text} />
        </>
      )
    case 'control':
      return (
        <Words>
          sent <Untrusted text={body.name} /> to the robot
        </Words>
      )
    default:
      return <Words>{plainWords(body)}</Words>
  }
}

function ToolLine({ tool, summary }: { tool: string; summary: string }) {
  return (
    <>
      {tool !== '' && (
        <span class="tool">
          <Untrusted text={tool} />
        </span>
      )}
      {summary !== '' && (
        <span class="mono">
          <Untrusted text={summary} />
        </span>
      )}
    </>
  )
}

function TodoLine({ body }: { body: Extract<StepBody, { type: 'todo' }> }) {
  const done = body.items.filter((item) => item.status === 'completed').length
  const current = body.items.find((item) => item.status === 'in_progress')
  return (
    <>
      <span class="tool">
        Tasks {done}/{body.items.length}
      </span>
      {current && <Untrusted text={current.text} />}
    </>
  )
}

function Words({ children }: { children: ComponentChildren }) {
  return <span class="words">{children}</span>
}

function plainWords(body: StepBody): string {
  switch (body.type) {
    case 'compaction':
      return `compacts its context${body.usagePercent === undefined ? '' : `, ${Math.round(body.usagePercent)} % full`}`
    case 'continued':
      return turnCauses[body.cause ?? 'continued']
    case 'session': {
      const cause = sessionCauses[body.cause ?? '']
      return `session ${body.phase}${cause === undefined ? '' : `: ${cause}`}`
    }
    case 'offline':
      return `offline: ${body.reason}`
    case 'gap':
      return `${countOf(body.missing, 'event')} ${body.missing === 1 ? 'is' : 'are'} missing here: history was trimmed`
    default:
      return 'an event of another kind'
  }
}

/** How long it took or has been going on, or how it ended: the right end of a step's line. */
export function StepEnd({ step, isRunning }: { step: Step; isRunning: boolean }) {
  const { body } = step
  switch (body.type) {
    case 'activity':
      if (body.outcome === 'running') return isRunning ? <Elapsed since={step.ts} /> : <>no end seen</>
      if (body.outcome === 'failed' && body.error === undefined)
        return <>{failureWords[body.failure ?? 'error']}</>
      return <>{body.durationMs === undefined ? '' : formatDuration(body.durationMs)}</>
    case 'request':
      return body.answer ? <Untrusted text={answerWords(body.answer)} /> : <Elapsed since={step.ts} />
    case 'subagent':
      return (
        <>
          {countOf(body.children.length, 'step')}
          {body.outcome === 'running' && isRunning && ' · '}
          {body.outcome === 'running' && isRunning && <Elapsed since={step.ts} />}
        </>
      )
    case 'session':
      return <>{body.durationMs === undefined ? '' : formatDuration(body.durationMs)}</>
    default:
      return null
  }
}

/** A duration that goes on. */
export function Elapsed({ since }: { since: number }) {
  return <>{formatElapsed(now.value - since)}</>
}
