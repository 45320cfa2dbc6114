import type { HookRow } from '../hook-table.ts'
import type { HarnessDescription, HarnessRule } from './schema.ts'

/** A harness' description as rows of a hook table, one for each of its rules. */
export function hookTableOf({ hooks }: HarnessDescription): readonly HookRow[] {
  return Object.entries(hooks).flatMap(([hook, rules]) => rules.flatMap((rule) => rowsOf(hook, rule)))
}

function rowsOf(hook: string, rule: HarnessRule): HookRow[] {
  const row = rowOf(hook, rule)
  if (rule.becomes !== 'activity.finished' || !rule.error) return [row]
  const when = [row.when, 'with an error'].filter((part) => part !== undefined).join(', ')
  return [row, { ...row, when, becomes: ['activity.failed'], why: 'A tool ran and failed.' }]
}

function rowOf(hook: string, rule: HarnessRule): HookRow {
  const { when, why } = rule
  const conditions = Object.entries(when ?? {}).map(([field, value]) => `\`${field}\` is \`${value}\``)
  return {
    hook,
    ...(conditions.length > 0 && { when: `when ${conditions.join(' and ')}` }),
    becomes: becomesOf(rule),
    why,
  }
}

/** With what else the tracker gives out in the ordinary case. */
function becomesOf(rule: HarnessRule): HookRow['becomes'] {
  switch (rule.becomes) {
    case 'nothing':
      return []
    case 'turn.started':
      return ['turn.started', 'message.user']
    case 'turn.ended':
      return rule.text ? ['message.assistant', 'turn.ended'] : ['turn.ended']
    default:
      return [rule.becomes]
  }
}
