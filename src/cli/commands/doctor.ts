import { readContext } from '../doctor/context.ts'
import { renderReport } from '../doctor/render.ts'
import { runDoctor } from '../doctor/run.ts'
import { ExitCode } from '../failure.ts'
import { safeJson } from '../safe-text.ts'
import { styleFor } from '../style.ts'

export interface DoctorOptions {
  readonly agent?: readonly string[]
  readonly probe: boolean
  readonly json?: boolean
  readonly state?: string
}

/**
 * `bridge doctor`: looks at everything between an agent's hook and the log, and says what to do about what is wrong.
 * Works while the daemon is down.
 *
 * @throws ExitCode 1 when something is a problem
 * @throws BridgeError `agent_unknown`
 */
export async function doctor(options: DoctorOptions): Promise<void> {
  const context = await readContext({ state: options.state, env: process.env, cwd: process.cwd() })
  const report = await runDoctor(context, {
    agents: options.agent?.flatMap((names) => names.split(',')),
    probe: options.probe,
  })
  const text = options.json === true ? safeJson(report, 2) : renderReport(report, styleFor(process.stdout))
  process.stdout.write(`${text}\n`)
  if (!report.ok) throw new ExitCode(1)
}
