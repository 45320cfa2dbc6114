import type { AgentWiring, ProbeHooks, WiringOptions, WiringReport } from '../wiring/agent-wiring.ts'
import { fieldsOf } from '../fields.ts'
import {
  createForwarderMatcher,
  distinctFiles,
  inspectHooksFile,
  sentencesOfDuplicates,
} from '../settings/inspect.ts'
import { buildGeminiHooks, geminiSettingsPaths, unwireGemini, wireGemini } from './wire-gemini.ts'

/** Gemini CLI, as `bridge wire` and `bridge doctor` see it. */
export const geminiWiring: AgentWiring = { wire: wireGemini, unwire: unwireGemini, inspect, probeHooks }

function inspect(options: WiringOptions): WiringReport {
  const wanted = buildGeminiHooks(options)
  const form = { isOurs: createForwarderMatcher('gemini') }
  const looks = distinctFiles(geminiSettingsPaths(options)).map((path) =>
    inspectHooksFile(path, form, wanted),
  )
  return {
    files: looks.map(({ file }) => file),
    hooks: looks.flatMap(({ hooks }) => hooks),
    plugins: [],
    twice: sentencesOfDuplicates(looks),
    disabledBy: looks
      .filter(({ settings }) => fieldsOf(settings['hooksConfig'])['enabled'] === false)
      .map(({ file }) => ({ path: file.path, setting: 'hooksConfig.enabled' })),
    env: {},
  }
}

function probeHooks({ id, directory }: { id: string; directory: string }): ProbeHooks {
  const hook = (event: string, fields: Record<string, unknown>) => ({
    event,
    payload: { session_id: id, transcript_path: '', cwd: directory, hook_event_name: event, ...fields },
  })
  return {
    begin: [hook('SessionStart', { source: 'startup' })],
    end: hook('SessionEnd', { reason: 'exit' }),
  }
}
