import { agentPrograms } from '../../agents/find-agent.ts'
import { safeLine } from '../safe-text.ts'
import type { Hue, Style } from '../style.ts'
import type { Check, CheckState } from './check.ts'
import type { DoctorReport } from './run.ts'
import { countOf } from './words.ts'

const signs: Readonly<Record<CheckState, { readonly glyph: string; readonly hue: Hue }>> = {
  ok: { glyph: '✓', hue: 'green' },
  warning: { glyph: '!', hue: 'amber' },
  problem: { glyph: '✗', hue: 'red' },
  unverified: { glyph: '?', hue: 'grey' },
  skipped: { glyph: '·', hue: 'grey' },
}

const titles: Readonly<Record<string, string>> = {
  machine: 'This machine',
  home: 'The home',
  bridge: 'The bridge',
  hooks: 'Hooks',
  ...Object.fromEntries(agentPrograms.map(({ agent, title }) => [agent, title])),
}

/** The report as a person reads it: by subject, and what to do under what was found. */
export function renderReport({ checks }: DoctorReport, style: Style): string {
  const subjects = [...new Set(checks.map(({ subject }) => subject))]
  const isAbsent = (subject: string) =>
    checks.every((check) => check.subject !== subject || check.state === 'skipped')
  const groups = subjects
    .filter((subject) => !isAbsent(subject))
    .map((subject) => {
      const own = checks.filter((check) => check.subject === subject)
      const title = style.paint('bold', titles[subject] ?? subject)
      return [title, ...own.flatMap((check) => renderCheck(check, style))].join('\n')
    })
  const absent = subjects.filter(isAbsent).map((subject) => titles[subject] ?? subject)
  const rest = absent.length === 0 ? [] : [style.paint('grey', `Not on this machine: ${absent.join(', ')}`)]
  return [...groups, ...rest, renderSum(checks, style)].join('\n\n')
}

function renderCheck({ state, finding, remedy }: Check, style: Style): string[] {
  const { glyph, hue } = signs[state]
  const quiet = state === 'skipped' || state === 'unverified' ? 'grey' : undefined
  return [
    `  ${style.paint(hue, glyph)} ${style.paint(quiet, safeLine(finding))}`,
    ...(remedy === undefined ? [] : [`    ${style.paint('grey', '→')} ${safeLine(remedy)}`]),
  ]
}

function renderSum(checks: readonly Check[], style: Style): string {
  const count = (state: CheckState) => checks.filter((check) => check.state === state).length
  const problems = count('problem')
  const warnings = count('warning')
  if (problems + warnings === 0) return style.paint('green', 'Nothing is wrong.')
  const parts = [
    ...(problems > 0 ? [style.paint('red', countOf(problems, 'problem'))] : []),
    ...(warnings > 0 ? [style.paint('amber', countOf(warnings, 'warning'))] : []),
  ]
  return `${parts.join(', ')}.`
}
