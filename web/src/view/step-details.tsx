import type { ComponentChildren } from 'preact'
import type { TodoItem } from '../../../src/protocol/index.ts'
import type { Item, Step } from '../model/steps.ts'
import { formatDuration, formatExact } from '../model/times.ts'
import { answerWords, failureWords } from './step-words.ts'
import { Untrusted } from './untrusted.tsx'

/** Everything that is known of a step; nothing of it is cut off (bug case B55). */
export function StepDetails({ item, step }: { item: Item; step: Step }) {
  return (
    <div class="details">
      <Body step={step} />
      <dl class="facts">
        <Fact name="When">{formatExact(step.ts)}</Fact>
        {item.sessionId !== undefined && (
          <Fact name="Session">
            <Untrusted text={item.sessionId} show="whole" />
          </Fact>
        )}
        {item.type === 'turn' && item.turnId !== undefined && (
          <Fact name="Turn">
            <Untrusted text={item.turnId} show="whole" />
          </Fact>
        )}
        <Fact name="Place">{step.seq}</Fact>
      </dl>
    </div>
  )
}

function Body({ step: { body } }: { step: Step }) {
  switch (body.type) {
    case 'activity':
      return (
        <>
          <Block text={body.activity.summary} />
          {body.outcome === 'failed' && (
            <Block title={failureWords[body.failure ?? 'error']} text={body.error ?? ''} isProblem />
          )}
          {body.output !== undefined && (
            <Block title={outputTitle(body.output, body.contentLength)} text={body.output} />
          )}
          {body.truncated && (
            <p class="remark">The hook was larger than the bridge takes; only its beginning was read.</p>
          )}
          <dl class="facts">
            <Fact name="Tool">
              <Untrusted text={body.activity.tool} show="whole" />
            </Fact>
            <Fact name="Kind">{body.activity.kind}</Fact>
            {body.durationMs !== undefined && <Fact name="Took">{formatDuration(body.durationMs)}</Fact>}
          </dl>
        </>
      )
    case 'request':
      return (
        <>
          {body.description !== undefined && <Block text={body.description} />}
          {body.activity && body.activity.summary !== body.description && (
            <Block text={body.activity.summary} />
          )}
          {!body.answer && <p class="remark">Answer it in the agent's own terminal.</p>}
          <dl class="facts">
            {body.activity && (
              <Fact name="Tool">
                <Untrusted text={body.activity.tool} show="whole" />
              </Fact>
            )}
            <Fact name="Answer">
              <Untrusted text={answerWords(body.answer)} show="whole" />
            </Fact>
            {body.answer !== undefined && body.answer.ts > 0 && (
              <Fact name="Answered">{formatExact(body.answer.ts)}</Fact>
            )}
            <Fact name="Request">
              <Untrusted text={body.requestId} show="whole" />
            </Fact>
          </dl>
        </>
      )
    case 'question':
      return (
        <>
          <Block text={body.text} />
          <ul class="options">
            {body.options.map((option) => (
              <li>
                <Untrusted text={option} show="whole" />
              </li>
            ))}
          </ul>
        </>
      )
    case 'todo':
      return <Tasks items={body.items} />
    case 'subagent':
      return body.task === undefined ? null : <Block text={body.task} />
    case 'notification':
      return <Block text={body.text ?? ''} />
    case 'thinking':
    case 'text':
    case 'inbound':
      return <Block text={body.text} />
    default:
      return null
  }
}

const taskMarks: Readonly<Record<TodoItem['status'], string>> = {
  pending: '○',
  in_progress: '◐',
  completed: '●',
  cancelled: '–',
}

function Tasks({ items }: { items: readonly TodoItem[] }) {
  return (
    <ul class="tasks">
      {items.map(({ text, status }) => (
        <li class={`is-${status}`}>
          <span class="task-mark" aria-hidden="true">
            {taskMarks[status]}
          </span>
          <Untrusted text={text} show="whole" />
          <span class="hidden">, {status.replace('_', ' ')}</span>
        </li>
      ))}
    </ul>
  )
}

function outputTitle(output: string, contentLength: number | undefined): string {
  return contentLength !== undefined && contentLength > output.length
    ? `beginning of its output, of ${contentLength.toLocaleString()} characters`
    : 'its output'
}

function Block({ text, title, isProblem = false }: { text: string; title?: string; isProblem?: boolean }) {
  if (text === '' && title === undefined) return null
  return (
    <>
      {title !== undefined && <p class={isProblem ? 'block-title is-problem' : 'block-title'}>{title}</p>}
      {text !== '' && (
        <pre class={isProblem ? 'block is-problem' : 'block'}>
          <Untrusted text={text} show="whole" />
        </pre>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
