import { BridgeError } from '../../core/errors.ts'
import { createRedaction, redactedText } from '../../store/redaction.ts'
import type { Check } from './check.ts'
import type { DoctorContext } from './context.ts'

/** Shorter ones stand in words by chance; a daemon with such a token is on this machine only. */
const minLength = 6

/**
 * The same checks without a secret. No check puts one in; but some pass on what other programs and parsers say, and a
 * report is made to be shown to others.
 */
export function withoutSecrets(checks: readonly Check[], context: DoctorContext): Check[] {
  const redact = createRedaction()
  const known = secretsOf(context)
  return checks.map((check) => {
    let text = JSON.stringify(check)
    for (const secret of known) text = text.replaceAll(secret, redactedText)
    const clean: Check = JSON.parse(redact(text))
    return clean
  })
}

function secretsOf({ token, forward, config, env }: DoctorContext): string[] {
  const configured = config instanceof BridgeError ? undefined : config.token
  return [token, forward?.token, configured, env['BRIDGE_TOKEN']]
    .filter((secret) => secret !== undefined && secret.length >= minLength)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
}
