import { accessSync, constants } from 'node:fs'
import { basename } from 'node:path'
import type { WiredFile, WiredHook, WiringReport } from '../../agents/wiring/agent-wiring.ts'
import { splitWords } from '../../agents/forwarder/shell-words.ts'
import { shortPath } from '../cli-home.ts'
import { checksOf, type Check } from './check.ts'
import type { DoctorContext } from './context.ts'
import { countOf, listOf } from './words.ts'

/** What an agent's settings say about our hooks: there, whole, of this version, and only once. */
export function checkWiring(
  { agent, isInstalled }: { readonly agent: string; readonly isInstalled: boolean },
  report: WiringReport,
  context: DoctorContext,
): Check[] {
  return [
    ...checkFiles(agent, report, context),
    ...checkEntries(agent, isInstalled, report, context),
    ...checkDisabled(agent, report, context),
    ...checkMatchers(agent, report, context),
    ...checkTwice(agent, report, context),
  ]
}

function checkFiles(agent: string, { files }: WiringReport, { homeDir }: DoctorContext): Check[] {
  return files.flatMap(({ problem }, index) => {
    if (problem === undefined) return []
    // The message is that of an edit, and nothing was to be edited here.
    const [what = problem] = problem.split('. Nothing was changed')
    const finding = shortPaths(what.replace('cannot be written', 'cannot be read'), homeDir)
    return [
      checksOf(agent).problem(
        numbered('settings', index),
        finding,
        'Mend the file: the agent cannot read it either',
      ),
    ]
  })
}

function checkEntries(
  agent: string,
  isInstalled: boolean,
  { files, hooks, plugins }: WiringReport,
  { homeDir, command }: DoctorContext,
): Check[] {
  const make = checksOf(agent)
  const wire = command(`wire ${agent}`)
  const wired = files.filter(({ events }) => events.length > 0)
  if (wired.length === 0) {
    if (plugins.length > 0) {
      return [
        make.unverified(
          'wiring',
          `Its hooks come from the plugin ${plugins.join(', ')}, which is not looked into`,
        ),
      ]
    }
    if (files.some(({ problem }) => problem !== undefined)) return []
    return [
      isInstalled
        ? make.warning('wiring', 'It is not wired, so nothing of it reaches the bridge', wire)
        : make.skipped('wiring', 'It is not wired'),
    ]
  }
  return wired.map((file, index) => {
    const own = hooks.filter(({ path }) => path === file.path)
    const { state, finding } = describeFile(file, own, homeDir)
    const id = numbered('wiring', index)
    return state === 'ok' ? make.ok(id, finding) : make[state](id, finding, wire)
  })
}

function describeFile(
  { path, events, missing, outdated, foreign }: WiredFile,
  hooks: readonly WiredHook[],
  homeDir: string,
): { state: 'ok' | 'warning' | 'problem'; finding: string } {
  const shown = shortPath(path, homeDir)
  const gone = [...new Set(hooks.flatMap(({ hook }) => goneScripts(hook)))]
  if (gone.length > 0) {
    const scripts = listOf(gone.map((script) => shortPath(script, homeDir)))
    return { state: 'problem', finding: `The hooks in ${shown} run ${scripts}, which is not there any more` }
  }
  if (missing.length > 0) {
    const finding = `${shown} lacks ${countOf(missing.length, 'hook')} of this version: ${listOf(missing)}`
    return { state: 'warning', finding }
  }
  if (outdated.length > 0) {
    const finding = `${countOf(outdated.length, 'hook')} in ${shown} ${outdated.length === 1 ? 'is' : 'are'} not what this bridge would write: ${listOf(outdated)}`
    return { state: 'warning', finding }
  }
  const posts = hooks.filter(({ hook }) => hook.type === 'http').length
  const how = posts > 0 ? `, ${posts} of which it posts itself` : ''
  const beside = foreign > 0 ? `, beside ${foreign} of others` : ''
  return { state: 'ok', finding: `${countOf(events.length, 'hook')} in ${shown}${how}${beside}` }
}

/** The forwarders that a command names and that cannot be read: it does nothing then, and says nothing. */
function goneScripts(hook: WiredHook['hook']): string[] {
  if (hook.type !== 'command') return []
  const words = hook.args === undefined ? splitWords(hook.command) : [hook.command, ...hook.args]
  return words.filter((word) => /^hook\.(?:pl|js)$/.test(basename(word)) && !isReadable(word))
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    // Gone, or behind a directory that this user may not enter: the hook is lost in both cases.
    return false
  }
}

function checkDisabled(
  agent: string,
  { disabledBy, hooks }: WiringReport,
  { homeDir }: DoctorContext,
): Check[] {
  if (hooks.length === 0) return []
  return disabledBy.map(({ path, setting }, index) =>
    checksOf(agent).problem(
      numbered('disabled', index),
      `"${setting}" in ${shortPath(path, homeDir)} keeps every hook from running`,
      `Take "${setting}" out of it`,
    ),
  )
}

function checkMatchers(agent: string, { hooks }: WiringReport, { command }: DoctorContext): Check[] {
  const narrow = hooks.flatMap(({ event, matcher }) => {
    return matcher === undefined ? [] : [`${event} (only "${matcher}")`]
  })
  if (narrow.length === 0) return []
  const remedy = `${command(`unwire ${agent}`)} && ${command(`wire ${agent}`)}`
  return [checksOf(agent).warning('matchers', `Somebody narrowed hooks: ${listOf(narrow)}`, remedy)]
}

function checkTwice(
  agent: string,
  { twice, files }: WiringReport,
  { homeDir, command }: DoctorContext,
): Check[] {
  return twice.map((sentence, index) => {
    const [, what = sentence, advice] = /^(.*): run "(.*)"$/.exec(sentence) ?? []
    const named = files.filter(({ path, events }) => events.length > 0 && sentence.includes(path)).length
    const own = command(named > 1 ? `unwire ${agent} --project` : `wire ${agent}`)
    return checksOf(agent).warning(
      numbered('twice', index),
      capital(shortPaths(what, homeDir)),
      advice ?? own,
    )
  })
}

/** Ids are unique in a report: the first of several has none. */
function numbered(id: string, index: number): string {
  return index === 0 ? id : `${id}-${index + 1}`
}

function capital(text: string): string {
  return text.startsWith('~') || text.startsWith('/') ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

function shortPaths(text: string, homeDir: string): string {
  return homeDir === '/' ? text : text.replaceAll(`${homeDir}/`, '~/')
}
