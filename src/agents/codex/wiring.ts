import { BridgeError } from '../../core/errors.ts'
import type { AgentWiring, ProbeHooks, WiringOptions, WiringReport } from '../wiring/agent-wiring.ts'
import {
  createForwarderMatcher,
  distinctFiles,
  inspectHooksFile,
  sentencesOfDuplicates,
  type HooksLook,
} from '../settings/inspect.ts'
import { unwireCodex, wireCodex } from './wire.ts'
import { buildCodexHooks } from './wire-hooks.ts'
import { codexPlaces, type CodexPlace } from './wire-place.ts'
import { areHooksOff, untrustedEvents } from './wire-trust.ts'

/** Codex, as `bridge wire` and `bridge doctor` see it. */
export const codexWiring: AgentWiring = { wire: wireCodex, unwire: unwireCodex, inspect, probeHooks }

function inspect(options: WiringOptions): WiringReport {
  const wanted = buildCodexHooks(options)
  const form = { isOurs: createForwarderMatcher('codex') }
  const all = codexPlaces(options)
  const files = distinctFiles(all.map(({ hooks }) => hooks))
  const places = all
    .filter(({ hooks }, index) => index === all.findIndex((place) => place.hooks === hooks))
    .filter(({ hooks }) => files.includes(hooks))
  const looks = places.map((place) => lookAtTrust(place, inspectHooksFile(place.hooks, form, wanted)))
  const [user] = places
  return {
    files: looks.map(({ look }) => look.file),
    hooks: looks.flatMap(({ look }) => look.hooks),
    plugins: [],
    twice: sentencesOfDuplicates(looks.map(({ look }) => look)),
    disabledBy:
      user && looks.some(({ isOff }) => isOff) ? [{ path: user.config, setting: 'features.hooks' }] : [],
    env: {},
  }
}

/** A hook that is not trusted is as good as an old one: `wire` mends both. */
function lookAtTrust(place: CodexPlace, look: HooksLook): { look: HooksLook; isOff: boolean } {
  try {
    const asked = untrustedEvents(place, look.found)
    const outdated = [...new Set([...look.file.outdated, ...asked])]
    return { look: { ...look, file: { ...look.file, outdated } }, isOff: areHooksOff(place) }
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error
    return { look: { ...look, file: { ...look.file, problem: error.message } }, isOff: false }
  }
}

function probeHooks({ id, directory }: { id: string; directory: string }): ProbeHooks {
  const hook = (event: string, fields: Record<string, unknown>) => ({
    event,
    payload: { session_id: id, transcript_path: null, cwd: directory, hook_event_name: event, ...fields },
  })
  return {
    begin: [hook('SessionStart', { source: 'startup' })],
    end: hook('SessionEnd', { reason: 'other' }),
  }
}
