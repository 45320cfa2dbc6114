import type { Adapter, CallFact, Fact, Hook, ParsedHook } from '../adapter.ts'
import { callFactOf } from '../call.ts'
import { amountOf, fieldAt, fieldsOf, firstText, present, textOf, type Fields } from '../fields.ts'
import { inputKeyOf } from '../input-key.ts'
import { questionsOf } from '../questions.ts'
import {
  errorOf,
  event,
  idOf,
  identityOf,
  maxDirectoryLength,
  maxIdLength,
  maxLineLength,
  maxTextLength,
  triggerOf,
  truncationOf,
  unknown,
  type Reading,
} from '../reading.ts'
import { summaryOf } from '../summary.ts'
import { todosOf } from '../todos.ts'
import { toolOutputOf } from '../tool-output.ts'
import type { HarnessDescription, HarnessRule } from './schema.ts'

/** Reads the hooks of an agent as its description says. */
export function createHarnessAdapter(agent: string, description: HarnessDescription): Adapter {
  const hooks = new Map(Object.entries(description.hooks))
  const tools = new Map(Object.entries(description.tools))
  const { fields, mcp_prefixes: mcpPrefixes } = description

  function parse(hook: Hook): ParsedHook {
    const payload = fieldsOf(hook.payload)
    const type = hooks.has(hook.type) ? hook.type : (nameIn(payload) ?? hook.type)
    const rule = hooks.get(type)?.find((each) => holds(each, payload))
    const reading = { agent, payload, truncated: hook.truncated === true }
    const facts = rule ? factsOf(rule, reading, () => callOf(reading)) : [unknown(reading)]
    const subagentId = idAt(payload, fields.subagent)
    return {
      ...present({
        sessionId: idAt(payload, fields.session),
        turnId: subagentId === undefined ? idAt(payload, fields.turn) : undefined,
        directory: textAt(payload, fields.directory, maxDirectoryLength),
        session: sessionChange(rule),
        identity: endIdentity(rule, payload) ?? identityOf(type, payload, facts),
      }),
      facts,
    }
  }

  function nameIn(payload: Fields): string | undefined {
    return textAt(payload, fields.hook, 100)
  }

  function callOf({ payload, truncated }: Reading): CallFact {
    const tool = textAt(payload, fields.tool, maxIdLength) ?? 'unknown'
    const input = firstAt(payload, fields.input)
    const known = tools.get(tool)
    const mcpPrefix = mcpPrefixes.find((prefix) => tool.startsWith(prefix))
    const call = callFactOf({
      agent,
      tool,
      input,
      callId: idAt(payload, fields.call),
      subagentId: idAt(payload, fields.subagent),
      truncated,
    })
    if (known === undefined) {
      if (mcpPrefix === undefined) return call
      return { ...call, kind: 'mcp.call', summary: summaryOf(`mcp__${tool.slice(mcpPrefix.length)}`, input) }
    }
    if (typeof known === 'string') return { ...call, kind: known }
    return { ...call, kind: known.kind, summary: summaryOf(known.like ?? tool, input) }
  }

  return { agent, nativeHookType: nameIn, parse }
}

function factsOf(rule: HarnessRule, reading: Reading, call: () => CallFact): Fact[] {
  const { payload } = reading
  switch (rule.becomes) {
    case 'nothing':
      return []
    case 'unknown':
      return [unknown(reading)]
    case 'session.started':
      return [event({ kind: 'session.started', cause: mapped(rule.cause, payload) ?? 'unknown' })]
    case 'session.ended':
      return [event({ kind: 'session.ended', cause: mapped(rule.cause, payload) ?? 'unknown' })]
    case 'turn.started':
      return [
        {
          type: 'prompt',
          text: textAt(payload, rule.prompt, maxTextLength) ?? '',
          ...(rule.joins && { joins: true }),
          ...present({ messageId: idAt(payload, rule.message) }),
        },
      ]
    case 'turn.ended':
      return [turnEndOf(rule, payload)]
    case 'message.assistant':
      return [
        {
          type: 'message',
          index: 0,
          last: true,
          text: textAt(payload, rule.text, maxTextLength) ?? '',
          ...present({ messageId: idAt(payload, rule.message), subagentId: call().subagentId }),
        },
      ]
    case 'thinking':
      return withText(textAt(payload, rule.text, maxTextLength), reading, (text) => [
        event({ kind: 'thinking', text }),
      ])
    case 'activity.started':
      return [{ type: 'activity', phase: 'started', ...call(), ...truncationOf(reading) }]
    case 'activity.finished':
    case 'activity.failed':
      return [activityEndOf(rule, reading, call())]
    case 'permission.requested':
      return [requestOf(rule, payload, call())]
    case 'permission.resolved':
      return withText(idAt(payload, rule.request), reading, (requestId) => [
        { type: 'request-answered', requestId, decision: mapped(rule.decision, payload) ?? 'deny' },
      ])
    case 'agent.question':
      return questionOf(rule, reading, call())
    case 'todo.updated':
      return [todosOf({ todos: firstAt(payload, rule.items) }) ?? unknown(reading)]
    case 'subagent.started':
      return withText(idAt(payload, rule.subagent), reading, (id) => [
        event({
          kind: 'subagent.started',
          subagent_id: id,
          ...present({
            subagent_type: textAt(payload, rule.type, maxIdLength),
            task: textAt(payload, rule.task, maxLineLength),
          }),
        }),
      ])
    case 'subagent.finished':
      return withText(idAt(payload, rule.subagent), reading, (subagentId) => [
        { type: 'subagent-end', subagentId, cause: mapped(rule.cause, payload) ?? 'completed' },
      ])
    case 'context.compacting':
      return [
        event({
          kind: 'context.compacting',
          ...triggerOf(firstAt(payload, rule.trigger)),
          ...present({ context_usage_percent: amountOf(firstAt(payload, rule.usage_percent)) }),
        }),
      ]
    default:
      return [
        event({ kind: 'notification', ...present({ text: textAt(payload, rule.text, maxTextLength) }) }),
      ]
  }
}

type RuleOf<Becomes extends HarnessRule['becomes']> = Extract<HarnessRule, { becomes: Becomes }>

function turnEndOf(rule: RuleOf<'turn.ended'>, payload: Fields): Fact {
  const text = textAt(payload, rule.text, maxTextLength)
  return {
    type: 'turn-end',
    cause: mapped(rule.cause, payload) ?? 'completed',
    ...(rule.only_open && { onlyOpen: true }),
    // Where its end does not say what the agent said last, its messages do.
    ...(text === undefined && { wordsTold: true }),
    ...present({ text, errorMessage: errorOf(firstAt(payload, rule.error)) }),
  }
}

function activityEndOf(
  rule: RuleOf<'activity.finished' | 'activity.failed'>,
  reading: Reading,
  call: CallFact,
): Fact {
  const { payload } = reading
  const told = {
    type: 'activity',
    ...call,
    ...present({ durationMs: amountOf(firstAt(payload, rule.duration_ms)) }),
    ...truncationOf(reading),
  } as const
  const errorMessage = errorOf(firstAt(payload, rule.error))
  if (rule.becomes === 'activity.failed' || errorMessage !== undefined)
    return { ...told, phase: 'failed', failureKind: 'error', ...present({ errorMessage }) }
  return { ...told, phase: 'finished', ...toolOutputOf(firstAt(payload, rule.output)) }
}

function requestOf(rule: RuleOf<'permission.requested'>, payload: Fields, call: CallFact): Fact {
  const asked = present({
    requestId: idAt(payload, rule.request),
    description: textAt(payload, rule.description, maxLineLength),
  })
  const { tool, callId, subagentId } = call
  if (tool === 'unknown') return { type: 'request', ...present({ callId, subagentId }), ...asked }
  return { type: 'request', ...call, ...asked }
}

function questionOf(rule: RuleOf<'agent.question'>, reading: Reading, call: CallFact): Fact[] {
  const { payload } = reading
  const question = textAt(payload, rule.text, maxTextLength)
  const questions = questionsOf({ question, options: firstAt(payload, rule.options) })
  if (questions.length === 0) return [unknown(reading)]
  const requestId = idAt(payload, rule.request)
  const { tool, subagentId } = call
  return [
    {
      type: 'question',
      questions,
      tool,
      inputKey: inputKeyOf([question]),
      ...present({ requestId, subagentId }),
    },
  ]
}

function withText(text: string | undefined, reading: Reading, use: (text: string) => Fact[]): Fact[] {
  return text === undefined ? [unknown(reading)] : use(text)
}

function holds({ when }: HarnessRule, payload: Fields): boolean {
  return Object.entries(when ?? {}).every(([path, value]) => fieldAt(payload, path) === value)
}

function sessionChange(rule: HarnessRule | undefined): ParsedHook['session'] {
  if (rule?.becomes === 'session.started') return 'started'
  if (rule?.becomes !== 'session.ended') return undefined
  return rule.switches ? 'switched' : 'ended'
}

function endIdentity(rule: HarnessRule | undefined, payload: Fields): string | undefined {
  return rule?.becomes === 'turn.ended' && rule.identity
    ? inputKeyOf(firstAt(payload, rule.identity) ?? null)
    : undefined
}

type ValueMap<Value extends string> =
  | Value
  | { from: string; values: Record<string, Value>; else?: Value | undefined }
  | undefined

function mapped<Value extends string>(map: ValueMap<Value>, payload: Fields): Value | undefined {
  if (map === undefined || typeof map === 'string') return map
  const value = fieldAt(payload, map.from)
  const key = typeof value === 'string' ? value : JSON.stringify(value)
  return (key !== undefined && Object.hasOwn(map.values, key) ? map.values[key] : undefined) ?? map.else
}

function firstAt(payload: Fields, places: readonly string[] | undefined): unknown {
  return places
    ?.map((place) => fieldAt(payload, place))
    .find((value) => value !== undefined && value !== null)
}

function textAt(payload: Fields, places: readonly string[] | undefined, max: number): string | undefined {
  const text = places?.map((place) => textOf(fieldAt(payload, place))).find((value) => value !== undefined)
  return firstText({ text }, ['text'], max)
}

function idAt(payload: Fields, places: readonly string[] | undefined): string | undefined {
  return idOf(textAt(payload, places, maxIdLength))
}
