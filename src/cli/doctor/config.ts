import { join } from 'node:path'
import { readHarnesses } from '../../agents/harness/read-harnesses.ts'
import { describeConfig } from '../../config/describe.ts'
import { defaultSource } from '../../config/layers.ts'
import { BridgeError } from '../../core/errors.ts'
import { checksOf, type Check } from './check.ts'
import type { DoctorContext } from './context.ts'
import { countOf } from './words.ts'

const make = checksOf('home')

/** Whether the daemon would take the configuration. */
export function checkConfig({ home, config, command }: DoctorContext): Check {
  if (config instanceof BridgeError) {
    return make.problem('config', `The configuration is wrong: ${config.message}`, command('config check'))
  }
  try {
    readHarnesses(join(home, 'harness.json'))
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error
    const remedy = 'Mend harness.json, or move it away'
    return make.problem('config', `The configuration is wrong: ${error.message}`, remedy)
  }
  const set = describeConfig(config).filter(({ source }) => source !== defaultSource)
  const shown = set.length === 0 ? 'all defaults' : `${countOf(set.length, 'setting')} of yours`
  return make.ok('config', `The configuration is valid (${shown})`)
}
