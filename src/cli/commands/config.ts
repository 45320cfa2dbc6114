import { homedir } from 'node:os'
import { loadConfig } from '../../config/config.ts'
import { describeConfig } from '../../config/describe.ts'
import { safeJson, safeLine } from '../safe-text.ts'
import { styleFor } from '../style.ts'
import { formatTable, type Cell } from '../table.ts'

/**
 * `bridge config check`: every value with where it comes from.
 *
 * @throws BridgeError `config_invalid` for what the daemon would refuse
 */
export async function checkConfig(options: { json?: boolean; state?: string }): Promise<void> {
  const config = loadConfig({
    flags: { state: options.state },
    env: process.env,
    cwd: process.cwd(),
    homeDir: homedir(),
  })
  const values = describeConfig(config)
  if (options.json === true) {
    process.stdout.write(`${safeJson(values, 2)}\n`)
    return
  }
  const rows = values.map(({ name, value, source }): Cell[] => {
    const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
    const isDefault = source === 'default'
    return [
      { text: name },
      { text: text === '' ? '-' : safeLine(text), ...(isDefault && { hue: 'grey' }) },
      { text: safeLine(source), hue: 'grey' },
    ]
  })
  process.stdout.write(`${formatTable(rows, styleFor(process.stdout)).join('\n')}\n`)
}
