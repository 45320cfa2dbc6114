import type { AgentWiring, ProbeHooks, WiringOptions, WiringReport } from '../wiring/agent-wiring.ts'
import {
  distinctFiles,
  inspectHooksFile,
  sentencesOfDuplicates,
  type HooksLook,
} from '../settings/inspect.ts'
import {
  buildCursorHooks,
  createCursorForm,
  cursorHooksPaths,
  unknownEvents,
  unwireCursor,
  wireCursor,
} from './wire.ts'
import { cursorEventsFor, knownCursorEvents } from './wire-events.ts'

/** Cursor, as `bridge wire` and `bridge doctor` see it. */
export const cursorWiring: AgentWiring = { wire: wireCursor, unwire: unwireCursor, inspect, probeHooks }

/** Which version is installed is not asked here: what every version has must be there, and may be more. */
function inspect(options: WiringOptions): WiringReport {
  const least = cursorEventsFor([])
  const wanted = buildCursorHooks(options, knownCursorEvents)
  const looks = distinctFiles(cursorHooksPaths(options)).map((path): HooksLook => {
    const look = inspectHooksFile(path, createCursorForm(), wanted)
    const missing = look.file.missing.filter((event) => least.includes(event))
    return { ...look, file: { ...look.file, missing } }
  })
  return {
    files: looks.map(({ file }) => file),
    hooks: looks.flatMap(({ hooks }) => hooks),
    plugins: [],
    twice: sentencesOfDuplicates(looks),
    disabledBy: looks.flatMap(({ file, settings }) =>
      unknownEvents(settings).map((event) => ({ path: file.path, setting: `hooks.${event}` })),
    ),
    env: {},
  }
}

/** A prompt or the end of a turn would be news to people, so only the start of a session is harmless. */
function probeHooks({ id, directory }: { id: string; directory: string }): ProbeHooks {
  const hook = (event: string, fields: Record<string, unknown>) => ({
    event,
    payload: {
      conversation_id: id,
      generation_id: '',
      workspace_roots: [directory],
      hook_event_name: event,
      session_id: id,
      ...fields,
    },
  })
  return {
    begin: [hook('sessionStart', { is_background_agent: false })],
    end: hook('sessionEnd', { reason: 'user_close', duration_ms: 0 }),
  }
}
